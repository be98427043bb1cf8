package import Localization

/// Extraction of the strings of code.
extension ProjectSnapshot {
  /// A closure that waits until another thread has read the catalogs, and returns them.
  package typealias AwaitedCatalogs = @Sendable () throws -> [TreePath: Catalog]

  /// Reads the strings of code into `extraction`.
  /// - Parameter findsUnplaced: whether strings of targets without a catalog are read too (`Extraction.unplaced`), as a gate, `sync --check` and
  ///   `init` require.
  package mutating func extract(
    _ options: ExtractionOptions, cache: (any FactCache)? = nil, findsUnplaced: Bool = false
  ) throws {
    let catalogs = catalogs
    extraction = try strings(options, cache: cache, findsUnplaced: findsUnplaced) { catalogs }
  }

  /// Finds the strings of code.
  /// - Parameter catalogs: returns the catalogs of the tree, after waiting for them if necessary.
  package func strings(
    _ options: ExtractionOptions, cache: (any FactCache)?, findsUnplaced: Bool, _ catalogs: @escaping AwaitedCatalogs
  ) throws -> Extraction {
    let without = findsUnplaced ? project.targetsWithoutCatalog : []
    var extraction = try tools.extractor.extract(
      project.feeding(without), from: tree,
      existing: { [tools] in try catalogs().filter { tools.isKeptInStep($0.key) } }, options: options, cache: cache)
    if !without.isEmpty { separate(without, in: &extraction, try catalogs()) }
    return extraction
  }

  /// Moves the strings of targets without a catalog to `Extraction.unplaced`, where they change no catalog. Strings of Info.plists, and strings whose
  /// texts are in the table of another target, are only removed.
  private func separate(
    _ without: Set<TargetID>, in extraction: inout Extraction, _ catalogs: [TreePath: Catalog]
  ) {
    let known = Set(project.catalogs.map(\.path))
    let isPlaced = { (string: ExtractedString) in
      known.contains(string.catalog) || !without.isSuperset(of: string.targets)
    }
    // Code of a library may use texts that are in the table of the app that uses the library. Code of an extension finds only the texts of its own
    // bundle and of its libraries. However, a file that the extension shares with the app may show a text only in the app.
    var keys: [String: Set<UnitKey>] = [:]
    for catalog in catalogs.values { keys[catalog.path.stem, default: []].formUnion(catalog.entries.keys) }
    var shared: [UnitKey: Set<ExtractionSite>] = [:]
    for string in extraction.strings where isPlaced(string) {
      keys[string.table, default: []].insert(string.key)
      shared[string.key, default: []].formUnion(string.sites)
    }
    let byID = TargetClosure.byID(project)
    var extensions: [TargetID: Set<TreePath>] = [:]
    for target in without.compactMap({ byID[$0] }) where target.isExtension {
      extensions[target.id] = Set(TargetClosure.closure(of: [target], in: byID).flatMap(\.catalogs.values))
    }
    func isElsewhere(_ string: ExtractedString) -> Bool {
      guard keys[string.table]?.contains(string.key) == true else { return false }
      if shared[string.key].map({ $0.isSuperset(of: string.sites) }) ?? false { return true }
      return string.targets.compactMap { extensions[$0] }.allSatisfy { paths in
        paths.contains { $0.stem == string.table && catalogs[$0]?.entries[string.key] != nil }
      }
    }
    let unplaced = extraction.strings.filter { string in
      // Only a person knows whether names in an Info.plist should be translated.
      !isPlaced(string) && !TablePlaces.isInfoPlist(string.table) && !isElsewhere(string)
    }
    extraction.strings.removeAll { !isPlaced($0) }
    extraction.unplaced = unplaced
    let fed = known.union(extraction.strings.map(\.catalog))
    extraction.incompleteCatalogs = extraction.incompleteCatalogs.filter { fed.contains($0.key) }
    extraction.uncertainKeys = extraction.uncertainKeys.filter { fed.contains($0.key) }
  }

  /// Reads a tree for `Advice`. The traits of each Swift file (`CodeTraits`) are determined when extraction reads the file.
  /// - Parameters:
  ///   - excluded: the path patterns of files that are skipped.
  ///   - memory: a cache of catalogs that were read before.
  package static func forReview(
    _ tree: some SourceTree, with tools: ProjectTools, excluding excluded: [String] = [],
    memory: CatalogMemory? = nil, _ options: ExtractionOptions, cache: (any FactCache)? = nil
  ) throws -> ProjectSnapshot {
    let screened = ScreenedReads(tree, for: tools.reviewer)
    var snapshot = try ProjectSnapshot(
      tree, for: .comparison, with: tools, excluding: excluded, memory: memory, threads: options.threads
    ) { described, catalogs in
      try tools.extractor.extract(
        described.project, from: screened,
        existing: { try catalogs().filter { tools.isKeptInStep($0.key) } }, options: options, cache: cache)
    }
    snapshot.traits = screened.traits
    return snapshot
  }
}
