import Localization
import StructuredText

/// The paths of a project's files and groups. Groups can be nested. Each path is relative to its group, to the project, or to a place outside the
/// repository, such as the SDK.
struct ProjectPaths: Sendable {
  /// The paths by the object's node. Objects outside the repository are omitted.
  private var paths: [OldStyleNode: TreePath] = [:]
  /// The synchronized groups, which include a folder with all its content, in the order of the project.
  private(set) var synchronizedGroups: [OldStyleNode] = []
  /// Every file reference of the groups, in the order of the project.
  private(set) var files: [OldStyleNode] = []
  /// The group that contains each file or group.
  private(set) var groups: [OldStyleNode: OldStyleNode] = [:]
  private(set) var diagnostics: [Diagnostic] = []
  /// All elements of the groups.
  private var seen: Set<OldStyleNode> = []
  private let objects: ProjectObjects
  private let sourceRoot: TreePath?

  /// The maximum nesting depth of groups. Projects made in Xcode use at most a few dozen levels.
  private static let mostLevels = 256

  init(_ objects: ProjectObjects, sourceRoot: TreePath?) {
    self.objects = objects
    self.sourceRoot = sourceRoot
    guard let main = objects.object("mainGroup", of: objects.root) else {
      diagnostics.append(objects.note("the project has no main group", at: objects.root, severity: .warning))
      return
    }
    seen = [main]
    var pending: [(element: OldStyleNode, folder: TreePath?, level: Int)] = [(main, sourceRoot, 0)]
    while let (element, folder, level) = pending.popLast() {
      let path = place(of: element, in: folder)
      if let path { paths[element] = path }
      if objects.isKind("PBXFileReference", element) {
        files.append(element)
      } else if objects.isKind("PBXFileSystemSynchronizedRootGroup", element) {
        synchronizedGroups.append(element)
      }
      var children: [OldStyleNode] = []
      for reference in objects.references("children", of: element) {
        guard let child = objects.object(reference) else {
          diagnostics.append(
            objects.note("a group references a missing object: \(objects.list.text(reference))", at: reference))
          continue
        }
        guard seen.insert(child).inserted else {
          diagnostics.append(objects.note("an object is in two groups or contains itself", at: reference))
          continue
        }
        groups[child] = element
        children.append(child)
      }
      guard level < Self.mostLevels || children.isEmpty else {
        diagnostics.append(
          objects.note(
            "groups are nested more than \(Self.mostLevels) levels deep; deeper ones are ignored", at: element,
            severity: .warning))
        continue
      }
      for child in children.reversed() { pending.append((child, path, level + 1)) }
    }
  }

  /// The path of a file or group; `nil` if it is outside the repository.
  subscript(element: OldStyleNode) -> TreePath? {
    // An element outside all groups can only be relative to the project.
    paths[element] ?? (seen.contains(element) ? nil : place(of: element, in: sourceRoot))
  }

  private func place(of element: OldStyleNode, in folder: TreePath?) -> TreePath? {
    let path = objects.text("path", of: element) ?? ""
    let base: TreePath?
    switch objects.text("sourceTree", of: element) ?? "<group>" {
    case "<group>": base = folder
    case "SOURCE_ROOT": base = sourceRoot
    default: return nil
    }
    guard let base, !path.hasPrefix("/") else { return nil }
    return path.isEmpty ? base : TreePath(checking: base.appending(path).text)
  }
}
