import Localization

/// For each unit of a commit, the catalog that contained the unit in an earlier commit. Usually, this is the same catalog, possibly under a
/// former path. A unit counts as moved from another catalog if that catalog is the only one that lost a unit with the same key.
struct FormerPlaces {
  /// The catalogs' paths in the earlier commit, by their current paths.
  private var catalogs: [TreePath: TreePath] = [:]
  private var moved: [UnitID: TreePath] = [:]

  /// Compares the catalogs and units of a commit with those of an earlier commit.
  /// - Parameters:
  ///   - seen: the former paths of files that git detects as renamed.
  ///   - known: the renames of catalogs in the ledger.
  init(of snapshot: Snapshot, in former: Snapshot, seen: [TreePath: TreePath], known: [TreePath: TreePath]) {
    for path in snapshot.synced.keys {
      let candidates = [path] + (seen[path].map { [$0] } ?? []) + known.names(before: path)
      catalogs[path] = candidates.first { former.synced[$0] != nil }
    }
    var new: [UnitKey: [TreePath]] = [:]
    for (path, catalog) in snapshot.synced {
      let entries = catalogs[path].flatMap { former.synced[$0]?.entries }
      for key in catalog.entries.keys where entries?[key] == nil { new[key, default: []].append(path) }
    }
    guard !new.isEmpty else { return }
    var later: [TreePath: [TreePath]] = [:]
    for (path, place) in catalogs { later[place, default: []].append(path) }
    // The catalogs that lost a key of a new unit, by key.
    var left: [UnitKey: [TreePath]] = [:]
    for (path, catalog) in former.synced {
      let now = (later[path] ?? []).compactMap { snapshot.synced[$0] }
      for key in catalog.entries.keys
      where new[key] != nil && catalog.keeps(key) && !now.contains(where: { $0.keeps(key) }) {
        left[key, default: []].append(path)
      }
    }
    for (key, places) in left where places.count == 1 {
      for path in new[key] ?? [] { moved[UnitID(catalog: path, key: key)] = places[0] }
    }
  }

  /// The current paths of the catalogs that had another path in the earlier commit, by that earlier path.
  var renamed: [TreePath: TreePath] {
    Dictionary(
      catalogs.filter { $0.key != $0.value }.map { ($0.value, $0.key) }.sorted { $0 < $1 },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the path of the same catalog in the earlier commit; `nil` if the catalog is new.
  func catalog(before path: TreePath) -> TreePath? { catalogs[path] }

  /// Returns the catalog of the earlier commit from which a unit moved; `nil` if the unit did not move.
  func place(before unit: UnitID) -> TreePath? { moved[unit] }
}
