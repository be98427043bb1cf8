import Localization
import StructuredText

/// The files of the tree that a target of an Xcode project includes, by their use.
struct TargetFiles {
  private(set) var swift: Set<TreeEntry> = []
  /// The sources in languages of the C family.
  private(set) var code: Set<TreeEntry> = []
  private(set) var headers: Set<TreeEntry> = []
  /// The storyboards, xibs and intent definitions.
  private(set) var interfaces: Set<TreeEntry> = []
  private(set) var catalogs: Set<TreePath> = []
  /// The `.strings` files.
  private(set) var tables: Set<TreePath> = []
  /// The other tables with one file for each language: `.stringsdict` files.
  private(set) var otherTables: Set<TreePath> = []
  /// The `.strings` files of the target's `Settings.bundle`.
  private(set) var settingsTables: Set<TreePath> = []
  /// The files of each localized resource that the project lists as a variant group, by this group.
  private(set) var variants: [OldStyleNode: Set<TreePath>] = [:]
  /// The synchronized folders that the target includes.
  private(set) var folders: [TreePath] = []
  /// The reasons why not all of the target's files are known.
  private(set) var unknown: [Diagnostic] = []
  /// Diagnostics about sources that are missing because a build generates them.
  private(set) var generated: [Diagnostic] = []
  /// Diagnostics about listed string tables that are missing.
  private(set) var missingTables: [Diagnostic] = []
  private(set) var diagnostics: [Diagnostic] = []

  /// Information about the tree that all targets share.
  struct Surroundings {
    let files: TreeFiles
    let regions: Regions
    let listing: TreeListing
    let absent: AbsentFolders
    /// The sources that a sparse checkout leaves out.
    let leftOut: Set<TreePath>

    init(files: TreeFiles, regions: Regions, listing: TreeListing, absent: AbsentFolders) {
      self.files = files
      self.regions = regions
      self.listing = listing
      self.absent = absent
      leftOut = Set(listing.leftOut.map(\.path))
    }
  }

  private enum Use {
    case compile, bundle
  }

  private let project: XcodeProject
  private let around: Surroundings

  init(
    of target: XcodeTarget, in project: XcodeProject, synchronized: [SynchronizedFolder], _ around: Surroundings
  ) {
    self.project = project
    self.around = around
    takeListed(target)
    for folder in synchronized { take(folder, for: target) }
    takeHeaders(of: target)
  }

  /// Removes the files that build settings exclude.
  mutating func leaveOut(_ filter: SourceFileFilter) {
    guard !filter.isEmpty else { return }
    for files in [\Self.swift, \Self.code, \Self.interfaces] {
      self[keyPath: files] = self[keyPath: files].filter { !filter.leavesOut($0.path) }
    }
    for files in [\Self.catalogs, \Self.tables, \Self.otherTables] {
      self[keyPath: files] = self[keyPath: files].filter { !filter.leavesOut($0) }
    }
    variants = variants.mapValues { $0.filter { !filter.leavesOut($0) } }.filter { !$0.value.isEmpty }
  }

  // MARK: Build phases

