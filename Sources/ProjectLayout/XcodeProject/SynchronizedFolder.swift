import Localization
import StructuredText

/// A group that stands for a folder with all that lies in it, and what its exceptions say.
struct SynchronizedFolder {
  /// What the exceptions say of one target.
  struct Exceptions {
    /// Files that change sides: out of a target that takes the folder, into one that does not.
    var membership = FileNames()
    /// Files that go to one phase of the target and to no other.
    var phases: [(phase: OldStyleNode, files: FileNames)] = []
  }

  /// Files and folders as an exception set names them, from the group's folder.
  struct FileNames {
    private var paths: Set<TreePath> = []
    /// Names without their `.lproj` folder: they mean the file in every such folder.
    private var localized: Set<TreePath> = []

    var isEmpty: Bool { paths.isEmpty && localized.isEmpty }

    /// `/Localized: Sub/Main.storyboard` (`/Localized/…` before Xcode 16) is that file in every `.lproj` folder of `Sub`.
    mutating func insert(_ text: String) {
      for mark in ["/Localized: ", "/Localized/"] where text.hasPrefix(mark) {
        if let path = TreePath(checking: String(text.dropFirst(mark.count))) { localized.insert(path) }
        return
      }
      if let path = TreePath(checking: text), !path.isRoot { paths.insert(path) }
    }

    func contains(_ path: TreePath) -> Bool {
      if !localized.isEmpty, path.isInLanguageFolder,
        localized.contains(path.parent.parent.appending(path.name))
      {
        return true
      }
      // What Xcode takes for one thing (a bundle, a folder that is copied) is named without what lies in it.
      var part = path
      while !part.isRoot {
        if paths.contains(part) { return true }
        part = part.parent
      }
      return false
    }
  }

  let node: OldStyleNode
  let path: TreePath
  /// By target; for phases by the target that has the phase.
  private(set) var exceptions: [OldStyleNode: Exceptions] = [:]
  /// Folders within that are copied as they are, from the group's folder.
  private(set) var explicitFolders = FileNames()
  /// File types that differ from what the name says.
  let fileTypes: [String: String]

  init?(_ node: OldStyleNode, of project: XcodeProject) {
    let objects = project.objects
    guard let path = project.paths[node] else { return nil }
    self.node = node
    self.path = path
    for folder in objects.texts("explicitFolders", of: node) { explicitFolders.insert(folder) }
    var types: [String: String] = [:]
    if let list = objects.list.value("explicitFileTypes", of: node) {
      for member in objects.list.members(of: list) {
        types[objects.list.text(member.key)] = objects.list.text(member.value)
      }
    }
    fileTypes = types
    for set in objects.objects("exceptions", of: node) {
      var files = FileNames()
      for text in objects.texts("membershipExceptions", of: set) { files.insert(text) }
      if objects.isKind("PBXFileSystemSynchronizedBuildFileExceptionSet", set) {
        guard let target = objects.object("target", of: set) else { continue }
        // Each target has one set of each group.
        exceptions[target, default: Exceptions()].membership = files
      } else if let phase = objects.object("buildPhase", of: set),
        let target = project.targets.first(where: { $0.phases.contains(phase) })
      {
        exceptions[target.node, default: Exceptions()].phases.append((phase, files))
      }
    }
  }

  /// Whether a file lies in the folder, and no exception of any target names it.
  func holdsUnexcepted(_ file: TreePath) -> Bool {
    guard let relative = file.relative(to: path) else { return false }
    return !exceptions.values.contains { exceptions in
      exceptions.membership.contains(relative) || exceptions.phases.contains { $0.files.contains(relative) }
    }
  }
}
