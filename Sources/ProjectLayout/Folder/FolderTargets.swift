import Localization

/// Targets derived only from folders. The strings of a source go to the catalogs below the nearest folder that contains both the source and a
/// catalog.
struct FolderTargets {
  private(set) var targets: [ProjectTarget] = []
  private(set) var catalogs: [TreePath: [TargetID]] = [:]
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var testFolders: Set<TreePath> = []
  /// The targets whose folders are test folders.
  private(set) var idle: Set<TargetID> = []

  /// The location of one target's files.
  private struct Place: Hashable {
    var folder: TreePath
    var top: TreePath
    var isTest: Bool
    var hasCatalogs: Bool
  }

  private struct Group {
    var swift: [TreeEntry] = []
    var others: [TreeEntry] = []
  }

  private let files: FolderCatalogs
  private let regions: Regions
  /// The projects that XcodeGen and Tuist generate, by folder.
  private let generated: [TreePath: UnclaimedFiles.GeneratedProject]
  /// The folders that directly contain a Swift file or a catalog.
  private let heldDirectly: Set<TreePath>
  private var groups: [Place: Group] = [:]
  private var places: [TreePath: Place] = [:]

  /// - Parameters:
  ///   - broken: the project files that could not be read, with the reasons.
  ///   - packages: the targets of packages. Every folder target can use the libraries among them.
  init(
    swift: [TreeEntry], others: [TreeEntry], catalogs: [TreeEntry], regions: Regions,
    generated: [TreePath: UnclaimedFiles.GeneratedProject], broken: [TreePath: [Diagnostic]], listing: TreeListing,
    packages: PackageTargets
  ) {
    self.regions = regions
    self.generated = generated
    files = FolderCatalogs(catalogs, regions: regions)
    heldDirectly = Set(swift.map(\.path.parent)).union(catalogs.map { StringTables.resourceFolder(of: $0.path) })
    for entry in swift { groups[place(of: entry.path.parent), default: Group()].swift.append(entry) }
    for entry in others { groups[place(of: entry.path.parent), default: Group()].others.append(entry) }
    for entry in listing.headers where regions.package(of: entry.path.parent) == nil {
      let place = place(of: entry.path.parent)
      if groups[place]?.others.contains(where: { TreeListing.isCode($0.path) }) == true {
        groups[place]?.others.append(entry)
      }
    }
    makeTargets(
      listing, submodules: listing.submodules.filter { !packages.inSubmodules.contains($0) },
      taken: Set(packages.targets.map(\.id)))
    connect(packages)
    // If a project is unreadable, it is unknown which of its targets contain which sources.
    for project in listing.projects {
      guard let faults = broken[project.path] else { continue }
      let folder = XcodeProject.folder(of: project.path)
      for index in targets.indices where regions.top(of: targets[index].folder) == folder {
        targets[index].unreadProject = project.path
        if targets[index].feedsCatalogs { targets[index].unknownSources += faults }
      }
    }
  }

  // MARK: Grouping

  private mutating func place(of folder: TreePath) -> Place {
    if let known = places[folder] { return known }
    let top = regions.top(of: folder)
    let home = files.home(of: folder, upTo: top)
    // Test folders are next to the folders of targets, not inside a target's folder: `App/Views/ABTests` belongs to the app.
    let isInTarget = home.map { $0 != top && !Self.isTestName($0.name) && heldDirectly.contains($0) } ?? false
    let test = isInTarget ? nil : Self.testFolder(folder, below: home ?? top)
    let place = Place(folder: test ?? home ?? top, top: top, isTest: test != nil, hasCatalogs: home != nil)
    places[folder] = place
    if let test { testFolders.insert(test) }
    return place
  }

  /// Returns the outermost test folder that is or contains this folder, not above `home`; `nil` if there is none.
  private static func testFolder(_ folder: TreePath, below home: TreePath) -> TreePath? {
    var found = isTestName(home.name) ? home : nil
    var path = folder
    while path != home, path.isWithin(home), !path.isRoot {
      if isTestName(path.name), found != home { found = path }
      path = path.parent
    }
    return found
  }

  private static func isTestName(_ name: String) -> Bool {
    name.hasSuffix("Tests") || name == "tests" || name == "Test"
  }

  // MARK: Targets

