import Localization
import StructuredText

/// Where the files and groups of a project lie: groups nest, and each path stands relative to its group, the project or the disk.
struct ProjectPaths: Sendable {
  /// By the object's node; what lies outside the repository, or is no file of it, is not there.
  private var paths: [OldStyleNode: TreePath] = [:]
  /// The groups that stand for a folder with all that lies in it, in the order of the project.
  private(set) var synchronizedGroups: [OldStyleNode] = []
  /// Every file reference of the groups, in the order of the project.
  private(set) var files: [OldStyleNode] = []
  /// The group that holds a file.
  private(set) var groups: [OldStyleNode: OldStyleNode] = [:]
  private(set) var diagnostics: [Diagnostic] = []
  /// Whatever the groups hold.
  private var seen: Set<OldStyleNode> = []
  private let objects: ProjectObjects
  private let sourceRoot: TreePath?

  /// Groups within groups at most; Xcode's own interface makes no use of more than a few dozen.
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
            objects.note("a group names a missing object: \(objects.list.text(reference))", at: reference))
          continue
        }
        guard seen.insert(child).inserted else {
          diagnostics.append(objects.note("an object is in two groups, or in itself", at: reference))
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

  /// Where a file or group lies; `nil` outside the repository.
  subscript(element: OldStyleNode) -> TreePath? {
    // One that no group holds can only stand relative to the project.
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
