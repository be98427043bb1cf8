package import Localization

/// The strings of code.
extension ProjectSnapshot {
  /// Waits until the catalogs are read, which another thread does.
  package typealias AwaitedCatalogs = @Sendable () throws -> [TreePath: Catalog]

  /// Reads the strings of code.
  /// - Parameters:
  ///   - findsUnplaced: whether a gate or `init` follows: strings of targets without a catalog are read too (`Extraction.unplaced`).
  ///   - isForReview: whether `Advice` follows: the files that are read now are screened for it.
  package mutating func extract(
    _ options: ExtractionOptions, cache: (any FactCache)? = nil, findsUnplaced: Bool = false, isForReview: Bool = false
  ) throws {
    if isForReview { return try extractForReview(tree, options, cache) }
    let catalogs = catalogs
    extraction = try strings(options, cache: cache, findsUnplaced: findsUnplaced) { catalogs }
  }

  /// Finds the strings of code.
  /// - Parameter catalogs: waits for the catalogs that the tree has.
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

  /// Moves strings that were found in targets without a catalog to a place where they change no catalog.
  private func separate(
    _ without: Set<TargetID>, in extraction: inout Extraction, _ catalogs: [TreePath: Catalog]
  ) {
    let known = Set(project.catalogs.map(\.path))
    let isPlaced = { (string: ExtractedString) in
      known.contains(string.catalog) || !without.isSuperset(of: string.targets)
    }
    // Code of a library may name texts of the app that uses it: they are in the app's table.
    var keys: [String: Set<UnitKey>] = [:]
    for catalog in catalogs.values { keys[catalog.path.stem, default: []].formUnion(catalog.entries.keys) }
    for string in extraction.strings where isPlaced(string) { keys[string.table, default: []].insert(string.key) }
    let unplaced = extraction.strings.filter { string in
      // Only a person knows whether names in an Info.plist should be translated.
      !isPlaced(string) && !TablePlaces.isInfoPlist(string.table) && keys[string.table]?.contains(string.key) != true
    }
    extraction.strings.removeAll { !isPlaced($0) }
    extraction.unplaced = unplaced
    let fed = known.union(extraction.strings.map(\.catalog))
    extraction.incompleteCatalogs = extraction.incompleteCatalogs.filter { fed.contains($0.key) }
  }

  private mutating func extractForReview(
    _ tree: some SourceTree, _ options: ExtractionOptions, _ cache: (any FactCache)?
  ) throws {
    let screened = ScreenedReads(tree, for: tools.reviewer)
    extraction = try tools.extractor.extract(
      project, from: screened, existing: catalogsInCode, options: options, cache: cache)
    traits = screened.traits
  }
}
