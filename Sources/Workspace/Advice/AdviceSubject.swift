import Localization

/// The parts of a project that rules check: the text units, with information from code and catalogs, the patterns of code, and the glossary's terms.
struct AdviceSubject: Sendable {
  let snapshot: ProjectSnapshot
  /// The text units, sorted by catalog and key. Text units that are stale, not to be translated, or visible only to developers are excluded.
  private(set) var units: [AdvisedUnit]
  /// The patterns of code, sorted by path and position; empty until `review` is called.
  private(set) var patterns: [CodePattern] = []

  /// The minimum number of units for a separate thread.
  private static let unitsOfThread = 500

  /// The terms of the glossary by source language.
  private let glossary: [LocaleIdentifier: TermCheck]

  /// Collects the text units of a project.
  /// - Parameter terms: returns the glossary's terms for a source language.
  init(_ snapshot: ProjectSnapshot, terms: (LocaleIdentifier) -> TermCheck = { _ in TermCheck() }) {
    self.snapshot = snapshot
    let strings = Dictionary(
      snapshot.extraction.strings.map { (UnitID(catalog: $0.catalog, key: $0.key), $0) },
      uniquingKeysWith: { first, _ in first })
    var found: [(id: UnitID, entry: CatalogEntry, string: ExtractedString?, language: LocaleIdentifier)] = []
    var developers = DeveloperPlaces()
    for catalog in snapshot.catalogs.values where !developers.own(catalog.path) {
      for (key, entry) in catalog.entries where entry.shouldTranslate && entry.extractionState != .stale {
        let string = strings[UnitID(catalog: catalog.path, key: key)]
        if let string, developers.own(string) { continue }
        found.append((UnitID(catalog: catalog.path, key: key), entry, string, catalog.sourceLanguage))
      }
    }
    let pluralTables = PluralTables(snapshot.project, snapshot.catalogs)
    for (id, string) in strings
    where snapshot.catalogs[id.catalog]?.entries[id.key] == nil && !pluralTables.hold(string) {
      guard snapshot.unreadable[id.catalog] == nil, !developers.own(string), !developers.own(id.catalog) else {
        continue
      }
      let language = snapshot.catalogs[id.catalog]?.sourceLanguage ?? snapshot.project.sourceLanguage
      let entry = CatalogEntry(translations: string.value.map { [language: Translation($0)] } ?? [:])
      found.append((id, entry, string, language))
    }
    found.sort { $0.id < $1.id }
    units = SharedWork.map(found.count, atLeast: Self.unitsOfThread) { [found] range in
      found[range].map { AdvisedUnit($0.id.catalog, $0.id.key, $0.entry, $0.string, sourceLanguage: $0.language) }
    }.flatMap(\.self)
    glossary = Set(units.map(\.sourceLanguage)).reduce(into: [:]) { $0[$1] = terms($1) }
  }

  func terms(_ source: LocaleIdentifier) -> TermCheck { glossary[source] ?? TermCheck() }

  /// Finds the patterns of code in the Swift files of all targets whose texts users see, and removes units that occur only in code for developers.
  /// - Parameter kinds: the patterns that rules report.
  mutating func review(for kinds: Set<CodePattern.Kind>, threads: Int) throws {
    let project = snapshot.project
    var developers = DeveloperPlaces()
    var files: [TreePath: ReviewedFile] = [:]
    for target in project.targets where target.feedsCatalogs {
      for source in target.swiftSources
      where files[source.path] == nil && source.path.ending == "swift" && !developers.own(source.path) {
        files[source.path] = ReviewedFile(path: source.path)
        files[source.path]?.traits = snapshot.traits[source.path]
      }
    }
    for target in project.targets {
      guard case .xcode = target.kind else { continue }
      for source in target.swiftSources { files[source.path]?.isOfXcode = true }
    }
    let packages = Dictionary(
      project.targets.filter { if case .package = $0.kind { true } else { false } }
        .map { ($0.id, Set($0.catalogs.values)) }, uniquingKeysWith: { first, _ in first })
    let inApp = keysInApp()
    let translated = Set(
      units.filter { unit in unit.entry.translations.keys.contains { $0 != unit.sourceLanguage } }
        .map { UnitID(catalog: $0.catalog, key: $0.key) })
    for site in snapshot.extraction.strings.flatMap(\.sites) {
      if let last = files[site.path]?.lastLine, last < site.line { files[site.path]?.lastLine = site.line }
    }
    for string in snapshot.extraction.strings where string.origin == .swift {
      let isOfPackage =
        snapshot.catalogs[string.catalog] != nil && !inApp.contains(string.key)
        && string.targets.allSatisfy { packages[$0]?.contains(string.catalog) == true }
      let isTranslated = translated.contains(UnitID(catalog: string.catalog, key: string.key))
      for site in string.sites {
        let place = ReviewedFile.Place(line: site.line, column: site.column)
        files[site.path]?.localized.insert(place)
        if isOfPackage { files[site.path]?.ofPackage.insert(place) }
        if isTranslated { files[site.path]?.translated.insert(place) }
      }
    }
    let review = try snapshot.tools.reviewer.review(
      files.values.sorted { $0.path < $1.path }, for: kinds, of: snapshot.tree, threads: threads)
    patterns = review.patterns
    units.removeAll { unit in
      guard let sites = unit.string?.sites, !sites.isEmpty else { return false }
      return sites.allSatisfy { site in
        let place = ReviewedFile.Place(line: site.line, column: site.column)
        return developers.own(site.path)
          || review.developerCode[site.path]?.contains { $0.contains(place) } == true
      }
    }
  }
}

