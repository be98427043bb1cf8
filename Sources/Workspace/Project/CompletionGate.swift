import CatalogFormats
package import Localization

/// Finds the reasons why the completion counts of a project are not reliable, such as unreadable catalogs and strings that are in no catalog.
package struct CompletionGate: Sendable {
  private let project: ProjectDescription
  private let catalogs: [TreePath: Catalog]
  private let unreadable: [TreePath: InputFault]
  private let extraction: Extraction
  private let isKeptInStep: @Sendable (TreePath) -> Bool
  private let pluralTables: PluralTables

  /// Creates a gate for a project whose catalogs and code were read.
  /// - Parameters:
  ///   - catalogs: the catalogs that could be read.
  ///   - unreadable: the catalogs that could not be read.
  ///   - isKeptInStep: whether builds, and `dragoman sync`, sync catalogs with this name.
  package init(
    project: ProjectDescription, catalogs: [TreePath: Catalog], unreadable: [TreePath: InputFault],
    extraction: Extraction, isKeptInStep: @escaping @Sendable (TreePath) -> Bool
  ) {
    self.project = project
    self.catalogs = catalogs
    self.unreadable = unreadable
    self.extraction = extraction
    self.isKeptInStep = isKeptInStep
    pluralTables = PluralTables(project, catalogs)
  }

  /// The reasons why a gate cannot check this project, each with its first location, if it has one. If there is any reason, the gate fails.
  package var obstacles: [String] {
    var found = faults
    if found.isEmpty, project.targets.isEmpty, project.catalogs.isEmpty, unreadable.isEmpty {
      found.append("no project found: no package or Xcode project with a target, no catalog")
    }
    return found + unreadSources + gaps + missingTables + unknownTargets
      + BuildObstacles.all(of: project, catalogs)
  }

  /// The faults that may cause missing source texts: unreadable projects, catalogs, files of the source language, or source files. Two commits cannot
  /// be compared if one of them has any of these faults.
  package var unread: [String] {
    faults + Self.unread(in: [project.sourceLanguage], of: catalogs) + unreadSources
  }

  /// The faults of the project and of catalogs that cannot be read.
  private var faults: [String] {
    let first = project.diagnostics.first { $0.severity == .error }
    return
      (first.map { ["the project is unreadable: \($0.sentence)"] } ?? [])
      + Self.some(unreadable.sorted { $0.key < $1.key }, "catalogs are unreadable", "catalog is unreadable") {
        $0.value.placeAndMessage ?? $0.key.text
      }
  }

  /// The catalogs that may lack strings of the code, with the reasons.
  private var incomplete: [(key: TreePath, value: [Diagnostic])] {
    let apart = self.apart
    return extraction.incompleteCatalogs.filter { !apart.contains($0.key) }.sorted { $0.key < $1.key }
  }

  /// Descriptions of catalogs that may lack strings of the code because a source file cannot be read.
  private var unreadSources: [String] {
    let unread = incomplete.compactMap { path, reasons in
      reasons.first { $0.severity != .note }.map { (path: path, reason: $0) }
    }
    return Self.some(
      unread, "catalogs may lack strings, because their sources are unreadable",
      "catalog may lack strings, because its sources are unreadable"
    ) { $0.reason.sentence }
  }

  /// Descriptions of catalogs that may lack strings of the code for other reasons, each with its first reason.
  private var gaps: [String] {
    let others = incomplete.filter { _, reasons in reasons.allSatisfy { $0.severity == .note } }
    return Self.some(others, "catalogs may lack strings", "catalog may lack strings") { path, reasons in
      guard let reason = reasons.first else { return path.text }
      return reason.sentence
    }
  }

  /// Describes files of translations that the counts cannot include: plural forms that the app shows but no catalog contains, and files that are in
  /// no build.
  /// - Parameter languages: the checked languages and their fallbacks.
  package static func unjudged(in languages: Set<LocaleIdentifier>, of project: ProjectDescription) -> [String] {
    let files = project.unjudged.filter { path in
      LocaleIdentifier(regionName: path.parent.stem).map(languages.contains) ?? false
    }
    return some(
      files, "files of plural forms are not counted, because the source language has none",
      "file of plural forms is not counted, because the source language has none"
    ) { $0.text }.map { $0 + "; add the file for \(project.sourceLanguage)" } + unbuilt(in: languages, of: project)
  }

  /// Describes files of translations that the project does not list. No product contains these files. Files of tests are ignored.
  private static func unbuilt(in languages: Set<LocaleIdentifier>, of project: ProjectDescription) -> [String] {
    let files = project.catalogs.filter { !$0.targets.isEmpty }.flatMap { catalog in
      catalog.localizations.filter { languages.contains($0.key) && catalog.unlisted.contains($0.value) }
        .map { (path: $0.value, name: catalog.path.name) }
    }.sorted { $0.path < $1.path }
    return some(
      files, "files of translations are in no product, because the project does not list them",
      "file of translations is in no product, because the project does not list it"
    ) { "\($0.path); add it to the localizations of \($0.name) in Xcode, or remove it" }
  }

  /// Descriptions of catalogs that are not counted, because their source language is not that of the project.
  package var ofOtherSources: [String] {
    let source = project.sourceLanguage
    return Self.some(
      project.catalogsOfOtherSources.filter { catalogs[$0.path] != nil },
      "catalogs are not translated into \(source), the source language of the project",
      "catalog is not translated into \(source), the source language of the project"
    ) { "\($0.path): its source language is \($0.sourceLanguage)" }.map {
      $0 + "; translate one of the languages in a separate pipeline (extract.exclude)"
    }
  }

  /// Describes the unreadable files of the checked languages. The counts of these languages may be wrong.
  /// - Parameter languages: the checked languages and their fallbacks.
  package static func unread(in languages: Set<LocaleIdentifier>, of catalogs: [TreePath: Catalog]) -> [String] {
    let faults = catalogs.values.flatMap { catalog in
      catalog.unread.filter { languages.contains($0.key) }.map {
        $0.value.placeAndMessage ?? "\(catalog.path): \($0.key)"
      }
    }
    return some(faults.sorted(), "files of translations are unreadable", "file of translations is unreadable") { $0 }
  }

  /// Descriptions of string tables that targets list but that do not exist. Their strings are not counted.
  private var missingTables: [String] {
    let missing = project.targets.filter(\.isTranslated).flatMap(\.missingTables)
    return Self.some(missing, "targets lack string tables", "target lacks string tables") { $0.placeAndMessage }
  }

  /// Descriptions of targets without a catalog whose sources are not all known. Their strings are not counted. Targets that are never translated,
  /// such as tests, are ignored.
  private var unknownTargets: [String] {
    let targets = project.targets.filter { $0.isTranslated && $0.catalogs.isEmpty }
    return Self.some(
      targets.compactMap(\.unknownSources.first), "targets without a catalog may have strings",
      "target without a catalog may have strings"
    ) { $0.sentence }
  }

  /// The catalogs that people maintain by hand outside all targets, such as the texts of a store page. They cannot lack strings of the code.
  private var apart: Set<TreePath> {
    Set(
      project.catalogs.filter { $0.targets.isEmpty }.map(\.path).filter { path in
        guard let entries = catalogs[path]?.entries, !entries.isEmpty else { return false }
        return entries.values.allSatisfy { $0.extractionState == .manual }
      })
  }

  /// Describes strings of the code that the counts do not include, because they are in no catalog or only in files of other languages.
  private func unheld(_ inStep: CatalogsInStep) -> [String] {
    let without = without(inStep) { _ in true }
    let inOtherFiles = without.filter { catalogs[$0.catalog]?.entries[$0.key] != nil }
    return unheld(Self.units(inStep, .added) + without.filter { catalogs[$0.catalog]?.entries[$0.key] == nil })
      + unsourced(inOtherFiles) + unplaced
  }

  /// Returns the units with this kind of change.
  private static func units(_ inStep: CatalogsInStep, _ kind: SyncChange.Kind) -> [UnitID] {
    inStep.changes.flatMap { path, changes in
      changes.filter { $0.kind == kind }.map { UnitID(catalog: path, key: $0.key) }
    }.sorted()
  }

  /// Describes why the counts of the committed catalogs do not match the code. Strings may be in no catalog, or be in code again although their
  /// catalog marks them as stale. Source texts may have changed after they were translated.
  package func ahead(_ inStep: CatalogsInStep) -> [String] {
    func name(_ unit: UnitID) -> String { "\(unit.catalog): \(Self.quoted(unit.key))" }
    return unheld(inStep)
      + Self.some(
        Self.units(inStep, .revived), "strings of the code are stale in their catalogs",
        "string of the code is stale in its catalog", name)
      + Self.some(
        Self.units(inStep, .sourceChanged), "source texts in the code differ from those in the catalogs",
        "source text in the code differs from that in the catalog", name)
  }

  /// Returns the strings of the code that have no catalog, or that are missing from a catalog that sync does not change. Unreadable catalogs, and
  /// catalogs whose strings are unknown, are skipped.
  private func without(_ inStep: CatalogsInStep, in isJudged: (TreePath) -> Bool) -> [UnitID] {
    extraction.strings.filter { string in
      guard unreadable[string.catalog] == nil, isJudged(string.catalog),
        !inStep.unplaceable.contains(string.catalog)
      else { return false }
      guard let catalog = catalogs[string.catalog] else { return !pluralTables.hold(string) }
      return inStep.changes[string.catalog] == nil && !isHeld(string, in: catalog)
    }.map { UnitID(catalog: $0.catalog, key: $0.key) }
  }

  /// Returns whether a string is counted in a catalog. In tables with one file for each language, a key must be in the source language's file or in
  /// the `.stringsdict` of the same table.
  private func isHeld(_ string: ExtractedString, in catalog: Catalog) -> Bool {
    if catalog.path.holdsAllLanguages { return catalog.entries[string.key] != nil }
    return catalog.entries[string.key]?.translations[catalog.sourceLanguage] != nil || pluralTables.hold(string)
  }

  /// Describes strings of the code that are in files of other languages of their table, but not in the source language's file.
  private func unsourced(_ units: [UnitID]) -> [String] {
    Self.some(
      units, "strings of the code are only in the files of other languages",
      "string of the code is only in the files of other languages"
    ) { unit in
      let languages = catalogs[unit.catalog]?.entries[unit.key]?.translations.keys.map(\.rawValue).sorted() ?? []
      return Self.named(unit.key, extraction.strings.first { $0.catalog == unit.catalog && $0.key == unit.key })
        + " (\(languages.joined(separator: ", "))); \(unit.catalog), the file of the source language, lacks it"
    }.map { $0 + ": " + nextStep(units[0].catalog) }
  }

  /// Returns the reasons why a check of the catalogs against the code cannot pass although no catalog would change.
  package func uncompared(_ inStep: CatalogsInStep) -> [String] {
    let without = without(inStep, in: isKeptInStep)
    let faults = unheld(without) + unplaced
    guard faults.isEmpty else { return faults }
    guard unreadable.isEmpty, !project.targets.isEmpty, !catalogs.keys.contains(where: isKeptInStep) else { return [] }
    return ["no String Catalog found"]
  }

  /// Descriptions of strings whose targets have no catalog.
  private var unplaced: [String] {
    Self.some(
      extraction.unplaced.filter { !pluralTables.hold($0) },
      "strings of the code are in no catalog, because their targets have none",
      "string of the code is in no catalog, because its target has none"
    ) { Self.named($0.key, $0) }.map { $0 + "; `dragoman init` creates one" }
  }

  private func unheld(_ units: [UnitID]) -> [String] {
    Self.some(units, "strings of the code are in no catalog", "string of the code is in no catalog") { unit in
      Self.named(unit.key, extraction.strings.first { $0.catalog == unit.catalog && $0.key == unit.key })
    }.map { $0 + "; " + nextStep(units[0].catalog) }
  }

  /// Returns the step with which a person adds strings of the code to their catalog.
  private func nextStep(_ catalog: TreePath) -> String {
    // Dragoman does not add keys to the files of a strings table; people do.
    guard isKeptInStep(catalog) else {
      return "add them to the files of the table, or let `dragoman convert` make a String Catalog of it"
    }
    return catalogs[catalog] == nil
      ? "`dragoman init` creates the catalog" : "`dragoman sync` adds strings to existing catalogs"
  }

  /// Returns a key with its first location in code.
  private static func named(_ key: UnitKey, _ string: ExtractedString?) -> String {
    (string?.sites.min().map { "\($0.path):\($0.line): " } ?? "") + quoted(key)
  }

  /// Returns a key in quotation marks, shortened if it is long.
  private static func quoted(_ key: UnitKey) -> String { key.text.cutForMessage.debugDescription }

  /// Returns text such as `3 catalogs are unreadable; the first: …`, or an empty array if there are no elements.
  static func some<Element>(
    _ elements: [Element], _ many: String, _ one: String, _ place: (Element) -> String
  ) -> [String] {
    guard let first = elements.first else { return [] }
    return [
      elements.count == 1 ? "1 \(one): \(place(first))" : "\(elements.count) \(many); the first: \(place(first))"
    ]
  }
}

extension Diagnostic {
  var placeAndMessage: String { "\(place): \(message)" }

  /// The diagnostic as a sentence with its location and the next step, for a verdict.
  var sentence: String { placeAndMessage + (hint.map { "; \($0)" } ?? "") }
}

extension InputFault {
  /// The location and message of the first fault.
  package var placeAndMessage: String? { diagnostics.first?.placeAndMessage }
}

extension String {
  /// The text, shortened to at most 200 Unicode scalars.
  package var cutForMessage: String {
    let scalars = unicodeScalars
    return scalars.count > 200 ? String(String.UnicodeScalarView(scalars.prefix(199))) + "…" : self
  }
}
