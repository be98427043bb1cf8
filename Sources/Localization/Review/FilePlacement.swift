/// Tells where the units of returned files belong: which catalog, which of the project's languages.
struct FilePlacement {
  private let catalogs: [TreePath: Catalog]
  private let unreadable: [TreePath: InputFault]
  private let match: CatalogMatch
  /// Those that may be imported; `nil`: every well-formed one.
  private let allowed: Set<LocaleIdentifier>?
  private let projectLanguages: Set<LocaleIdentifier>

  struct Place {
    var catalog: TreePath
    var language: LocaleIdentifier
    /// Why none of the file's units can be taken.
    var fault: HoldReason?
    var diagnostics: [Diagnostic] = []
  }

  init(
    catalogs: [TreePath: Catalog], unreadable: [TreePath: InputFault], allowed: Set<LocaleIdentifier>?,
    projectLanguages: Set<LocaleIdentifier>
  ) {
    self.catalogs = catalogs
    self.unreadable = unreadable
    self.allowed = allowed
    self.projectLanguages = projectLanguages.union(catalogs.values.flatMap { $0.languages.union($0.unread.keys) })
    match = CatalogMatch(catalogs, unreadable: Set(unreadable.keys))
  }

  func place(of file: ExchangeFile) -> Place {
    var place = Place(catalog: CatalogMatch.inTree(file.original), language: file.targetLanguage)
    func note(_ severity: Diagnostic.Severity, _ message: String, _ hint: String? = nil) {
      place.diagnostics.append(Diagnostic(path: file.original, severity: severity, message: message, hint: hint))
    }
    switch match.find(file) {
    case .exact(let path): place.catalog = path
    case .suffix(let path):
      place.catalog = path
      note(.note, "taken as \(path), the only catalog whose path fits")
    case .content(let path, let known, let count):
      place.catalog = path
      note(.warning, "taken as \(path), which has \(known) of \(count == 1 ? "its 1 text" : "\(count) of its texts")")
    case .ambiguous(let paths):
      let names = paths.map(\.text).joined(separator: ", ")
      note(.warning, "match catalog: several fit: \(names)", "name the file as it is named in the project")
      place.fault = .ambiguousCatalog
      return place
    case .none:
      note(.warning, "match catalog: the project has no such catalog", "its units are held")
      place.fault = .unknownCatalog
      return place
    }
    if let fault = unreadable[place.catalog] {
      place.fault = .unreadable(fault)
      return place
    }
    let known = catalogs[place.catalog]
    guard let language = language(file.targetLanguage, in: known) else {
      let name = file.targetLanguage.rawValue
      note(
        .warning,
        name.isEmpty ? "match language: the file names none" : "match language: “\(name)” is none of the project's",
        "add the language, or correct target-language")
      place.fault = .unknownLanguage
      return place
    }
    if language != file.targetLanguage {
      note(.warning, "“\(file.targetLanguage)” is taken as the project's “\(language)”")
    }
    place.language = language
    if let fault = known?.unread[language] { place.fault = .unreadable(fault) }
    if let source = known?.sourceLanguage, source != file.sourceLanguage,
      LanguageMatch([[source]]).find(file.sourceLanguage) == nil
    {
      note(.note, "translated from “\(file.sourceLanguage)”, the catalog's source language is “\(source)”")
    }
    return place
  }

  private func language(_ language: LocaleIdentifier, in catalog: Catalog?) -> LocaleIdentifier? {
    let own = (catalog?.languages ?? []).union((catalog?.unread ?? [:]).keys)
    if let allowed {
      // What the catalog's source language says is told apart later.
      return LanguageMatch([allowed.union(catalog.map { [$0.sourceLanguage] } ?? [])]).find(language)
    }
    return LanguageMatch([own, projectLanguages]).find(language) ?? LanguageMatch.newName(of: language)
  }
}
