import Localization

extension Snapshot {
  /// The files of the code that use each unit.
  var uses: [UnitID: Set<TreePath>] {
    var uses: [UnitID: Set<TreePath>] = [:]
    for string in found {
      uses[UnitID(catalog: string.catalog, key: string.key), default: []].formUnion(string.sites.map(\.path))
    }
    return uses
  }
}
