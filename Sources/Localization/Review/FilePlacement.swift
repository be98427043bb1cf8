/// Determines the catalog and the language of returned files.
struct FilePlacement {
  private let catalogs: [TreePath: Catalog]
  private let unreadable: [TreePath: InputFault]
  private let match: CatalogMatch
  /// Finds catalogs that exist but that the pipeline leaves out.
  private let excluded: CatalogMatch
  /// The languages that may be imported; `nil` if every well-formed language may be.
  private let allowed: Set<LocaleIdentifier>?
  private let projectLanguages: Set<LocaleIdentifier>
  /// The languages of each catalog in the catalog's spelling.
  private let ownLanguages: [TreePath: Set<LocaleIdentifier>]
  private let meanings: LanguageMeanings

  struct Place {
    var catalog: TreePath
    var language: LocaleIdentifier
    /// The reason for holding all units of the file; `nil` if there is none.
    var fault: HoldReason?
    var diagnostics: [Diagnostic] = []
  }

  init(
    catalogs: [TreePath: Catalog], unreadable: [TreePath: InputFault], allowed: Set<LocaleIdentifier>?,
    projectLanguages: Set<LocaleIdentifier>, meanings: LanguageMeanings = LanguageMeanings(),
    projectFolders: [TreePath] = [], excluded: Set<TreePath> = []
  ) {
    self.catalogs = catalogs
    self.unreadable = unreadable
    self.allowed = allowed
    self.meanings = meanings
    ownLanguages = catalogs.mapValues { $0.languages.union($0.unread.keys) }
    self.projectLanguages = projectLanguages.union(ownLanguages.values.joined())
    match = CatalogMatch(catalogs, unreadable: Set(unreadable.keys), projectFolders: projectFolders)
    self.excluded = CatalogMatch([:], unreadable: excluded, projectFolders: projectFolders)
  }

  /// The maximum number of catalogs that a message names.
  private static let mostNamed = 5

  /// Returns advice on how to create a missing table. `dragoman init` creates no table for an Info.plist, because most projects do not translate it.
  private static func creation(of path: TreePath) -> String {
    TablePlaces.isInfoPlist(path.stem)
      ? "its units are held; add a String Catalog named \(path.stem) to the target in Xcode, run `dragoman sync` and import again"
      : "its units are held; if code has these strings, create the table with `dragoman init` and import again"
  }

  /// Returns whether the file belongs to an excluded catalog. This is the case if an excluded catalog has exactly the file's path and no included
  /// catalog has, or if no included catalog matches and the path of only one excluded catalog does.
  private func isOutside(_ file: ExchangeFile, _ found: CatalogMatch.Result) -> Bool {
    switch (found, excluded.find(file)) {
    case (.exact, _): false
    case (_, .exact), (.none, .suffix): true
    default: false
    }
  }

  func place(of file: ExchangeFile) -> Place {
    var place = Place(catalog: CatalogMatch.inTree(file.original), language: file.targetLanguage)
    func note(_ severity: Diagnostic.Severity, _ message: String, _ hint: String? = nil) {
      place.diagnostics.append(Diagnostic(path: file.original, severity: severity, message: message, hint: hint))
    }
    let found = match.find(file)
    guard !isOutside(file, found) else {
      place.fault = .catalogOutsidePaths
      return place
    }
    switch found {
    case .exact(let path): place.catalog = path
    case .suffix(let path):
      place.catalog = path
      note(.note, "imported as \(path), the only catalog with a matching path")
    case .content(let path, let known, let count):
      place.catalog = path
      let texts = count == 1 ? "1 text" : "\(count) texts"
      note(.warning, "imported as \(path), which has \(known) of \(texts) in this file")
    case .ambiguous(let paths):
      let names = paths.prefix(Self.mostNamed).map(\.text).joined(separator: ", ")
      let more = paths.count > Self.mostNamed ? " and others" : ""
      note(.warning, "several catalogs match this path: \(names)\(more)", "use the file's path in the project")
      place.fault = .ambiguousCatalog
      return place
    case .none:
      note(.warning, "the project does not have this catalog", Self.creation(of: place.catalog))
      place.fault = .unknownCatalog
      return place
    }
    if let fault = unreadable[place.catalog] {
      place.fault = .unreadable(fault)
      return place
    }
    let known = catalogs[place.catalog]
    let language: LocaleIdentifier
    switch meaning(of: file.targetLanguage, in: place.catalog) {
    case .known(let known): language = known
    case .variant(let variants):
      let (name, names) = (file.targetLanguage, variants.map(\.rawValue))
      note(
        .warning, "“\(name)” is not one of the project's languages, which include \(names.joined(separator: ", "))",
        "use --language \(name) to add it, or --language \(name)=\(names[0]) to import it as \(names[0])")
      place.fault = .otherVariant(names)
      return place
    case .none:
      let name = file.targetLanguage.rawValue
      if name.isEmpty {
        note(.warning, "the file has no target-language", "add target-language with the language of its translations")
      } else {
        note(
          .warning, "“\(name)” is not one of the project's languages", "add the language, or correct target-language")
      }
      place.fault = .unknownLanguage((allowed ?? []).map(\.rawValue).sorted())
      return place
    }
    if language != file.targetLanguage, meanings[file.targetLanguage] == nil {
      note(.warning, "“\(file.targetLanguage)” is imported as the project's “\(language)”")
    }
    place.language = language
    if let fault = known?.unread[language] { place.fault = .unreadable(fault) }
    if let source = known?.sourceLanguage, !LanguageMatch.isSame(source, file.sourceLanguage) {
      note(.note, "translated from “\(file.sourceLanguage)”, but the catalog's source language is “\(source)”")
    }
    return place
  }

  private enum Meaning {
    case known(LocaleIdentifier)
    /// The project has this language only for other regions.
    case variant([LocaleIdentifier])
    case none
  }

  private func meaning(of language: LocaleIdentifier, in catalog: TreePath) -> Meaning {
    if let chosen = meanings[language] {
      // Languages of the project are never renamed.
      guard !projectLanguages.contains(chosen) else { return .known(chosen) }
      return LanguageMatch.newName(of: chosen).map(Meaning.known) ?? .none
    }
    let known: LanguageMatch
    if let allowed {
      // Units in the catalog's source language are held later.
      known = LanguageMatch([allowed.union(catalogs[catalog].map { [$0.sourceLanguage] } ?? [])])
    } else {
      known = LanguageMatch([ownLanguages[catalog] ?? [], projectLanguages])
    }
    if let own = known.find(language) {
      // A catalog may use any text as the name of a language. A malformed name must not become the name of a folder, so it is known only in the
      // catalog that already uses it.
      let isOwn = ownLanguages[catalog]?.contains(own) ?? false
      return own.isWellFormed || isOwn ? .known(own) : .none
    }
    let variants = known.variants(of: language)
    guard variants.isEmpty else { return .variant(variants) }
    guard allowed == nil, let new = LanguageMatch.newName(of: language) else { return .none }
    return .known(new)
  }
}
