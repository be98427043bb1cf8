import Localization

/// The files of a tree that are relevant for localization, from one pass over the tree.
struct TreeListing {
  var swift: [TreeEntry] = []
  /// The contents of Core Data models. Xcode generates classes from the current version of a model. If the current version is unknown, all versions
  /// are listed. Where these differ, the first version in path order takes precedence.
  var dataModels: [TreeEntry] = []
  /// The files that name the current version of a Core Data model, until `removeFormerModels` has read them.
  var modelVersions: [TreeEntry] = []
  /// The sources other than Swift: C-family files, storyboards, xibs, intent definitions and Info.plist files.
  var others: [TreeEntry] = []
  /// `.xcstrings` files, and symbolic links with this extension.
  var catalogs: [TreeEntry] = []
  /// `Package.swift` and its version-specific variants. Other files can also have these names, so their content is checked later.
  var manifests: [TreeEntry] = []
  /// `project.pbxproj` files.
  var projects: [TreeEntry] = []
  /// `contents.xcworkspacedata` files, except those inside a project.
  var workspaces: [TreeEntry] = []
  /// `.xcconfig` files.
  var settingsFiles: [TreeEntry] = []
  /// C headers, which contribute strings only if a source includes them.
  var headers: [TreeEntry] = []
  /// `.strings` tables.
  var tables: [TreeEntry] = []
  /// The other tables with one file for each language: `.stringsdict`.
  var otherTables: [TreeEntry] = []
  /// The `.strings` files in the language folders of a `Settings.bundle`. An export contains them although no code names them
  /// (xcode-formats.md B3; seen in an export of Xcode 15.0).
  var settingsTables: [TreeEntry] = []
  /// Property lists that only a project can identify as a target's Info.plist.
  var propertyLists: [TreeEntry] = []
  /// `project.yml`, `project.yaml` and `Project.swift`, from which XcodeGen and Tuist generate projects.
  var generators: [TreeEntry] = []
  /// Symbolic links that may point to source files or to their folders.
  var links: [TreeEntry] = []
  /// Symbolic links at the path of a language's folder or interface file. They are not followed.
  var languageLinks: [TreePath] = []
  /// The folders of submodules. Their files belong to other repositories.
  var submodules: [TreePath] = []
  /// Sources of the tree that are missing in the directory because a sparse checkout leaves them out.
  var leftOut: [TreeEntry] = []
  /// Other files that affect the localization and that a sparse checkout leaves out: catalogs, tables, interface files, manifests and projects.
  var outside: [TreePath] = []
  let ignored: IgnoredFiles
  /// Folders that were skipped because folders with this name usually contain files that tools build or fetch.
  private(set) var skipped: [TreePath] = []
  /// The `.lproj` folders that contain catalogs, tables, interface files or other sources that are not Swift, each with one such file.
  var languageFolders: [TreePath: TreePath] = [:]
  var folders: Set<TreePath> = [.root]
  /// All folders of the tree, except those inside folders that were not searched because they are in `skipped`, excluded or opaque.
  private(set) var seen: Set<TreePath> = [.root]
  var unreadable: [TreeError] = []
  private let patterns: [PathPattern]

  /// The files that contain texts of one language, and the interface files that such files translate.
  var localizable: [TreePath] { (tables + otherTables + settingsTables + interfaces).map(\.path) }

  init(_ tree: any SourceTree, excluding patterns: [PathPattern]) {
    self.patterns = patterns
    ignored = IgnoredFiles(tree)
    collect(below: .root, of: tree, skippingTools: true)
    removeFormerModels(of: tree)
    addLeftOut(tree.filesLeftOut())
    sort()
  }

  private mutating func collect(below folder: TreePath, of tree: any SourceTree, skippingTools: Bool) {
    var unreadable: [TreeError] = []
    var settings: Set<TreePath> = []
    var skipped: [TreePath] = []
    var seen: Set<TreePath> = []
    let entries = tree.walk(
      folder,
      skipping: { folder in
        seen.insert(folder)
        if Self.isOpaque(folder) || patterns.contains(where: { $0.covers(folder) }) { return true }
        if skippingTools, Self.toolFolders.contains(folder.name) {
          skipped.append(folder)
          return true
        }
        if folder.isSettingsBundle { settings.insert(folder) }
        return false
      },
      unreadable: { unreadable.append($0) })
    self.unreadable += unreadable
    self.skipped += skipped
    self.seen.formUnion(seen)
    for entry in entries where !patterns.contains(where: { $0.covers(entry.path) }) {
      guard entry.path.isWithinAny(of: settings) else {
        add(entry)
        continue
      }
      // A settings bundle is copied unchanged, so its other files are not sources.
      guard entry.isFile, entry.path.ending == "strings", entry.path.isInSettingsBundle else { continue }
      settingsTables.append(entry)
      addFolders(above: entry.path.folderOfLanguages)
    }
  }