  private mutating func takeListed(_ target: XcodeTarget) {
    var missing: [(file: XcodeTarget.File, isCode: Bool)] = []
    for (files, use) in [(target.compiled, Use.compile), (target.resources, .bundle)] {
      for file in files {
        if let entry = around.files.find(file.path) {
          take(entry, as: use, type: nil)
          if let group = file.variants { variants[group, default: []].insert(entry.path) }
        } else if use == .compile, file.path.isInDataModel {
          swift.formUnion(around.files.below(file.path))
        } else if file.path.isSettingsBundle {
          takeSettings(file.path)
        } else if Self.matters(file.path), !around.listing.isLeftOut(file.path) {
          missing.append((file, use == .compile && Self.isCode(file.path)))
        }
      }
    }
    for file in target.headers {
      if let entry = around.files.find(file.path) { headers.insert(entry) }
    }
    missing.removeAll { file, _ in
      guard let link = file.path.outermost(of: around.absent.links) else { return false }
      let diagnostic = TreeListing.inLink(link, of: target.name)
      if !unknown.contains(diagnostic) { unknown.append(diagnostic) }
      return true
    }
    // Files in a submodule are not missing: they exist in another repository and may contain strings.
    missing.removeAll { file, _ in
      guard let submodule = file.path.outermost(of: around.absent.submodules) else { return false }
      let diagnostic = TreeListing.inSubmodule(submodule, of: target.name)
      if !unknown.contains(diagnostic) { unknown.append(diagnostic) }
      return true
    }
    let sparse = missing.map(\.file.path).filter(around.leftOut.contains)
    if let diagnostic = TreeListing.outsideCheckout(sparse, of: target.name) { unknown.append(diagnostic) }
    missing.removeAll { file, _ in around.leftOut.contains(file.path) }
    let found = MissingSources(missing, of: target, in: project, ignored: around.listing.ignored)
    unknown += found.unknown
    generated = found.generated
    missingTables = found.tables
    diagnostics += unknown + found.generated + found.tables + found.notes
  }

  /// Returns whether a file can contain strings.
  private static func matters(_ path: TreePath) -> Bool {
    let ending = path.ending.lowercased()
    return isCode(path) || CatalogKind(ending: ending) != nil
  }

  private static func isCode(_ path: TreePath) -> Bool {
    path.ending.lowercased() == "swift" || TreeListing.isCode(path)
  }

  private mutating func take(_ entry: TreeEntry, as use: Use, type: String?) {
    if entry.path.isDataModel {
      if use == .compile { swift.insert(entry) }
      return
    }
    if let type, use == .compile, !type.hasPrefix("sourcecode"), !type.hasPrefix("file.intentdefinition") { return }
    let ending = entry.path.ending.lowercased()
    switch ending {
    case "swift": if use == .compile { swift.insert(entry) }
    case "m", "mm", "c", "cc", "cpp", "cxx": if use == .compile { code.insert(entry) }
    case "h", "hh", "hpp", "hxx", "pch": headers.insert(entry)
    default:
      switch CatalogKind(ending: ending) {
      case .stringCatalog: catalogs.insert(entry.path)
      case .strings: tables.insert(entry.path)
      case .stringsDict: otherTables.insert(entry.path)
      case .interface: interfaces.insert(entry)
      case nil: break
      }
    }
  }

  private mutating func takeSettings(_ bundle: TreePath) {
    for entry in around.listing.settingsTables where entry.path.isWithin(bundle) { settingsTables.insert(entry.path) }
  }

  // MARK: Synchronized folders