  private mutating func makeTargets(_ listing: TreeListing, submodules: [TreePath], taken: Set<TargetID>) {
    let order = groups.keys.sorted { ($0.folder, $0.isTest ? 1 : 0) < ($1.folder, $1.isTest ? 1 : 0) }
    // The number of Swift sources of each folder's targets. Among equally near catalogs, the catalog of the larger target is used.
    let weights = Dictionary(order.map { ($0.folder, groups[$0]?.swift.count ?? 0) }) { $0 + $1 }
    // The innermost folder of a target that contains each catalog. Tests do not count.
    let owners = Set(order.filter { !$0.isTest && $0.hasCatalogs }.map(\.folder))
    let homes = Dictionary(
      files.all.map { ($0, $0.innermost(of: owners)) }, uniquingKeysWith: { first, _ in first })
    let leftOut = Dictionary(grouping: listing.leftOut.map(\.path)) { place(of: $0.parent) }
    // Without a target, the folders of links and submodules are no test folders either.
    let links: [Place: [TreeEntry]] =
      order.isEmpty ? [:] : Dictionary(grouping: listing.links) { self.place(of: $0.path.parent) }
    let submodules: [Place: [TreePath]] =
      order.isEmpty ? [:] : Dictionary(grouping: submodules) { self.place(of: $0.parent) }
    var taken = taken
    for place in order {
      guard let group = groups[place] else { continue }
      var target = ProjectTarget(
        id: id(place.folder, taken: taken), name: place.folder.isRoot ? "." : place.folder.name, kind: .folder,
        folder: place.folder, swiftSources: group.swift, otherSources: group.others.sorted { $0.path < $1.path },
        resourceFolder: place.folder,
        feedsCatalogs: place.hasCatalogs && !place.isTest)
      let generator = generator(of: place.folder)
      target.codeStringsOfGenerator = generator?.codeStrings
      taken.insert(target.id)
      if place.isTest { idle.insert(target.id) }
      if target.feedsCatalogs { giveCatalogs(to: &target, place, homes, weights) }
      target.infoPlistOfGenerator = Self.infoPlist(of: target, by: generator)
      for link in links[place] ?? [] {
        let diagnostic = Diagnostic(
          path: link.path.text, severity: .warning,
          message: "folder \(target.id) contains a symbolic link, which is not followed")
        target.unknownSources.append(diagnostic)
        diagnostics.append(diagnostic)
      }
      for submodule in submodules[place] ?? [] {
        let diagnostic = TreeListing.inSubmodule(submodule, of: target.id.rawValue)
        target.unknownSources.append(diagnostic)
        diagnostics.append(diagnostic)
      }
      if let diagnostic = TreeListing.outsideCheckout(leftOut[place] ?? [], of: target.id.rawValue) {
        target.unknownSources.append(diagnostic)
        diagnostics.append(diagnostic)
      }
      for error in listing.unreadable where error.path.isWithin(place.folder) {
        target.unknownSources.append(error.diagnostic)
      }
      targets.append(target)
    }
    shareDoubt()
  }

  /// Returns the generated project in a folder or in the nearest folder above it; `nil` if there is none.
  private func generator(of folder: TreePath) -> UnclaimedFiles.GeneratedProject? {
    guard !generated.isEmpty else { return nil }
    var folder = folder
    while generated[folder] == nil, !folder.isRoot { folder = folder.parent }
    return generated[folder]
  }

  /// Returns the Info.plist texts of the target in `generator` whose sources include the Info.plist catalog of `target`. The result is empty unless
  /// there is exactly one such target in `generator`.
  private static func infoPlist(
    of target: ProjectTarget, by generator: UnclaimedFiles.GeneratedProject?
  ) -> [String: BuildSetting] {
    guard let generator, let catalog = target.catalogs.values.filter({ isOfInfoPlist($0) }).min() else { return [:] }
    let plists = generator.infoPlists.filter { $0.sources.contains { catalog.isWithin($0) } }
    return plists.count == 1 ? plists[0].texts : [:]
  }

  /// Returns the id of a folder's target: the folder's path, with a `/` at the end if another target already has this id. A package target in the
  /// root can have the same name as a folder.
  private func id(_ folder: TreePath, taken: Set<TargetID>) -> TargetID {
    let plain = TargetID(rawValue: folder.isRoot ? "." : folder.text)
    return taken.contains(plain) ? TargetID(rawValue: plain.rawValue + "/") : plain
  }

