package import Localization

extension ExportScope {
  /// What an export of a tree is of where nobody says it: the workspace, else the project in its root; else, unless the root is a package,
  /// those of the only folder at the least depth that has any. Everything of the tree goes out whatever it is.
  /// - Returns: also what to know where several folders come into question: the root is taken then.
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

  /// The folders from which the paths of a bundle may lead that was exported from the tree: first that of an export of the whole, then those
  /// of the other Xcode projects.
  package static func folders(of project: ProjectDescription, in tree: any SourceTree) -> [TreePath] {
    let first = whole(project, in: tree, called: "").scope.folder
    var others: Set<TreePath> = []
    for case .xcode(let path) in project.targets.map(\.kind) { others.insert(XcodeProject.folder(of: path)) }
    return [first] + others.subtracting([first]).sorted()
  }

  /// The export of one project or workspace.
  /// - Parameter path: the `.xcodeproj` or `.xcworkspace`.
  /// - Throws: where there is none, it cannot be read, or it is a workspace without a project of the tree.
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
          ?? "the workspace names no Xcode project of the tree. Without --xcode-project, packages are exported")
    }
    return ExportScope(name: path.name, folder: path.parent, projects: Set(projects))
  }

  /// The workspace in a folder, else the first project by name.
  private static func bundle(in folder: TreePath, of tree: any SourceTree) -> String? {
    let names = ((try? tree.list(folder)) ?? []).filter { $0.kind == .folder }.map(\.path)
    return (names.first { $0.ending == "xcworkspace" } ?? names.first { $0.ending == "xcodeproj" })?.name
  }
}