  /// Adds the files of targets in skipped folders.
  /// - Returns: whether any of these folders and files are in the tree and not excluded.
  mutating func include(folders parts: Set<TreePath>, files: Set<TreePath>, of tree: any SourceTree) -> Bool {
    let folders = parts.filter { folder in
      !isLeftOut(folder) && (folder.isRoot || !folder.parent.isWithinAny(of: parts))
        && (try? tree.entry(at: folder))?.kind == .folder
    }
    let files = files.sorted().compactMap { file in
      isLeftOut(file) || file.isWithinAny(of: folders) ? nil : try? tree.entry(at: file)
    }.filter(\.isFile)
    for folder in folders.sorted() { collect(below: folder, of: tree, skippingTools: false) }
    removeFormerModels(of: tree)
    for file in files { add(file) }
    sort()
    return !folders.isEmpty || !files.isEmpty
  }

  /// Returns whether a file or folder was skipped because of its own name or the name of a folder above it.
  func isSkipped(_ path: TreePath) -> Bool {
    var known: [TreePath: Bool] = [:]
    return isSkipped(path, &known)
  }

  /// Returns the same as `isSkipped(_:)`, and caches the results for folders. This is faster for many paths.
  /// - Parameter known: the results for the folders that were checked before. The function adds to them.
  func isSkipped(_ path: TreePath, _ known: inout [TreePath: Bool]) -> Bool {
    if path.isRoot { return false }
    if Self.toolFolders.contains(path.name) || Self.isOpaque(path) { return true }
    let folder = path.parent
    if let isSkipped = known[folder] { return isSkipped }
    let isSkipped = isSkipped(folder, &known)
    known[folder] = isSkipped
    return isSkipped
  }

  /// Returns a warning that some sources of a target are unknown because they are behind a symbolic link.
  static func inLink(_ link: TreePath, of target: String) -> Diagnostic {
    Diagnostic(
      path: link.text, severity: .warning,
      message: "target \(target) contains a symbolic link, which is not followed")
  }

  /// The next step for a submodule, as a hint.
  static let submoduleHint =
    "to read it, use `--submodules`, or list it under `submodules` in the pipeline file; to skip it, use `extract.exclude`"

  /// Returns a warning that some sources of a target are unknown because they are in another repository.
  static func inSubmodule(_ submodule: TreePath, of target: String) -> Diagnostic {
    Diagnostic(
      path: submodule.text, severity: .warning,
      message: "target \(target) has files in a submodule, which is another repository",
      hint: submoduleHint)
  }

  /// The storyboards, xibs and intent definitions.
  var interfaces: [TreeEntry] { others.filter { $0.path.isInterface } }

  /// Returns whether a file or folder is excluded, for example by `extract.exclude`. A manifest that references an excluded folder is not faulty.
  func isLeftOut(_ folder: TreePath) -> Bool { patterns.contains { $0.covers(folder) } }

  /// Returns whether a file is compiled as a language of the C family. Headers count as sources only in targets that have such files.
  static func isCode(_ path: TreePath) -> Bool {
    ["m", "mm", "c", "cc", "cpp", "cxx"].contains(path.ending.lowercased())
  }

  private mutating func sort() {
    swift.sort { $0.path < $1.path }
    dataModels.sort { $0.path < $1.path }
    others.sort { $0.path < $1.path }
    catalogs.sort { $0.path < $1.path }
    manifests.sort { $0.path < $1.path }
    projects.sort { $0.path < $1.path }
    tables.sort { $0.path < $1.path }
    otherTables.sort { $0.path < $1.path }
    settingsTables.sort { $0.path < $1.path }
    links.sort { $0.path < $1.path }
    languageLinks.sort()
    submodules.sort()
  }

