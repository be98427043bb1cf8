import Localization

/// The catalogs of a tree that no package claims, by the folders above them.
struct FolderCatalogs {
  /// The catalogs below each folder, by table.
  private var below: [TreePath: [String: [TreePath]]] = [:]
  let all: [TreePath]

  init(_ catalogs: [TreeEntry], regions: Regions) {
    all = catalogs.map(\.path)
    for path in all {
      // Inside a package, a catalog is visible only within that package, or within the innermost project that contains it: examples and
      // test hosts. Elsewhere, a project can build sources from folders above it.
      let top = regions.package(of: path.parent) == nil ? .root : regions.top(of: path.parent)
      var folder = path.parent
      while true {
        below[folder, default: [:]][path.stem, default: []].append(path)
        if folder == top || folder.isRoot { break }
        folder = folder.parent
      }
    }
  }

  /// Returns the nearest folder, at or above this one, with a catalog below it.
  func home(of folder: TreePath, upTo top: TreePath) -> TreePath? {
    var folder = folder
    while below[folder] == nil {
      guard folder != top, !folder.isRoot else { return nil }
      folder = folder.parent
    }
    return folder
  }

  /// Returns every table that a folder can reach, with its catalogs below the nearest folder that has any.
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
