import Localization

/// The folders of a package's targets and the rules that select their files, as SwiftPM determines them.
struct PackageFolders {
  /// A target with its folder and the rules that select its files.
  struct Placed {
    var target: ManifestTarget
    var folder: TreePath
    var sources: [TreePath]?
    var excluded: [TreePath]
    var copied: [TreePath]
    /// The resources outside the folder.
    var outer: [TreePath] = []
    /// Diagnostics about missing sources that a build generates.
    var generated: [Diagnostic] = []

    /// Returns whether sources in a folder can belong to the target.
    func takesSources(in folder: TreePath) -> Bool {
      holds(folder) && sources.map { $0.contains { folder.isWithin($0) || $0.isWithin(folder) } } ?? true
    }

    /// Returns whether a path is in the target's folder and not excluded. `PackageOwners` finds the target to which a file belongs.
    func holds(_ path: TreePath) -> Bool {
      path.isWithin(folder) && !excluded.contains { path.isWithin($0) }
    }
  }

  private(set) var placed: [Placed] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// The regular and executable targets whose folders are neither in the tree nor ignored by git, each with the diagnostic about the missing folder.
  private(set) var absent: [(target: ManifestTarget, reason: Diagnostic)] = []
  /// The submodules that contain the folder of a target.
  private(set) var submodules: Set<TreePath> = []
  private let manifest: PackageManifest
  private let listing: TreeListing
  private let absentFolders: AbsentFolders
  /// The number of targets in each of the groups that share standard folders.
  private let groupSizes: [Int: Int]

  init(_ manifest: PackageManifest, in listing: TreeListing, absent absentFolders: AbsentFolders) {
    self.manifest = manifest
    self.listing = listing
    self.absentFolders = absentFolders
    groupSizes = Dictionary(manifest.targets.map { (Self.group(of: $0.kind), 1) }, uniquingKeysWith: +)
    for target in manifest.targets where target.kind != .binary { place(target) }
  }

  private mutating func place(_ target: ManifestTarget) {
    guard case .some(let folder) = folder(of: target) else {
      // A path that cannot be evaluated is already reported.
      if case .unknown = target.location {
        placed.append(
          Placed(target: target, folder: manifest.folder, sources: [], excluded: [manifest.folder], copied: []))
      }
      return
    }
    func paths(_ texts: [String]) -> [TreePath] { texts.compactMap { ManifestTarget.path($0, in: folder) } }
    var excluded = paths(target.excluded)
    if folder == manifest.folder {
      excluded.append(manifest.path)
    }
    var made = Placed(
      target: target, folder: folder, sources: target.sources.map(paths), excluded: excluded,
      copied: target.resourcePaths(in: folder, [.copy]))
    // Before tools version 5.11, which was released as 6.0, SwiftPM ignored resources outside a target's folder (swift-package-manager pull request
    // 7232).
    if let version = manifest.toolsVersion, version >= ToolsVersion(major: 5, minor: 11) {
      made.outer = target.resourcePaths(in: folder).filter { !$0.isWithin(folder) }
    }
    placed.append(made)
  }

  private mutating func folder(of target: ManifestTarget) -> TreePath? {
    switch target.location {
    case .unknown: return nil
    case .path(let text):
      let path = manifest.folder.appending(text)
      guard let folder = TreePath(checking: path.text), folder.isWithin(manifest.folder) else {
        report(target, "its path \(text) is outside the package")
        return nil
      }
      guard listing.folders.contains(folder) else {
        if !listing.isLeftOut(folder) { report(target, [folder]) }
        return nil
      }
      return folder
    case .standard:
      let roots = Self.standardRoots(of: target.kind).map { manifest.folder.appending($0) }
      if roots.contains(where: { listing.isLeftOut($0.appending(target.name)) }) { return nil }
      // SwiftPM searches only the first of these folders that exists.
      guard let root = roots.first(where: listing.folders.contains) else {
        report(target, roots.map { $0.appending(target.name) })
        return nil
      }
      let folder = root.appending(target.name)
      if listing.folders.contains(folder) { return folder }
      if isAloneInItsRoot(target), let version = manifest.toolsVersion, version >= ToolsVersion(major: 5, minor: 9) {
        return root
      }
      report(target, [folder])
      return nil
    }
  }