extension AdviceSubject {
  /// Returns the keys that have texts in catalogs of Xcode targets. At run time, code of packages finds these texts in the app's bundle.
  private func keysInApp() -> Set<UnitKey> {
    let apps = snapshot.project.targets.filter { if case .xcode = $0.kind { true } else { false } }
    let catalogs = Set(apps.flatMap(\.catalogs.values))
    return Set(
      catalogs.flatMap { path in
        guard let catalog = snapshot.catalogs[path] else { return [UnitKey]() }
        return catalog.entries.filter { !$0.value.translations.isEmpty }.map(\.key)
      })
  }

  /// Whether the project has a translation into a right-to-left language.
  var hasRightToLeft: Bool {
    Set(units.flatMap(\.entry.translations.keys)).contains(where: \.isRightToLeft)
  }
}

/// A text unit of a catalog or of code, with information from both.
struct AdvisedUnit: Sendable {
  let catalog: TreePath
  let key: UnitKey
  let entry: CatalogEntry
  /// The string in code; `nil` if extraction did not find it.
  let string: ExtractedString?
  let sourceLanguage: LocaleIdentifier
  let source: SourceForms
  /// The comment in code, or otherwise in the catalog; `nil` if there is none. Suppressions, declared limits and the standard texts of tools are
  /// removed.
  let comment: String?
  /// The limits that the comments in code and catalog declare.
  let limits: DeclaredLimits
  /// The translations, sorted by language, without those of the source language and of `qqq`.
  let translations: [(language: LocaleIdentifier, translation: Translation)]

  init(
    _ catalog: TreePath, _ key: UnitKey, _ entry: CatalogEntry, _ string: ExtractedString?,
    sourceLanguage: LocaleIdentifier
  ) {
    self.catalog = catalog
    self.key = key
    self.entry = entry
    self.string = string
    self.sourceLanguage = sourceLanguage
    // `qqq` is not a language: translatewiki.net uses this code for the documentation of messages.
    translations = entry.translations.compactMap { language, translation in
      language != sourceLanguage && language.language != "qqq" ? (language, translation) : nil
    }.sorted { $0.0 < $1.0 }
    source = SourceForms(key: key, entry: entry, sourceLanguage: sourceLanguage)
    let lines = (string?.comment ?? entry.comment ?? "").split(whereSeparator: \.isNewline)
      .filter { line in
        !line.holds(Suppression.mark) && !DeclaredLimits.isDeclaration(line) && !Self.isPlaceholder(line)
      }
    let comment = lines.joined(separator: "\n").withoutOuterSpace
    self.comment = comment.isEmpty ? nil : comment
    limits = DeclaredLimits(
      comment: [string?.comment, entry.comment].compactMap(\.self).joined(separator: "\n"))
  }

  /// Returns whether a line is the standard text that genstrings and Xcode's exports write for a missing comment.
  private static func isPlaceholder(_ line: Substring) -> Bool {
    ["No comment provided by engineer.", "(No Comment)", "No comment"].contains(line)
  }

  /// The forms of the source text.
  var texts: [String] { source.translation.leaves.flatMap { $0.leaf.texts } }

  /// The source text; for a text with forms, the most general form.
  var text: String { source.translation.text.nearest(to: [])?.texts.first ?? key.text }

  /// Whether the source text or a translation has forms or substitutions.
  var hasForms: Bool {
    var hasForms = source.translation.plainState == nil
    entry.translations.forEachVaried { _, _ in hasForms = true }
    return hasForms
  }

  /// Whether the key is a symbolic name, such as `settings.title` or `save_button`, instead of the text itself.
  var isNamed: Bool {
    guard !key.text.contains(where: \.isWhitespace) else { return false }
    return !text.isExactly(key.text) || key.text.contains("_") || key.text.dropLast().dropFirst().contains(".")
  }

  /// Whether the string is in a storyboard or xib, or in the String Catalog of one.
  var isOfInterface: Bool {
    string?.origin == .interfaceBuilder || catalog.parent.name == "mul.lproj"
      || TreePath.interfaceEndings.contains(catalog.ending)
  }

  func remark(
    at location: Remark.Location = .catalog, in language: LocaleIdentifier? = nil, form: VariationPath = .root,
    _ message: String, hint: String? = nil
  ) -> Remark {
    Remark(
      location: location, catalog: catalog, key: key, language: language, form: form, message: message, hint: hint)
  }
}
