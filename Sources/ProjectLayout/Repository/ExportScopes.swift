package import Localization

extension ExportScope {
  /// Returns the default scope of an export: the workspace in the root, or otherwise the project in the root. If there is neither and the root is not
  /// a package, the folders of Xcode projects are compared: if only one of them is at the smallest depth, the scope is the workspace or project in
  /// it. In all cases, the whole tree is exported.
  /// - Returns: the scope. If none of these rules applies, the scope is the root, under the given name. If several folders are at the smallest depth,
  ///   a warning is returned too.
  package static func whole(
    _ project: ProjectDescription, in tree: any SourceTree, called name: String
  ) -> (scope: ExportScope, diagnostics: [Diagnostic]) {
    if let found = bundle(in: .root, of: tree) { return (ExportScope(name: found), []) }
    var folders: Set<TreePath> = []
    for target in project.targets where target.places != nil {
      switch target.kind {
      case .xcode(let path): folders.insert(XcodeProject.folder(of: path))
      case .package(let manifest): if manifest.parent.isRoot { return (ExportScope(name: name), []) }
      case .folder: break
      }
    }
    let depth = folders.map(\.components.count).min()
    let first = folders.filter { $0.components.count == depth }.sorted()
    guard let folder = first.first else { return (ExportScope(name: name), []) }
    guard first.count == 1, let found = bundle(in: folder, of: tree) else {
      let names = first.map { folder in bundle(in: folder, of: tree).map { folder.appending($0) } ?? folder }
      let note = Diagnostic(
        path: names[0].text, severity: .warning,
        message:
          "the tree has several projects (\(names.map(\.text).joined(separator: ", "))); all are exported, "
          + "and paths start at the root", hint: "choose one with --xcode-project")
      return (ExportScope(name: name), [note])
    }
    return (ExportScope(name: found, folder: folder), [])
  }

  /// Returns the folders to which the paths of an exported bundle can be relative: first the folder of a whole export, and then those of the other
  /// Xcode projects.
  package static func folders(of project: ProjectDescription, in tree: any SourceTree) -> [TreePath] {
    let first = whole(project, in: tree, called: "").scope.folder
    var others: Set<TreePath> = []
    for case .xcode(let path) in project.targets.map(\.kind) { others.insert(XcodeProject.folder(of: path)) }
    return [first] + others.subtracting([first]).sorted()
  }

  /// Returns the scope of an export of one project or workspace.
  /// - Parameter path: the `.xcodeproj` or `.xcworkspace`.
  /// - Throws: `TreeError` if the path is missing, cannot be read, or is a workspace without a project in the tree.
  package static func only(_ path: TreePath, in tree: any SourceTree) throws(TreeError) -> ExportScope {
    let isWorkspace = path.ending == "xcworkspace"
    let file = path.appending(isWorkspace ? "contents.xcworkspacedata" : "project.pbxproj")
    let bytes = try tree.read(file)
    guard isWorkspace else { return ExportScope(name: path.name, folder: path.parent, projects: [file]) }
    let workspace = Workspace(bytes, at: file)
    let projects = workspace.projects.filter { (try? tree.entry(at: $0)) != nil }
    guard !projects.isEmpty else {
      let fault = workspace.diagnostics.first.map(\.description)
      throw TreeError(
        path: path, kind: .unreadable,
        detail: fault
          ?? "the workspace contains no Xcode project of the tree. Without --xcode-project, packages are exported")
    }
    return ExportScope(name: path.name, folder: path.parent, projects: Set(projects))
  }

  /// Returns the name of the workspace in a folder, or otherwise of the first project by name; `nil` if the folder contains neither.
  private static func bundle(in folder: TreePath, of tree: any SourceTree) -> String? {
    let names = ((try? tree.list(folder)) ?? []).filter { $0.kind == .folder }.map(\.path)
    return (names.first { $0.ending == "xcworkspace" } ?? names.first { $0.ending == "xcodeproj" })?.name
  }
}
