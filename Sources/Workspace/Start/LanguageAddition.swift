package import Localization

/// A new language of a project, before anything is translated into it: what Xcode does in Project, Info, Localizations with String Catalogs.
/// Files of `.strings` tables come with the first translation.
package struct LanguageAddition: Sendable {
  package let edits: TreeEdits
  package let diagnostics: [Diagnostic]

  package init(_ language: LocaleIdentifier, to snapshot: ProjectSnapshot) {
    self.init([language], to: snapshot.project, of: snapshot.tools, in: snapshot.tree)
  }

  /// - Parameter tree: with what was changed before.
  init(
    _ languages: Set<LocaleIdentifier>, to project: ProjectDescription, of tools: ProjectTools, in tree: any SourceTree
  ) {
    let ofProjects = Set(
      project.targets.compactMap { target -> TargetID? in
        if case .xcode = target.kind { target.id } else { nil }
      })
    let catalogs = project.catalogs.filter { !ofProjects.isDisjoint(with: $0.targets) }
    let new = languages.subtracting([project.sourceLanguage]).sorted().flatMap { language in
      catalogs.map { NewLocalization(catalog: $0, language: language, file: nil) }
    }
    (edits, diagnostics) = tools.layout.registering(new, of: project, in: tree)
  }
}
