import Localization

/// The catalogs of a tree that no package claims, by the folders above them.
struct FolderCatalogs {
  /// For each folder the catalogs below it, by table.
  private var below: [TreePath: [String: [TreePath]]] = [:]
  let all: [TreePath]

  init(_ catalogs: [TreeEntry], regions: Regions) {
    all = catalogs.map(\.path)
    for path in all {
      // What lies in a package is seen from that package alone, and there only from the project that it is in: examples and test hosts.
      // Elsewhere a project may build sources that lie above it.
      let top = regions.package(of: path.parent) == nil ? .root : regions.top(of: path.parent)
      var folder = path.parent
      while true {
        below[folder, default: [:]][path.stem, default: []].append(path)
        if folder == top || folder.isRoot { break }
        folder = folder.parent
      }
    }
  }

  /// The nearest folder at or above this one that has a catalog below.
  func home(of folder: TreePath, upTo top: TreePath) -> TreePath? {
    var folder = folder
    while below[folder] == nil {
      guard folder != top, !folder.isRoot else { return nil }
      folder = folder.parent
    }
    return folder
  }

  /// Each table that can be reached from a folder, with the catalogs of it below the nearest folder that has any.
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
