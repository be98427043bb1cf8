package import Localization

/// The units of the newest commits of the watched branches.
private struct UnitsInUse {
  let heads: [WatchedHead]
  let renames: [TreePath: TreePath]
  /// The files that use each unit, for each head; empty if not requested.
  private var uses: [[UnitID: Set<TreePath>]] = []

  private init(heads: [WatchedHead], renames: [TreePath: TreePath]) {
    self.heads = heads
    self.renames = renames
  }

  /// Reads the heads of the watched branches.
  /// - Parameter used: the units for which to find the files that use them.
  static func load(_ context: PipelineContext, usesOf used: Set<UnitID> = []) async throws -> UnitsInUse {
    var inUse = UnitsInUse(
      heads: try await WatchedHeads.load(context), renames: try await context.store.renames(of: context.name))
    guard !used.isEmpty else { return inUse }
    let wanted = Set(
      used.flatMap { unit in inUse.renames.allNames(of: unit.catalog).map { UnitID(catalog: $0, key: unit.key) } })
    inUse.uses = inUse.heads.map { $0.snapshot?.uses(of: wanted) ?? [:] }
    return inUse
  }

  /// Returns whether a unit is or may be on a watched branch. A branch that cannot be read counts as having the unit.
  func contains(_ unit: UnitID) -> Bool {
    let names = renames.allNames(of: unit.catalog)
    return heads.contains { head in
      guard let snapshot = head.snapshot else { return true }
      return names.contains { snapshot.isUncertain($0) || snapshot.synced[$0]?.entries[unit.key] != nil }
    }
  }

  /// Returns the comment of a unit, with the files that use it on all branches; `nil` if the branches have different comments, if no branch
  /// has the unit, or if a branch or the catalog cannot be read.
  func comment(of unit: UnitID) -> UnitComment? {
    var found: UnitComment?
    var files: Set<TreePath> = []
    for (number, head) in heads.enumerated() {
      guard let snapshot = head.snapshot else { return nil }
      for name in renames.allNames(of: unit.catalog) {
        guard !snapshot.isUncertain(name) else { return nil }
        if uses.indices.contains(number) {
          files.formUnion(uses[number][UnitID(catalog: name, key: unit.key)] ?? [])
        }
        guard let catalog = snapshot.synced[name], let entry = catalog.entries[unit.key] else { continue }
        let comment = UnitComment(text: entry.comment, sourceLanguage: catalog.sourceLanguage)
        guard found == nil || found == comment else { return nil }
        found = comment
      }
    }
    found?.uses = files
    return found
  }
}

extension PipelineContext {
  /// Returns the comments of the units for which all watched branches have the same comment.
  /// - Parameter withUses: whether each comment lists the files that use its unit.
  func comments(of units: Set<UnitID>, withUses: Bool) async throws -> [UnitID: UnitComment] {
    guard !units.isEmpty else { return [:] }
    let inUse = try await UnitsInUse.load(self, usesOf: withUses ? units : [])
    return Dictionary(uniqueKeysWithValues: units.compactMap { unit in inUse.comment(of: unit).map { (unit, $0) } })
  }

  /// Returns the units that a vendor has: the outstanding units, and the units that the vendor has returned and whose removal was not
  /// reported to the vendor.
  func units(at vendor: String) async throws -> Set<UnitID> {
    var units = Set(try await store.returnedUnits(of: name, vendor: vendor, retired: false).keys)
    for (record, _) in try await store.outstandingShipments(of: name, vendor: vendor) {
      units.formUnion(record.units.map(\.unit))
    }
    return units
  }

  /// Returns the units that are certainly not in the newest commit of any watched branch, each with the paths of all forms that were
  /// sent to the vendor.
  package func unused(
    among units: some Sequence<UnitID>, at vendor: String
  ) async throws -> [UnitID: Set<VariationPath>] {
    let inUse = try await UnitsInUse.load(self)
    let gone = Set(units.filter { !inUse.contains($0) })
    var paths = Dictionary(uniqueKeysWithValues: gone.map { ($0, Set<VariationPath>()) })
    // The forms of a source text are the same in all languages, and a unit may have been sent in any language.
    for language in Set(definition.languages ?? []).union(inUse.heads.languages).sorted() {
      let keys = Set(paths.filter(\.value.isEmpty).map(\.key.key))
      guard !keys.isEmpty else { break }
      for record in try await store.sentUnits(of: name, vendor: vendor, language: language, keys: keys) {
        for catalog in [record.sentCatalog, record.unit.catalog] {
          paths[UnitID(catalog: catalog, key: record.unit.key)]?.formUnion(record.paths)
        }
      }
    }
    return paths
  }
}
