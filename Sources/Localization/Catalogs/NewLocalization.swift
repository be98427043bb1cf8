/// A language that a catalog has got.
package struct NewLocalization: Hashable, Sendable {
  package var catalog: ProjectCatalog
  package var language: LocaleIdentifier
  /// The new file that holds it; `nil` where the catalog itself does.
  package var file: TreePath?

  package init(catalog: ProjectCatalog, language: LocaleIdentifier, file: TreePath?) {
    self.catalog = catalog
    self.language = language
    self.file = file
  }

  /// The languages that catalogs have got by an edit of their files.
  /// - Parameters:
  ///   - old: before it; a catalog that is missing here is new.
  ///   - new: the same catalogs after it.
  ///   - catalogs: where they are.
  ///   - written: every file that the edit writes.
  package static func found(
    from old: [TreePath: Catalog], to new: [TreePath: Catalog], of catalogs: [ProjectCatalog], written: Set<TreePath>
  ) -> [NewLocalization] {
    catalogs.filter { new[$0.path] != nil }.sorted { $0.path < $1.path }.flatMap { catalog -> [NewLocalization] in
      let before = old[catalog.path]?.languages ?? []
      return (new[catalog.path]?.languages ?? []).subtracting(before).sorted().compactMap { language in
        guard language != catalog.sourceLanguage else { return nil }
        let file = catalog.files.path(for: language)
        guard written.contains(file) else { return nil }
        let isNew = !catalog.isStringCatalog && catalog.localizations[language] == nil
        return NewLocalization(catalog: catalog, language: language, file: isNew ? file : nil)
      }
    }
  }
}
