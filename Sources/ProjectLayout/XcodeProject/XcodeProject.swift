import Localization
import StructuredText

/// The content of a `project.pbxproj` that is relevant for localization. It consists of names and paths. No other file of the tree is read for it.
struct XcodeProject: Sendable {
  let objects: ProjectObjects
  let paths: ProjectPaths
  /// The folder to which the paths of the project are relative; `nil` if it is outside the repository.
  let sourceRoot: TreePath?
  let developmentRegion: LocaleIdentifier?
  let knownRegions: [LocaleIdentifier]
  /// The targets in the order of the project.
  let targets: [XcodeTarget]
  /// The target of each build phase.
  let targetsByPhase: [OldStyleNode: OldStyleNode]
  /// The files that the script phases create, as far as their paths are known.
  let scriptOutputs: Set<TreePath>
  /// A folder that the project references as a package.
  struct LocalPackage: Sendable {
    var folder: TreePath
    var reference: OldStyleNode
    /// Whether it is uncertain that the folder is a package, because the project does not state its type.
    var isAnyFolder = false
  }

  let localPackages: [LocalPackage]
  /// The other project files that the project references.
  let subprojects: [TreePath]
  let diagnostics: [Diagnostic]

  /// The path of the `project.pbxproj`.
  var path: TreePath { objects.path }
  /// The folder that contains the `.xcodeproj`.
  var folder: TreePath { Self.folder(of: path) }
  /// The project's name: the `.xcodeproj` without its extension.
  var name: String { path.parent.stem }

  static func folder(of path: TreePath) -> TreePath { path.parent.parent }

  /// Whether the project has a language in addition to the development language.
  var isLocalized: Bool {
    // Xcode 3 added these languages to every new project.
    let initial = ["English", "Japanese", "French", "German"]
    let written = objects.texts("knownRegions", of: objects.root).filter { !initial.contains($0) }
    return written.compactMap { LocaleIdentifier(regionName: $0) }.contains { $0 != developmentRegion ?? "en" }
  }

  /// Returns whether the number of targets, the development region, the packages and the subprojects are the same as before an edit.
  func isLikewise(_ before: XcodeProject) -> Bool {
    targets.count == before.targets.count && developmentRegion == before.developmentRegion
      && localPackages.map(\.folder) == before.localPackages.map(\.folder)
      && subprojects == before.subprojects
  }

  /// Returns the diagnostics for a project file that could not be loaded or read.
  static func diagnostics(of error: any Error, reading path: TreePath) -> [Diagnostic] {
    switch error {
    case let fault as ProjectFault: fault.diagnostics
    case let error as TreeError: [error.diagnostic]
    default: [Diagnostic(path: path.text, severity: .error, message: "cannot read the Xcode project: \(error)")]
    }
  }

  /// - Throws: `ProjectFault` if the project's targets cannot be determined.
  init(_ bytes: [UInt8], at path: TreePath) throws(ProjectFault) {
    let objects = try ProjectObjects(bytes, at: path)
    self.objects = objects
    let root = objects.root
    let folder = Self.folder(of: path)
    let directory = objects.text("projectDirPath", of: root) ?? ""
    sourceRoot = directory.hasPrefix("/") ? nil : TreePath(checking: folder.appending(directory).text)
    paths = ProjectPaths(objects, sourceRoot: sourceRoot)
    developmentRegion = objects.text("developmentRegion", of: root).flatMap { LocaleIdentifier(regionName: $0) }
    knownRegions = objects.texts("knownRegions", of: root).compactMap { LocaleIdentifier(regionName: $0) }

    var diagnostics = paths.diagnostics
    var targets: [XcodeTarget] = []
    for reference in objects.references("targets", of: root) {
      guard let target = objects.object(reference) else {
        diagnostics.append(
          objects.note(
            "the project references a missing target: \(objects.list.text(reference))", at: reference,
            severity: .warning))
        continue
      }
      targets.append(XcodeTarget(target, of: objects, paths: paths, &diagnostics))
    }
    self.targets = targets
    targetsByPhase = Dictionary(
      targets.flatMap { target in target.phases.map { ($0, target.node) } }, uniquingKeysWith: { first, _ in first })
    scriptOutputs = MissingSources.outputs(of: targets, objects, below: sourceRoot)

    var localPackages: [LocalPackage] = []
    for package in objects.objects("packageReferences", of: root)
    where objects.isKind("XCLocalSwiftPackageReference", package) {
      guard let text = objects.text("relativePath", of: package), !text.hasPrefix("/"), let sourceRoot,
        let found = TreePath(checking: sourceRoot.appending(text).text)
      else { continue }
      localPackages.append(LocalPackage(folder: found, reference: package))
    }
    var subprojects: [TreePath] = []
    for file in paths.files {
      guard let found = paths[file] else { continue }
      if found.ending == "xcodeproj" {
        subprojects.append(found.appending("project.pbxproj"))
      } else {
        // Before Xcode 15, or if someone drags a package into the project, the package is a reference to its folder.
        let type = objects.text("lastKnownFileType", of: file) ?? objects.text("explicitFileType", of: file) ?? ""
        if type == "folder" || type == "wrapper" || (type == "text" && found.ending.isEmpty) {
          localPackages.append(LocalPackage(folder: found, reference: file, isAnyFolder: type != "wrapper"))
        }
      }
    }
    self.localPackages = localPackages
    self.subprojects = subprojects
    self.diagnostics = diagnostics
  }
}