  private mutating func add(_ entry: TreeEntry) {
    let path = entry.path
    let name = path.name
    if entry.kind == .submodule { return submodules.append(path) }
    if name == ".xccurrentversion", entry.isFile { return modelVersions.append(entry) }
    guard !name.hasPrefix(".") else { return }
    if path.isInDataModel {
      guard path.isDataModel, entry.isFile else { return }
      dataModels.append(entry)
      var model = path
      while model.parent.isInDataModel { model = model.parent }
      return addFolders(above: model)
    }
    addFolders(above: path)
    let ending = path.ending
    if path.isStringCatalog {
      catalogs.append(entry)
      noteLanguage(of: path)
      return
    }
    guard entry.isFile else {
      addLinkedProject(entry)
      if entry.kind == .symbolicLink, ending.isEmpty || ending == "swift" || Self.isOtherSource(name, ending) {
        links.append(entry)
      }
      guard entry.kind == .symbolicLink else { return }
      if path.isInLanguageFolder, path.catalogKind == .strings || path.catalogKind == .stringsDict {
        addLocalized(entry)
      } else if ending == "lproj" || path.catalogKind != nil && path.isInLanguageFolder {
        languageLinks.append(path)
      }
      return
    }
    switch ending {
    case "swift":
      swift.append(entry)
      if name == "Package.swift" || name.hasPrefix("Package@swift-") { manifests.append(entry) }
      if name == "Project.swift" { generators.append(entry) }
    case "pbxproj": if path.parent.ending == "xcodeproj" { projects.append(entry) }
    case "xcworkspacedata": if path.parent.parent.ending != "xcodeproj" { workspaces.append(entry) }
    case "xcconfig": settingsFiles.append(entry)
    case "h", "hh", "hpp", "hxx", "pch": headers.append(entry)
    case "yml", "yaml": if path.stem == "project" { generators.append(entry) }
    default: addLocalized(entry)
    }
  }

  /// Adds a manifest or project that is a symbolic link. The link is not followed, so reading it fails and is reported. If the link were ignored,
  /// folders would be treated as targets without a report.
  private mutating func addLinkedProject(_ entry: TreeEntry) {
    guard entry.kind == .symbolicLink else { return }
    let path = entry.path
    if path.name == "Package.swift" { manifests.append(entry) }
    if path.ending == "pbxproj", path.parent.ending == "xcodeproj" { projects.append(entry) }
    if path.ending == "xcodeproj" {
      projects.append(
        TreeEntry(path: path.appending("project.pbxproj"), kind: .symbolicLink, blob: entry.blob))
    }
  }

  /// Adds a table, an interface file, a property list, or another source that is not Swift.
  private mutating func addLocalized(_ entry: TreeEntry) {
    let path = entry.path
    switch path.catalogKind {
    // String Catalogs were added before. Catalogs and tables include symbolic links. These are not followed, so reading them fails and is reported.
    case .stringCatalog: break
    case .strings: tables.append(entry)
    case .stringsDict: otherTables.append(entry)
    case .interface, nil:
      guard Self.isOtherSource(path.name, path.ending) else {
        if path.ending == "plist" { propertyLists.append(entry) }
        return
      }
      others.append(entry)
    }
    noteLanguage(of: path)
  }

  mutating func addFolders(above path: TreePath) {
    var folder = path.parent
    while folders.insert(folder).inserted { folder = folder.parent }
  }

  private mutating func noteLanguage(of path: TreePath) {
    let folder = path.parent
    if folder.ending == "lproj", languageFolders[folder] == nil { languageFolders[folder] = path }
  }

  static func isOtherSource(_ name: String, _ ending: String) -> Bool {
    switch ending {
    case "m", "mm", "c", "cpp", "cc", "cxx": true
    case "plist": name.hasSuffix("Info.plist")
    default: TreePath.interfaceEndings.contains(ending)
    }
  }

  /// The names of folders that tools build or fetch. They are skipped, except for files that a target contains.
  static let toolFolders: Set<String> = ["Pods", "Carthage", "DerivedData", "SourcePackages", "node_modules"]

  /// Returns whether a folder cannot contain sources. These are hidden folders, Xcode's folders for user data and schemes, bundles such as frameworks
  /// and asset catalogs (but not settings bundles), and exported localizations, which contain copies of catalogs.
  static func isOpaque(_ folder: TreePath) -> Bool {
    if folder.isSettingsBundle { return false }
    let name = folder.name
    if name.hasPrefix(".") { return true }
    if name == "xcuserdata" || name == "xcshareddata" { return true }
    return opaqueEndings.contains(folder.ending)
  }

  private static let opaqueEndings: Set<String> = [
    "xcassets", "xcloc", "framework", "xcframework", "bundle", "docc", "playground", "xcmappingmodel", "help", "app",
    "appex", "dSYM", "xcarchive", "xcresult", "scnassets", "rkassets",
    "mlpackage", "mlmodelc", "icon", "xctestplan", "artifactbundle",
  ]
}
