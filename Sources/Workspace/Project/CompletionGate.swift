import CatalogFormats
package import Localization

/// Checks whether all strings and catalogs could be read and found, in addition to the completion counts.
package struct CompletionGate: Sendable {
  private let project: ProjectDescription
  private let catalogs: [TreePath: Catalog]
  private let unreadable: [TreePath: InputFault]
  private let extraction: Extraction
  private let isKeptInStep: @Sendable (TreePath) -> Bool
  private let pluralTables: PluralTables

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

  /// The reasons why a gate cannot judge this project, each with its location. A gate with any reason fails.
  package var obstacles: [String] {
    var found = faults
    if found.isEmpty, project.targets.isEmpty, project.catalogs.isEmpty, unreadable.isEmpty {
      found.append("no project found: no Package.swift, no Xcode project, no catalog")
    }
    return found + unreadSources + gaps + missingTables + unknownTargets
      + BuildObstacles.all(of: project, catalogs)
  }

  /// The faults because of which source texts may be missing: projects, catalogs, files of the source language, and sources that feed
  /// catalogs. Two commits cannot be compared if one of them has any of these faults.
  package var unread: [String] {
    faults + Self.unread(in: [project.sourceLanguage], of: catalogs) + unreadSources
  }

  /// The project and the catalogs that cannot be read.
  private var faults: [String] {
    let first = project.diagnostics.first { $0.severity == .error }
    return
      (first.map { ["the project is unreadable: \($0.sentence)"] } ?? [])
      + Self.some(unreadable.sorted { $0.key < $1.key }, "catalogs are unreadable", "catalog is unreadable") {
        $0.value.placeAndMessage ?? $0.key.text
      }
  }

  /// Catalogs that may lack strings of the code.
  private var incomplete: [(key: TreePath, value: [Diagnostic])] {
    let apart = self.apart
    return extraction.incompleteCatalogs.filter { !apart.contains($0.key) }.sorted { $0.key < $1.key }
  }

  /// Catalogs that may lack strings of the code, because a source cannot be read.
  private var unreadSources: [String] {
    let unread = incomplete.compactMap { path, reasons in
      reasons.first { $0.severity != .note }.map { (path: path, reason: $0) }
    }
    return Self.some(
      unread, "catalogs may lack strings, because their sources are unreadable",
      "catalog may lack strings, because its sources are unreadable"
    ) { $0.reason.sentence }
  }

  /// Catalogs that may lack strings of the code for other reasons, each with its first reason.
  private var gaps: [String] {
    let others = incomplete.filter { _, reasons in reasons.allSatisfy { $0.severity == .note } }
    return Self.some(others, "catalogs may lack strings", "catalog may lack strings") { path, reasons in
      guard let reason = reasons.first else { return path.text }
      return reason.sentence
    }
  }

  /// Returns files of translations that say nothing about what an app shows: plural forms that it shows, but no catalog contains, and files
  /// that no build takes.
  /// - Parameter languages: those that are judged, and those that stand in for them.
  package static func unjudged(in languages: Set<LocaleIdentifier>, of project: ProjectDescription) -> [String] {
    let files = project.unjudged.filter { path in
      LocaleIdentifier(regionName: path.parent.stem).map(languages.contains) ?? false
    }
    return some(
      files, "files of plural forms are not counted, because the source language has none",
      "file of plural forms is not counted, because the source language has none"
    ) { $0.text }.map { $0 + "; add the file for \(project.sourceLanguage)" } + unbuilt(in: languages, of: project)
  }

  /// Returns files of translations that the project does not list, so that no product has them. Those of tests do not matter.
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

  /// Catalogs that are not counted in the project's source language, because theirs is another one.
  package var ofOtherSources: [String] {
    let source = project.sourceLanguage
    return Self.some(
      project.catalogsOfOtherSources.filter { catalogs[$0.path] != nil },
      "catalogs are not translated into \(source), the source language of the project",
      "catalog is not translated into \(source), the source language of the project"
    ) { "\($0.path): its source language is \($0.sourceLanguage)" }.map {
      $0 + "; leave one of the languages to a pipeline of its own (extract.exclude)"
    }
  }

  /// Returns the files of languages that cannot be read, so that the figures of these languages may be wrong.
  /// - Parameter languages: those that are judged, and those that stand in for them.
  package static func unread(in languages: Set<LocaleIdentifier>, of catalogs: [TreePath: Catalog]) -> [String] {
    let faults = catalogs.values.flatMap { catalog in
      catalog.unread.filter { languages.contains($0.key) }.map {
        $0.value.placeAndMessage ?? "\(catalog.path): \($0.key)"
      }
    }
    return some(faults.sorted(), "files of translations are unreadable", "file of translations is unreadable") { $0 }
  }

  /// String tables that targets list and that are missing, so that their strings are not counted.
  private var missingTables: [String] {
    let missing = project.targets.filter(\.isTranslated).flatMap(\.missingTables)
    return Self.some(missing, "targets lack string tables", "target lacks string tables") { $0.placeAndMessage }
  }

  /// Targets without a catalog whose sources are not all known: their strings are in no count. Targets that are never translated, such as
  /// tests, do not matter.
  private var unknownTargets: [String] {
    let targets = project.targets.filter { $0.isTranslated && $0.catalogs.isEmpty }
    return Self.some(
      targets.compactMap(\.unknownSources.first), "targets without a catalog may have strings",
      "target without a catalog may have strings"
    ) { $0.sentence }
  }

  /// Catalogs that people keep by hand, outside all targets, such as the texts of a page in a store: code has nothing that they lack.
  private var apart: Set<TreePath> {
    Set(
      project.catalogs.filter { $0.targets.isEmpty }.map(\.path).filter { path in
        guard let entries = catalogs[path]?.entries, !entries.isEmpty else { return false }
        return entries.values.allSatisfy { $0.extractionState == .manual }
      })
  }

  /// Describes strings of the code that no catalog contains. They are missing from the counts.
  private func unheld(_ inStep: CatalogsInStep) -> [String] {
    let without = without(inStep) { _ in true }
    let inOtherFiles = without.filter { catalogs[$0.catalog]?.entries[$0.key] != nil }
    return unheld(Self.units(inStep, .added) + without.filter { catalogs[$0.catalog]?.entries[$0.key] == nil })
      + unsourced(inOtherFiles) + unplaced
  }

  /// Returns the units with a change of a kind.
  private static func units(_ inStep: CatalogsInStep, _ kind: SyncChange.Kind) -> [UnitID] {
    inStep.changes.flatMap { path, changes in
      changes.filter { $0.kind == kind }.map { UnitID(catalog: path, key: $0.key) }
    }.sorted()
  }

  /// Returns why the counts of the committed catalogs do not match the code: strings in no catalog; strings that are in code again but not
  /// counted, because their catalog marks them as stale; changed source texts, whose translations are of an older text.
  package func ahead(_ inStep: CatalogsInStep) -> [String] {
    func name(_ unit: UnitID) -> String { "\(unit.catalog): \(Self.quoted(unit.key))" }
    return unheld(inStep)
      + Self.some(
        Self.units(inStep, .revived), "strings of the code are stale in their catalogs",
        "string of the code is stale in its catalog", name)
      + Self.some(
        Self.units(inStep, .sourceChanged), "source texts of the code differ from their catalogs'",
        "source text of the code differs from its catalog's", name)
  }

  /// Returns the strings of the code for which there is no catalog at all, or none that sync changes.
  private func without(_ inStep: CatalogsInStep, in isJudged: (TreePath) -> Bool) -> [UnitID] {
    extraction.strings.filter { string in
      guard unreadable[string.catalog] == nil, isJudged(string.catalog),
        !inStep.unplaceable.contains(string.catalog)
      else { return false }
      guard let catalog = catalogs[string.catalog] else { return !pluralTables.hold(string) }
      return inStep.changes[string.catalog] == nil && !isHeld(string, in: catalog)
    }.map { UnitID(catalog: $0.catalog, key: $0.key) }
  }

  /// Returns whether a catalog counts a string. In tables with one file for each language, only keys of the source language's file count;
  /// those that the `.stringsdict` of the same table has count there.
  private func isHeld(_ string: ExtractedString, in catalog: Catalog) -> Bool {
    if catalog.path.holdsAllLanguages { return catalog.entries[string.key] != nil }
    return catalog.entries[string.key]?.translations[catalog.sourceLanguage] != nil || pluralTables.hold(string)
  }

  /// Describes strings of the code that the source language's file of their table lacks, although files of other languages have them.
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

  /// Strings of targets that have no catalog.
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

  /// Returns what a person does to add strings of the code to their catalog.
  private func nextStep(_ catalog: TreePath) -> String {
    // Only people add to the files of a strings table.
    guard isKeptInStep(catalog) else {
      return "add them to the files of the table, or let `dragoman convert` make a String Catalog of it"
    }
    return catalogs[catalog] == nil
      ? "`dragoman init` creates the catalog" : "`dragoman sync` adds strings to existing catalogs"
  }

  /// Returns a key with the first place in code that has it.
  private static func named(_ key: UnitKey, _ string: ExtractedString?) -> String {
    (string?.sites.min().map { "\($0.path):\($0.line): " } ?? "") + quoted(key)
  }

  /// Returns a key in quotation marks, cut if it is long.
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

  /// With its place and the next step, for a verdict.
  var sentence: String { placeAndMessage + (hint.map { "; \($0)" } ?? "") }
}

extension InputFault {
  /// The location of the first fault, and what is wrong there.
  package var placeAndMessage: String? { diagnostics.first?.placeAndMessage }
}

extension String {
  /// At most 200 scalars of a text of any length.
  package var cutForMessage: String {
    let scalars = unicodeScalars
    return scalars.count > 200 ? String(String.UnicodeScalarView(scalars.prefix(199))) + "…" : self
  }
}
