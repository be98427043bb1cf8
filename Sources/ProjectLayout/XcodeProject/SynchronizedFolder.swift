import Localization
import StructuredText

/// A synchronized group, which includes a folder with all its content, and its exceptions.
struct SynchronizedFolder {
  /// The exceptions for one target.
  struct Exceptions {
    /// The files with the opposite membership: excluded from a target that includes the folder, or included in a target that does not include the
    /// folder.
    var membership = FileNames()
    /// The files that belong to only one build phase of the target.
    var phases: [(phase: OldStyleNode, files: FileNames)] = []

    /// Whether some of the exceptions are localized files.
    var haveLocalized: Bool { membership.haveLocalized || phases.contains { $0.files.haveLocalized } }

    /// Returns the files and folders in the exceptions, except for localized files.
    func files(in folder: TreePath) -> [TreePath] {
      ([membership] + phases.map(\.files)).flatMap { $0.plain(in: folder) }
    }
  }

  /// The files and folders of an exception set, relative to the group's folder.
  struct FileNames {
    private var paths: Set<TreePath> = []
    /// Names without their `.lproj` folder. Each name refers to the file in every such folder.
    private var localized: Set<TreePath> = []

    var haveLocalized: Bool { !localized.isEmpty }

    var isEmpty: Bool { paths.isEmpty && localized.isEmpty }

    func plain(in folder: TreePath) -> [TreePath] { paths.map { folder.appending($0.text) } }

    /// Adds a name. `/Localized: Sub/Main.storyboard` (`/Localized/…` before Xcode 16) refers to this file in every `.lproj` folder of `Sub`.
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
      // An item that Xcode treats as a whole, such as a bundle or a copied folder, is listed without its content.
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
  /// The exceptions by target. The exceptions of a build phase belong to the phase's target.
  private(set) var exceptions: [OldStyleNode: Exceptions] = [:]
  /// The subfolders that are copied unchanged, relative to the group's folder.
  private(set) var explicitFolders = FileNames()
  /// The types of the files whose type differs from the type that the name implies, by path relative to the group's folder.
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
        // Each target has at most one set per group.
        exceptions[target, default: Exceptions()].membership = files
      } else if let phase = objects.object("buildPhase", of: set),
        let target = project.targetsByPhase[phase]
      {
        exceptions[target, default: Exceptions()].phases.append((phase, files))
      }
    }
  }

  /// Returns whether a file is in the folder and in no exception of any target.
  func holdsUnexcepted(_ file: TreePath) -> Bool {
    guard let relative = file.relative(to: path) else { return false }
    return !exceptions.values.contains { exceptions in
      exceptions.membership.contains(relative) || exceptions.phases.contains { $0.files.contains(relative) }
    }
  }
}

/// The synchronized folders of a project, by target.
struct SynchronizedFolders {
  private let all: [SynchronizedFolder]
  private let byGroup: [OldStyleNode: [Int]]
  /// The folders of whose files a target includes or excludes some.
  private var byException: [OldStyleNode: [Int]] = [:]

  init(of project: XcodeProject) {
    let all = project.paths.synchronizedGroups.compactMap { SynchronizedFolder($0, of: project) }
    self.all = all
    byGroup = Dictionary(grouping: all.indices) { all[$0].node }
    for (index, folder) in all.enumerated() {
      for target in folder.exceptions.keys { byException[target, default: []].append(index) }
    }
  }

  /// Returns the folders that a target includes or for which it has exceptions, in the order of the project.
  func folders(of target: XcodeTarget) -> [SynchronizedFolder] {
    let indices = target.folders.flatMap { byGroup[$0] ?? [] } + (byException[target.node] ?? [])
    return Set(indices).sorted().map { all[$0] }
  }
}
