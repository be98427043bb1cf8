/// What an export is of: an Xcode project or workspace, from whose folder the paths of its bundles start, or a tree that has none.
///
/// An `original` leads from the folder of the project to the file, by `../` where that lies above or beside it (xcode-formats.md B1;
/// exports of Xcode 15.0 and, in Fred78290/caker, 26.4).
package struct ExportScope: Hashable, Sendable {
  /// What the bundles say they are of: `App.xcodeproj`, `App.xcworkspace`, the name of a repository; empty where nothing tells.
  package var name: String
  /// The folder that holds the project.
  package var folder: TreePath
  /// The `project.pbxproj` files whose targets count, with what they depend on; `nil`: everything in the tree.
  package var projects: Set<TreePath>?

  package init(name: String, folder: TreePath = .root, projects: Set<TreePath>? = nil) {
    self.name = name
    self.folder = folder
    self.projects = projects
  }

  /// The way from the project's folder to a file of the tree, as `<file original>` has it.
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
  /// The project with the targets of some Xcode projects and those that they need, and with the catalogs of these.
  package func restricted(to projects: Set<TreePath>) -> ProjectDescription {
    let kept = needed(
      by: targets.filter { if case .xcode(let path) = $0.kind { projects.contains(path) } else { false } })
    var restricted = self
    restricted.targets.removeAll { !kept.contains($0.id) }
    restricted.catalogs.removeAll { kept.isDisjoint(with: $0.targets) }
    return restricted
  }
}
