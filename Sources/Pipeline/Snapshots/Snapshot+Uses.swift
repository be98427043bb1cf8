import Localization

extension Snapshot {
  /// Returns the source files that use these units. Units that no file uses are left out.
  func uses(of units: Set<UnitID>) -> [UnitID: Set<TreePath>] {
    var uses: [UnitID: Set<TreePath>] = [:]
    for string in found {
      let unit = UnitID(catalog: string.catalog, key: string.key)
      if units.contains(unit) { uses[unit, default: []].formUnion(string.sites.map(\.path)) }
    }
    return uses
  }
}
