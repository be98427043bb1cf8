/// A language that was added to a catalog.
package struct NewLocalization: Hashable, Sendable {
  package var catalog: ProjectCatalog
  package var language: LocaleIdentifier
  /// The file that is created for the language; `nil` for a String Catalog, or if the language's file existed before.
  package var file: TreePath?

  package init(catalog: ProjectCatalog, language: LocaleIdentifier, file: TreePath?) {
    self.catalog = catalog
    self.language = language
    self.file = file
  }

  /// Finds the target languages that an edit adds to catalogs.
  /// - Parameters:
  ///   - old: the catalogs before the edit; a catalog that is missing here is new.
  ///   - new: the same catalogs after the edit.
  ///   - catalogs: the catalogs of the project, which determine the paths of their files.
  ///   - written: all files that the edit writes. A language whose file is not written is not new.
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
