package import Localization

/// The usage descriptions and the titles of quick actions of Info.plists, if no table contains their text in the source language. An app shows these
/// texts untranslated, and no round sends them.
package struct UsageDescriptions: Sendable {
  /// A table of an Info.plist that lacks some of these texts or does not exist.
  struct Table: Sendable {
    var description: ProjectCatalog
    /// The table's entries, including the missing ones.
    var catalog: Catalog
    var lacking: [UnitKey: ExtractedString]
    /// Whether the table has a file in the source language.
    var exists: Bool

    /// The step with which a person adds the strings to the table.
    var nextStep: String {
      if exists { return "add them to \(catalog.path)" }
      return description.localizations.isEmpty
        ? "`dragoman init` creates the table, or prints the steps to create it" : "create \(catalog.path) with them"
    }
  }

  private(set) var tables: [Table] = []
  /// Diagnostics about Info.plists that cannot be read. These files may have usage descriptions.
  private var unread: [Diagnostic] = []

  package init() {}

  /// Finds the usage descriptions and quick action titles of a project that no table contains.
  /// - Parameter others: targets that will have a table.
  init(of snapshot: ProjectSnapshot, besides others: [TargetID] = []) {
    let localized = Self.localizedProjects(of: snapshot.project, besides: others)
    guard !localized.isEmpty else { return }
    let all = snapshot.tools.extractor.usageDescriptions(of: snapshot.project, in: snapshot.tree)
    unread = Set(all.unread.filter { localized.contains($0.key) }.values.joined()).sorted {
      $0.description < $1.description
    }
    let found = all.strings.filter { !localized.isDisjoint(with: $0.targets) }
    for (path, strings) in Dictionary(grouping: found, by: \.catalog).sorted(by: { $0.key < $1.key }) {
      guard snapshot.unreadable[path] == nil, var table = Self.table(of: strings, at: path, in: snapshot) else {
        continue
      }
      let lacking = strings.filter { !Self.holds(table.catalog, $0.key) }
      guard !lacking.isEmpty else { continue }
      table.catalog = ClassicExport.adding(lacking, to: table.catalog)
      // Without this mark, keys that only other languages have would not be translated (`TableKeys`).
      for string in lacking { table.catalog.entries[string.key]?.shouldTranslate = true }
      table.lacking = Dictionary(lacking.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
      tables.append(table)
    }
  }

  /// Returns the targets of Xcode projects that have tables or languages. A project with neither, such as an example of a library, is not localized.
  private static func localizedProjects(of project: ProjectDescription, besides others: [TargetID]) -> Set<TargetID> {
    let withTables = Set(project.catalogs.flatMap(\.targets)).union(others)
      .union(project.targets.filter { $0.places?.isOfLocalizedProject == true }.map(\.id))
    func file(_ target: ProjectTarget) -> TreePath? {
      if case .xcode(let path) = target.kind { path } else { nil }
    }
    let files = Set(project.targets.filter { withTables.contains($0.id) }.compactMap(file))
    return Set(project.targets.filter { file($0).map(files.contains) ?? false }.map(\.id))
  }

  private static func holds(_ catalog: Catalog, _ key: UnitKey) -> Bool {
    catalog.entries[key]?.translations[catalog.sourceLanguage] != nil
  }

  private static func table(of strings: [ExtractedString], at path: TreePath, in snapshot: ProjectSnapshot) -> Table? {
    if let description = snapshot.project.catalogs.first(where: { $0.path == path }) {
      return snapshot.catalogs[path].map { Table(description: description, catalog: $0, lacking: [:], exists: true) }
    }
    let ids = Set(strings.flatMap(\.targets)).sorted()
    let places = snapshot.project.targets.filter { ids.contains($0.id) }.compactMap(\.places)
    guard let language = places.first?.language, let table = strings.first?.table else { return nil }
    var description = ProjectCatalog(path: path, table: table, sourceLanguage: language, targets: ids)
    description.localizations = (places.compactMap { $0.translated[table] }.first ?? [:]).filter { $0.key != language }
    let known = description.localizations.isEmpty ? nil : try? snapshot.translated(description, of: strings)
    return Table(
      description: description, catalog: known ?? Catalog(path: path, sourceLanguage: language), lacking: [:],
      exists: false)
  }

  /// The tables, including their missing entries, by path.
  package var catalogs: [TreePath: Catalog] {
    Dictionary(tables.map { ($0.catalog.path, $0.catalog) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns whether a string is a usage description or the title of a quick action that its table's files do not have.
  package func contains(_ unit: UnitID) -> Bool {
    tables.contains { $0.catalog.path == unit.catalog && $0.lacking[unit.key] != nil }
  }

  mutating func restrict(_ isWanted: (_ table: String, _ path: TreePath, _ targets: [TargetID]) -> Bool) {
    tables.removeAll { !isWanted($0.description.table, $0.catalog.path, $0.description.targets) }
  }

  /// Descriptions of Info.plists that cannot be read, for a gate.
  package var obstacles: [String] {
    CompletionGate.some(
      unread, "Info.plists that are unreadable may have usage descriptions",
      "Info.plist that is unreadable may have usage descriptions"
    ) { $0.sentence }
  }

  /// Returns warnings about Info.plists that cannot be read, and about texts that are not translated into all languages, with one warning for each
  /// table.
  /// - Parameter isCounted: returns whether a string counts.
  package func warnings(
    in languages: some Collection<LocaleIdentifier>, fallbacks: LanguageFallbacks,
    where isCounted: (UnitID) -> Bool = { _ in true }
  ) -> [Diagnostic] {
    unread
      + missing(in: languages, fallbacks, where: isCounted).map { table, strings in
        let site = strings[0].sites.first
        return Diagnostic(
          path: site?.path.text ?? strings[0].catalog.text, line: site?.line, column: site?.column, severity: .warning,
          message: strings.count == 1
            ? "the \(Self.noun(strings)) \(strings[0].key) is in no string table, so no round sends it"
            : "\(strings.count) \(Self.noun(strings))s (\(strings[0].key), …) are in no string table, so no round sends them",
          hint: table.nextStep)
      }
  }

  /// Returns the warnings about untranslated texts as one sentence, for a verdict; empty if there are none.
  package func notes(
    in languages: some Collection<LocaleIdentifier>, fallbacks: LanguageFallbacks,
    where isCounted: (UnitID) -> Bool = { _ in true }
  ) -> [String] {
    let missing = missing(in: languages, fallbacks, where: isCounted)
    guard let (table, strings) = missing.first else { return [] }
    let count = missing.reduce(0) { $0 + $1.strings.count }
    let noun = Self.noun(missing.flatMap(\.strings))
    let place = strings[0].sites.first.map { "\($0.path):\($0.line): " } ?? ""
    return [
      (count == 1
        ? "1 \(noun) of an Info.plist is in no string table: "
        : "\(count) \(noun)s of Info.plists are in no string table; the first: ")
        + place + strings[0].key.text + "; " + table.nextStep
    ]
  }

  private static func noun(_ strings: [ExtractedString]) -> String {
    let descriptions = strings.count { string in string.sites.contains { $0.api.hasSuffix("UsageDescription") } }
    return descriptions == strings.count ? "usage description" : descriptions == 0 ? "quick action title" : "text"
  }

  /// Returns the counted texts that are not translated into all languages, by table and key.
  private func missing(
    in languages: some Collection<LocaleIdentifier>, _ fallbacks: LanguageFallbacks, where isCounted: (UnitID) -> Bool
  ) -> [(table: Table, strings: [ExtractedString])] {
    tables.compactMap { table in
      let report = Completion.report(catalogs: [table.catalog], languages: Array(languages), fallbacks: fallbacks)
      let keys = Set(report.missing.lazy.map(\.key)).filter { isCounted(UnitID(catalog: table.catalog.path, key: $0)) }
      let strings = keys.sorted().compactMap { table.lacking[$0] }
      return strings.isEmpty ? nil : (table, strings)
    }
  }
}

extension ProjectSnapshot {
  /// Finds the usage descriptions and the titles of quick actions that no table contains.
  package mutating func findUsageDescriptions() {
    usageDescriptions = UsageDescriptions(of: self)
  }

  /// Adds the texts in ``usageDescriptions`` to the tables that should contain them. They are then counted.
  package mutating func addUsageDescriptions() {
    catalogs.merge(usageDescriptions.catalogs) { _, whole in whole }
    for table in usageDescriptions.tables where !table.exists { add(table.description) }
  }

  /// Returns whether a string is in its catalog.
  package func has(_ unit: UnitID) -> Bool { catalogs[unit.catalog]?.entries[unit.key] != nil }
}
