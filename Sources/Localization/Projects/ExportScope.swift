/// The scope of an export: an Xcode project or workspace, or a tree without one.
///
/// Paths in bundles (`original` of a `<file>`) are relative to the project's folder, with `../` for files outside it (xcode-formats.md B1;
/// exports of Xcode 15.0 and, in Fred78290/caker, 26.4).
package struct ExportScope: Hashable, Sendable {
  /// The name of the project in bundles: `App.xcodeproj`, `App.xcworkspace` or the name of a repository; empty if unknown.
  package var name: String
  /// The folder of the project.
  package var folder: TreePath
  /// The `project.pbxproj` files whose targets are exported with their dependencies; `nil` for the whole tree.
  package var projects: Set<TreePath>?

  package init(name: String, folder: TreePath = .root, projects: Set<TreePath>? = nil) {
    self.name = name
    self.folder = folder
    self.projects = projects
  }

  /// Returns the path from the project's folder to a file of the tree, for `<file original>`.
  package func original(of path: TreePath) -> String {
    var above = folder
    var steps = 0
    while !path.isWithin(above) {
      above = above.parent
      steps += 1
    }
    return String(repeating: "../", count: steps) + (path.relative(to: above) ?? path).text
  }
}

extension ProjectDescription {
  /// Returns the description reduced to the targets of some Xcode projects, their dependencies and their catalogs.
  package func restricted(to projects: Set<TreePath>) -> ProjectDescription {
    let kept = needed(
      by: targets.filter { if case .xcode(let path) = $0.kind { projects.contains(path) } else { false } })
    var restricted = self
    restricted.targets.removeAll { !kept.contains($0.id) }
    restricted.catalogs.removeAll { kept.isDisjoint(with: $0.targets) }
    restricted.unread = unread.filter { projects.contains($0) || $0.ending == "swift" }
    return restricted
  }
}