  private mutating func giveCatalogs(
    to target: inout ProjectTarget, _ place: Place, _ homes: [TreePath: TreePath?], _ weights: [TreePath: Int]
  ) {
    for (table, candidates) in files.tables(from: place.folder, upTo: place.top).sorted(by: { $0.key < $1.key }) {
      func rank(_ path: TreePath) -> (Int, Int, Int, String) {
        let home = homes[path] ?? nil
        // The target's own catalogs come first. Next come catalogs that belong to no source folder or to a source folder above the target's folder,
        // and then all others. Among equally near catalogs, the catalog of the folder with the most Swift sources comes first.
        let nearness = home == place.folder ? 0 : home.map { place.folder.isWithin($0) } ?? true ? 1 : 2
        return (nearness, -(home.flatMap { weights[$0] } ?? 0), path.components.count, path.text)
      }
      // Catalogs for another target's Info.plist or interface files never belong to this target. A catalog for another target's code can be shared.
      let ranked = candidates.filter {
        !Self.isInTests($0, below: place.top) && (rank($0).0 < 2 || !Self.isOfOtherFiles($0))
      }
      guard let first = ranked.min(by: { rank($0) < rank($1) }) else { continue }
      target.catalogs[table] = first
      catalogs[first, default: []].append(target.id)
    }
    let home = target.catalogs["Localizable"] ?? target.catalogs.values.min()
    target.resourceFolder = home.map(StringTables.resourceFolder) ?? place.folder
  }

  private static func isInTests(_ path: TreePath, below top: TreePath) -> Bool {
    testFolder(path.parent, below: top).map { $0 != top } ?? false
  }

  /// Returns whether a catalog receives no strings from Swift sources because it belongs to an Info.plist or an interface file.
  private static func isOfOtherFiles(_ catalog: TreePath) -> Bool {
    isOfInfoPlist(catalog) || catalog.isInLanguageFolder
  }

  private static func isOfInfoPlist(_ catalog: TreePath) -> Bool {
    catalog.stem == "InfoPlist" || catalog.stem.hasSuffix("-InfoPlist")
  }

  /// Marks targets whose sources are not fully known. Folders do not show which sources an Xcode project builds into which target. If a project has
  /// several catalogs of one table, any of them may receive strings from sources in other folders.
  private mutating func shareDoubt() {
    struct Table: Hashable {
      var top: TreePath
      var name: String
    }
    var rivals: [Table: Set<TreePath>] = [:]
    for target in targets where target.feedsCatalogs {
      let top = regions.top(of: target.folder)
      for (name, path) in target.catalogs where !Self.isOfOtherFiles(path) {
        rivals[Table(top: top, name: name), default: []].insert(path)
      }
    }
    for (table, catalogs) in rivals.sorted(by: { ($0.key.top, $0.key.name) < ($1.key.top, $1.key.name) })
    where catalogs.count > 1 {
      let paths = catalogs.sorted()
      let listed = paths.prefix(4).map(\.text).joined(separator: ", ") + (paths.count > 4 ? ", …" : "")
      let diagnostic = Diagnostic(
        path: paths.first?.text ?? table.top.text, severity: .note,
        message:
          "\(paths.count) catalogs have the table \(table.name) (\(listed)), and folders do not "
          + "show which sources belong to which target; the strings of each source go to the nearest catalog",
        hint: "nothing is removed from these catalogs while the Xcode project is unread")
      diagnostics.append(diagnostic)
      for index in targets.indices {
        guard let own = targets[index].catalogs[table.name], catalogs.contains(own) else { continue }
        targets[index].unknownSources.append(diagnostic)
      }
    }
  }

  /// Returns the claims on files that exist once per language. A claim belongs to the innermost target, except tests, whose folder contains the
  /// files. If there is no such target, the claim has no target.
  func claims(of files: [TreePath]) -> [ClassicCatalogs.Claim] {
    let byFolder = Dictionary(
      targets.filter { !testFolders.contains($0.folder) }.map { ($0.folder, $0.id) },
      uniquingKeysWith: { first, _ in first })
    let folders = Set(byFolder.keys)
    return Dictionary(grouping: files, by: \.withoutLanguage).sorted { $0.key < $1.key }.flatMap { place, files in
      ClassicCatalogs.Claim.byName(files, of: place.innermost(of: folders).flatMap { byFolder[$0] }, in: nil)
    }
  }

  // MARK: Dependencies

  /// Sets the dependencies of the targets of folders. Folders are not modules, so each target can use the other targets of its project, except tests,
  /// and every package library of the tree.
  private mutating func connect(_ packages: PackageTargets) {
    let libraries = packages.targets.map(\.id).filter(packages.libraries.contains)
    let tops = targets.map { regions.top(of: $0.folder) }
    let usable = Dictionary(
      grouping: targets.indices.filter { !testFolders.contains(targets[$0].folder) }, by: { tops[$0] })
    for index in targets.indices {
      let siblings = (usable[tops[index]] ?? []).filter { $0 != index }
      targets[index].dependencies = siblings.map { targets[$0].id } + libraries
    }
  }
}
