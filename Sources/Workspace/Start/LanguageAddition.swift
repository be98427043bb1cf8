package import Localization

/// The addition of a language to a project, before anything is translated into it. The changes are those that Xcode makes when a person adds a
/// language under Project > Info > Localizations and the texts are in String Catalogs. Files of `.strings` tables are created with the first
/// translation.
package struct LanguageAddition: Sendable {
  package let edits: TreeEdits
  package let diagnostics: [Diagnostic]

  package init(_ language: LocaleIdentifier, to snapshot: ProjectSnapshot) {
    self.init([language], to: snapshot.project, of: snapshot.tools, in: snapshot.tree)
  }

  /// Adds languages to the Xcode projects. The changes are in `edits`; no file is written.
  /// - Parameter tree: the tree that includes all earlier changes.
  init(
    _ languages: Set<LocaleIdentifier>, to project: ProjectDescription, of tools: ProjectTools, in tree: any SourceTree
  ) {
    var projects: Set<TreePath> = []
    // One target of each project is enough, because all its targets have the same languages.
    let places = project.targets.compactMap { target -> ProjectCatalog? in
      guard case .xcode(let path) = target.kind, projects.insert(path).inserted else { return nil }
      return ProjectCatalog(
        path: target.resourceFolder.stringCatalog(of: "Localizable"), table: "Localizable",
        sourceLanguage: project.sourceLanguage, targets: [target.id])
    }
    let new = languages.subtracting([project.sourceLanguage]).sorted().flatMap { language in
      places.map { NewLocalization(catalog: $0, language: language, file: nil) }
    }
    (edits, diagnostics) = tools.layout.registering(new, of: project, in: tree)
  }
}
