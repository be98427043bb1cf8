import Localization

/// The sources and catalogs that no target of a package or project includes and that folders assign to targets instead.
///
/// If a project file is readable, a file that none of its targets includes is not built. Xcode finds no strings there, so the file is skipped, and a
/// catalog that no target includes is not changed. If a project is generated, unreadable or missing, its folders serve as targets.
struct UnclaimedFiles {
  private(set) var swift: [TreeEntry] = []
  private(set) var others: [TreeEntry] = []
  private(set) var catalogs: [TreeEntry] = []
  /// The files in language folders that no target of a package or Xcode project includes. Targets derived from folders can use them.
  private(set) var localized: [TreePath] = []
  private(set) var diagnostics: [Diagnostic] = []

  /// The rule for the files of a folder: an Xcode project decides which files are used, or folders serve as targets.
  private enum Rule {
    case project(TreePath)
    case folders
  }

  /// The information in a file from which an Xcode project is generated.
  struct GeneratedProject {
    /// The settings about strings in the project's code; `nil` if the file does not determine them.
    var codeStrings: ProjectTarget.CodeStrings?
    var infoPlists: [XcodeGenInfoPlist]
    /// The reasons why the file could not be read, such as an unfinished merge.
    var diagnostics: [Diagnostic] = []
  }

  /// The projects that XcodeGen and Tuist generate, by folder.
  private(set) var generated: [TreePath: GeneratedProject] = [:]
  private let regions: Regions
  private var readable: [TreePath: TreePath] = [:]
  private var open: Set<TreePath> = []
  private var rules: [TreePath: Rule] = [:]

  init(
    packages: PackageTargets, projects: XcodeTargets, read: [XcodeProject], broken: [TreePath: [Diagnostic]],
    regions: Regions, listing: TreeListing, tree: any SourceTree
  ) {
    self.regions = regions
    for project in read where readable[project.folder] == nil { readable[project.folder] = project.path }
    for path in broken.keys { open.insert(XcodeProject.folder(of: path)) }
    var tuist: TuistManifests?
    for entry in listing.generators where !projects.claimed.contains(entry.path) {
      guard readable[entry.path.parent] == nil, let bytes = Self.generator(entry, in: tree) else { continue }
      open.insert(entry.path.parent)
      if entry.path.ending == "swift" {
        let manifests = tuist ?? TuistManifests(listing, in: tree)
        tuist = manifests
        generated[entry.path.parent] = GeneratedProject(codeStrings: manifests.codeStrings(of: bytes), infoPlists: [])
      } else {
        let project = XcodeGenFile.project(bytes, at: entry.path)
        generated[entry.path.parent] = project
        diagnostics += project.diagnostics
      }
      diagnostics.append(
        Diagnostic(
          path: entry.path.text, severity: .note,
          message:
            "the Xcode project generated from this file is not in the repository; folders are used as its targets",
          hint: "commit the generated project if the folders do not match its targets"))
    }
    var dropped: [TreePath: (count: Int, first: TreePath)] = [:]
    var idle: [TreePath: [TreePath]] = [:]
    func isLeft(_ entry: TreeEntry) -> Bool {
      !projects.claimed.contains(entry.path)
    }
    for entry in packages.leftSwift where isLeft(entry) {
      switch rule(for: entry.path.parent) {
      case .folders: swift.append(entry)
      case .project(let path):
        dropped[path] = (count: (dropped[path]?.count ?? 0) + 1, first: dropped[path]?.first ?? entry.path)
      }
    }
    for entry in packages.leftOthers where isLeft(entry) {
      if case .folders = rule(for: entry.path.parent) { others.append(entry) }
    }
    for entry in packages.leftCatalogs where isLeft(entry) {
      switch rule(for: entry.path.parent) {
      case .folders: catalogs.append(entry)
      case .project(let path): idle[path, default: []].append(entry.path)
      }
    }
    takeLocalized(packages: packages, projects: projects, listing: listing)
    for (path, files) in dropped.sorted(by: { $0.key < $1.key }) {
      diagnostics.append(
        Diagnostic(
          path: path.text, severity: .note,
          message:
            "no target of this project builds \(counted(files.count, "Swift file")) "
            + "next to it (\(files.first)\(files.count == 1 ? "" : ", …")), so no strings are extracted there"
        ))
    }
    for (path, catalogs) in idle.sorted(by: { $0.key < $1.key }) {
      for catalog in catalogs {
        diagnostics.append(
          Diagnostic(
            path: catalog.text, severity: .note,
            message: "no target of \(path) uses this catalog, so it receives no strings"))
      }
    }
  }

  private mutating func takeLocalized(packages: PackageTargets, projects: XcodeTargets, listing: TreeListing) {
    // Other languages of a file that a target includes are reported with that file.
    let taken = Set((packages.localized + projects.localized).flatMap(\.files).map(\.withoutLanguage))
    var idle: [TreePath: [TreePath]] = [:]
    for path in listing.localizable
    where path.isInLanguageFolder && !taken.contains(path.withoutLanguage) {
      // A file in a package that no target includes is not built.
      switch rule(for: path.parent) {
      case .folders: if regions.package(of: path.parent) == nil { localized.append(path) }
      case .project(let project): idle[project, default: []].append(path)
      }
    }
    for (project, files) in idle.sorted(by: { $0.key < $1.key }) {
      guard let first = files.min() else { continue }
      diagnostics.append(
        Diagnostic(
          path: project.text, severity: .note,
          message: "no target of this project uses "
            + (files.count == 1 ? "\(first)" : "\(files.count) localized files next to it (\(first), …)")
            + (files.count == 1 ? ", so it is skipped" : ", so they are skipped")))
    }
  }

  /// Returns the rule for a folder. The innermost folder that contains a project, or a file that generates one, determines the rule. If there is no
  /// such folder, folders serve as targets.
  private mutating func rule(for folder: TreePath) -> Rule {
    if let known = rules[folder] { return known }
    let made: Rule
    if open.contains(folder) {
      made = .folders
    } else if let project = readable[folder] {
      made = .project(project)
    } else {
      made = folder.isRoot ? .folders : rule(for: folder.parent)
    }
    rules[folder] = made
    return made
  }

  /// Returns the bytes of a file from which a project is generated; `nil` for another file with that name, or if the file cannot be read. The content
  /// is checked, because apps can also have sources named `Project.swift` and settings named `project.yml`.
  static func generator(_ entry: TreeEntry, in tree: any SourceTree) -> [UInt8]? {
    guard let bytes = try? tree.read(entry.path) else { return nil }
    let text = String(decoding: bytes.prefix(1 << 16), as: UTF8.self)
    let makesProject =
      entry.path.ending == "swift"
      ? text.contains("import ProjectDescription")
      : text.contains("targets:") && text.contains("platform:") || text.contains("include:")
    return makesProject ? bytes : nil
  }
}