  /// Returns the folders in which the targets of a package can be, whether they exist or not.
  static func candidates(for manifest: PackageManifest) -> Set<TreePath> {
    var found: Set<TreePath> = []
    for target in manifest.targets where target.kind != .binary {
      switch target.location {
      case .unknown: break
      case .path(let text):
        if let folder = TreePath(checking: manifest.folder.appending(text).text) { found.insert(folder) }
      case .standard:
        for root in standardRoots(of: target.kind) {
          found.insert(manifest.folder.appending(root).appending(target.name))
        }
      }
    }
    return found.filter { $0.isWithin(manifest.folder) }
  }

  private static func standardRoots(of kind: ManifestTarget.Kind) -> [String] {
    switch kind {
    case .test: ["Tests", "Sources", "Source", "src", "srcs"]
    case .plugin: ["Plugins"]
    default: ["Sources", "Source", "src", "srcs"]
    }
  }

  private func isAloneInItsRoot(_ target: ManifestTarget) -> Bool {
    manifest.openTargets.isEmpty && groupSizes[Self.group(of: target.kind)] == 1
  }

  private static func group(of kind: ManifestTarget.Kind) -> Int { kind == .test ? 0 : kind == .plugin ? 1 : 2 }

  private mutating func report(_ target: ManifestTarget, _ cause: String) {
    diagnostics.append(diagnostic(target, cause))
  }

  private func diagnostic(
    _ target: ManifestTarget, _ cause: String, severity: Diagnostic.Severity = .warning
  ) -> Diagnostic {
    Diagnostic(
      path: manifest.path.text, line: target.line, column: target.column, severity: severity,
      message: "target \(target.name) has no sources: \(cause)")
  }

  /// Reports a target for which no folder with relevant files was found. If the tree has none of the folders, a regular or executable target is kept
  /// without files.
  /// - Parameter folders: the folders in which SwiftPM searches for the target.
  private mutating func report(_ target: ManifestTarget, _ folders: [TreePath]) {
    let cause = "no folder \(folders[0])"
    // A folder without relevant files is not listed, so its existence is checked separately.
    guard !folders.contains(where: absentFolders.exists) else { return report(target, cause) }
    let reasons = folders.compactMap { absentFolders.reason($0) }
    guard let reason = reasons.first(where: { $0 != .missing }) ?? reasons.first else { return report(target, cause) }
    let diagnostic =
      switch reason {
      case .submodule(let submodule): TreeListing.inSubmodule(submodule, of: target.name)
      case .link: diagnostic(target, cause + "; the symbolic link there is not followed")
      case .generated: diagnostic(target, cause + ", which git ignores", severity: .note)
      case .missing: diagnostic(target, cause)
      }
    diagnostics.append(diagnostic)
    if case .submodule(let submodule) = reason { submodules.insert(submodule) }
    guard target.kind == .regular || target.kind == .executable else { return }
    var made = Placed(target: target, folder: folders[0], sources: [], excluded: [folders[0]], copied: [])
    if reason == .generated {
      made.generated.append(diagnostic)
    } else {
      made.target.unknown.append(diagnostic)
      absent.append((target, diagnostic))
    }
    placed.append(made)
  }
}

extension PackageFolders.Placed {
  /// Returns the target for the project description, without its files.
  func projectTarget(of manifest: PackageManifest) -> ProjectTarget {
    var project = ProjectTarget(
      id: PackageTargets.id(target.name, in: manifest.folder), name: target.name,
      kind: .package(manifest: manifest.path), folder: folder, resourceFolder: folder, feedsCatalogs: false,
      unknownSources: target.unknown + manifest.openTargets)
    project.generatedSources = generated
    return project
  }
}
