import Localization

/// The catalogs that no target of a package or an Xcode project includes, and the `.strings` files that replace missing catalogs
/// (`StringTables.standIns`), indexed by the folders above them.
struct FolderCatalogs {
  /// The catalogs below each folder, by table.
  private var below: [TreePath: [String: [TreePath]]] = [:]
  let all: [TreePath]

  init(_ catalogs: [TreeEntry], regions: Regions) {
    all = catalogs.map(\.path)
    for path in all {
      // Inside a package, a catalog is visible only within that package, or within the innermost project that contains it, such as an example or a
      // test host. Outside packages, a project can also build sources from folders above its own folder.
      let top = regions.package(of: path.parent) == nil ? .root : regions.top(of: path.parent)
      var folder = path.parent
      while true {
        below[folder, default: [:]][path.stem, default: []].append(path)
        if folder == top || folder.isRoot { break }
        folder = folder.parent
      }
    }
  }

  /// Returns the nearest folder, at or above this folder, with a catalog below it; `nil` if there is none up to `top`.
  func home(of folder: TreePath, upTo top: TreePath) -> TreePath? {
    var folder = folder
    while below[folder] == nil {
      guard folder != top, !folder.isRoot else { return nil }
      folder = folder.parent
    }
    return folder
  }

  /// Returns every table that sources in a folder can use, with the table's catalogs below the nearest folder that contains a catalog of the table.
  func tables(from folder: TreePath, upTo top: TreePath) -> [String: [TreePath]] {
    var found = below[folder] ?? [:]
    var folder = folder
    while folder != top, !folder.isRoot {
      folder = folder.parent
      found.merge(below[folder] ?? [:]) { nearer, _ in nearer }
    }
    return found
  }
}