  private mutating func take(_ folder: SynchronizedFolder, for target: XcodeTarget) {
    let isWhole = target.folders.contains(folder.node)
    let exceptions = folder.exceptions[target.node]
    guard isWhole || exceptions != nil else { return }
    // A target that does not include the folder can include single files of it.
    let single = isWhole ? [] : exceptions?.files(in: folder.path).filter(Self.matters) ?? []
    func takes(_ part: TreePath) -> Bool {
      isWhole ? part.isWithin(folder.path) || folder.path.isWithin(part) : single.contains { $0.isWithin(part) }
    }
    for submodule in around.listing.submodules where takes(submodule) {
      note(TreeListing.inSubmodule(submodule, of: target.name))
    }
    guard let path = around.files.folder(folder.path) else {
      if isWhole || !single.isEmpty { noteMissing(folder.path, of: target) }
      return
    }
    if isWhole { folders.append(path) }
    let types = folder.fileTypes
    // Without localized names, only the files in the exceptions can belong to a target that does not include the folder.
    let named = isWhole || exceptions?.haveLocalized != false ? nil : exceptions.map { Set($0.files(in: path)) }
    // Exceptions can name a file repeatedly, and a folder in addition to its files.
    let outermost = named.map { named in named.filter { $0.isRoot || !$0.parent.isWithinAny(of: named) } }
    for entry in outermost?.flatMap(around.files.exactly) ?? Array(around.files.below(path)) {
      // The files of a package belong to the package, even if a target includes the folder around it.
      if let package = around.regions.package(of: entry.path.parent), package.isWithin(path) { continue }
      guard let relative = entry.path.relative(to: path) else { continue }
      if let exceptions {
        if let phase = exceptions.phases.first(where: { $0.files.contains(relative) })?.phase {
          if project.objects.isKind("PBXSourcesBuildPhase", phase) {
            take(entry, as: .compile, type: types[relative.text])
          } else if project.objects.isKind("PBXResourcesBuildPhase", phase) {
            take(entry, as: .bundle, type: nil)
          }
          continue
        }
        guard isWhole != exceptions.membership.contains(relative) else { continue }
      }
      if folder.explicitFolders.contains(relative) { continue }
      take(entry, as: .compile, type: types[relative.text])
    }
    for bundle in Set(around.listing.settingsTables.map(\.path.folderOfLanguages)) {
      guard let relative = bundle.relative(to: path) else { continue }
      if isWhole != (exceptions?.membership.contains(relative) ?? false) { takeSettings(bundle) }
    }
    for link in around.listing.links where link.path.isWithin(path) && takes(link.path) {
      note(TreeListing.inLink(link.path, of: target.name))
    }
    let leftOut = around.listing.leftOut.map(\.path).filter { file in
      guard isWhole else { return single.contains(file) }
      guard let relative = file.relative(to: path) else { return false }
      return exceptions?.membership.contains(relative) != true && !folder.explicitFolders.contains(relative)
    }
    if let diagnostic = TreeListing.outsideCheckout(leftOut, of: target.name) { note(diagnostic) }
    for error in around.listing.unreadable where takes(error.path) { unknown.append(error.diagnostic) }
  }

  /// Records a reason why not all of the target's files are known, and reports it once.
  private mutating func note(_ diagnostic: Diagnostic) {
    guard !unknown.contains(diagnostic) else { return }
    unknown.append(diagnostic)
    diagnostics.append(diagnostic)
  }

  /// Records a folder of the target that is not in the tree: as unknown or as generated. Folders that the pipeline excludes and folders in submodules
  /// are not recorded.
  private mutating func noteMissing(_ folder: TreePath, of target: XcodeTarget) {
    switch around.absent.reason(folder) {
    // Files in submodules are already recorded.
    case nil, .submodule: break
    case .link(let link): note(TreeListing.inLink(link, of: target.name))
    case .generated:
      let diagnostic = Self.missing(folder, of: target, severity: .note)
      diagnostics.append(diagnostic)
      generated.append(diagnostic)
    case .missing: note(Self.missing(folder, of: target, severity: .warning))
    }
  }

  private static func missing(
    _ folder: TreePath, of target: XcodeTarget, severity: Diagnostic.Severity
  ) -> Diagnostic {
    Diagnostic(
      path: folder.text, severity: severity,
      message: "this folder of target \(target.name) is missing, so the strings in it are unknown",
      hint: severity == .note ? nil : "restore the folder, or remove it from the project")
  }

  // MARK: Headers

  /// Collects the headers; there are none if the target has no code of the C family. A project does not state which headers a target's code includes.
  /// Therefore the headers of the target's phases are used, and those next to its code in the same folder or group.
  private mutating func takeHeaders(of target: XcodeTarget) {
    guard !code.isEmpty else {
      headers = []
      return
    }
    for home in Set(code.map(\.path.parent)) { headers.formUnion(around.files.headers[home] ?? []) }
    let groups = Set(
      target.compiled.filter { !$0.path.ending.lowercased().hasSuffix("swift") }
        .compactMap { project.paths.groups[$0.reference] })
    for group in groups {
      for file in project.objects.objects("children", of: group) {
        guard let path = project.paths[file], ["h", "hh", "hpp", "hxx", "pch"].contains(path.ending.lowercased()),
          let entry = around.files.find(path)
        else { continue }
        headers.insert(entry)
      }
    }
  }
}
