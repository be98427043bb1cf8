import Localization

/// The targets of a tree's packages with their files, and the remaining files, which targets derived from folders can use.
struct PackageTargets {
  private(set) var targets: [ProjectTarget] = []
  /// The targets of each catalog. Copied catalogs are excluded.
  private(set) var catalogs: [TreePath: [TargetID]] = [:]
  private(set) var diagnostics: [Diagnostic] = []
  /// The Swift files that belong to no target of a package. In a package whose targets are not all known, only the files of Xcode projects are
  /// included. A file that the manifest excludes is included only if it is in the folder of an Xcode project.
  private(set) var leftSwift: [TreeEntry] = []
  private(set) var leftOthers: [TreeEntry] = []
  private(set) var leftCatalogs: [TreeEntry] = []
  /// The targets' claims on files that exist once per language.
  private(set) var localized: [ClassicCatalogs.Claim] = []
  /// The folders of test targets. The languages in these folders do not count as languages of the project.
  private(set) var testFolders: [TreePath] = []

  /// The targets without texts for users: tests, plug-ins, macros.
  private(set) var idle: Set<TargetID> = []

  /// The regular targets, which other targets can import.
  private(set) var libraries: Set<TargetID> = []

  /// The submodules that may contain sources of a target.
  private(set) var inSubmodules: Set<TreePath> = []

  /// The targets whose folder, or a package that they use, is not in the tree, each with the diagnostic about what is missing.
  private(set) var absent: [TargetID: Diagnostic] = [:]

  /// Diagnostics about tables of packages that are not built (`ProjectDescription.unbuiltTables`).
  private(set) var unbuilt: [Diagnostic] = []

  let packages: [TreePath: PackageManifest]
  let dependencies: PackageDependencies
  private(set) var ids: Set<TargetID> = []
  private let regions: Regions
  private let absentFolders: AbsentFolders
  /// The number of steps in which files were assigned to targets (`PackageOwners.steps`).
  private(set) var steps = 0

  init(
    _ packages: [TreePath: PackageManifest], regions: Regions, listing: TreeListing, absent absentFolders: AbsentFolders
  ) {
    self.packages = packages
    dependencies = PackageDependencies(packages)
    self.regions = regions
    self.absentFolders = absentFolders
    let swift = split((listing.swift + listing.dataModels).sorted { $0.path < $1.path })
    let others = split(listing.others)
    let files = split(listing.catalogs)
    let tables = split(listing.tables)
    let otherTables = split(listing.otherTables)
    let headers = split(listing.headers)
    let links = split(listing.links)
    let leftOut = split(listing.leftOut)
    let submodules = Dictionary(grouping: listing.submodules) { regions.package(of: $0.parent) }
    leftSwift = swift.outside
    leftOthers = others.outside
    leftCatalogs = files.outside
    for (folder, manifest) in packages.sorted(by: { $0.key < $1.key }) {
      add(
        manifest, listing: listing, swift: swift.inside[folder] ?? [], others: others.inside[folder] ?? [],
        catalogs: files.inside[folder] ?? [], tables: tables.inside[folder] ?? [],
        otherTables: otherTables.inside[folder] ?? [], headers: headers.inside[folder] ?? [],
        links: links.inside[folder] ?? [], submodules: submodules[folder] ?? [],
        leftOut: leftOut.inside[folder] ?? [])
    }
    // A data model outside all targets is never built.
    leftSwift.removeAll(where: \.path.isDataModel)
    ids = Set(targets.map(\.id))
    resolveDependencies()
  }

  /// Groups files by the innermost package that contains them.
  private func split(_ entries: [TreeEntry]) -> (inside: [TreePath: [TreeEntry]], outside: [TreeEntry]) {
    var inside: [TreePath: [TreeEntry]] = [:]
    var outside: [TreeEntry] = []
    for entry in entries {
      if let package = regions.package(of: entry.path.parent) {
        inside[package, default: []].append(entry)
      } else {
        outside.append(entry)
      }
    }
    return (inside, outside)
  }

  static func id(_ name: String, in folder: TreePath) -> TargetID {
    TargetID(rawValue: folder.isRoot ? name : "\(folder):\(name)")
  }

  private mutating func add(
    _ manifest: PackageManifest, listing: TreeListing, swift: [TreeEntry], others: [TreeEntry],
    catalogs files: [TreeEntry], tables: [TreeEntry], otherTables: [TreeEntry], headers: [TreeEntry],
    links: [TreeEntry], submodules: [TreePath], leftOut: [TreeEntry]
  ) {
    let folders = PackageFolders(manifest, in: listing, absent: absentFolders)
    diagnostics += folders.diagnostics
    inSubmodules.formUnion(folders.submodules)
    for (target, reason) in folders.absent { absent[Self.id(target.name, in: manifest.folder)] = reason }
    var made = folders.placed.map { $0.projectTarget(of: manifest) }
    let placed = folders.placed
    var owners = PackageOwners(placed)
    let copied = placed.map { Set($0.copied) }
    // Even if parts of the manifest are unknown, the files of an Xcode project in the package's folder can belong to targets derived from folders.
    let isOpen =
      !manifest.openTargets.isEmpty
      || manifest.targets.contains { if case .unknown = $0.location { true } else { false } }
    func isLeft(_ path: TreePath) -> Bool { !isOpen || regions.projectFolder(of: path.parent) != nil }
    // The folders of targets, except those whose whole folder is excluded. In these folders, `sources` or `exclude` can leave a file out.
    let partial = Set(placed.filter { !$0.excluded.contains($0.folder) }.map(\.folder))

    for entry in swift where !Self.isManifest(entry.path, of: manifest) {
      if let index = owners.owner(ofSource: entry.path) {
        made[index].swiftSources.append(entry)
      } else if isLeft(entry.path),
        // A file that a target leaves out is included only if an Xcode project can build it.
        regions.projectFolder(of: entry.path.parent) != nil || !entry.path.isWithinAny(of: partial)
      {
        leftSwift.append(entry)
      }
    }
    for entry in others {
      if let index = owners.owner(ofSourceOrResource: entry.path) {
        made[index].otherSources.append(entry)
      } else if isLeft(entry.path) {
        leftOthers.append(entry)
      }
    }
    let haveCode = made.map { $0.otherSources.contains { TreeListing.isCode($0.path) } }
    for entry in headers {
      guard let index = owners.owner(ofResource: entry.path), haveCode[index] else { continue }
      made[index].otherSources.append(entry)
    }
    for entry in files {
      if let index = owners.owner(ofResource: entry.path) {
        if entry.path.isWithinAny(of: copied[index]) {
          note(entry.path, "the package copies this catalog unchanged, so it receives no strings")
        } else {
          claim(entry.path, for: &made[index])
        }
      } else if isLeft(entry.path) {
        leftCatalogs.append(entry)
      }
    }
    for entry in links {
      guard let index = owners.owner(ofSource: entry.path) else { continue }
      let diagnostic = TreeListing.inLink(entry.path, of: made[index].name)
      made[index].unknownSources.append(diagnostic)
      diagnostics.append(diagnostic)
    }
    for submodule in submodules {
      // SwiftPM also compiles the files of a nested repository.
      for index in owners.holders(of: submodule) where placed[index].takesSources(in: submodule) {
        inSubmodules.insert(submodule)
        made[index].unknownSources.append(TreeListing.inSubmodule(submodule, of: made[index].name))
        diagnostics.append(TreeListing.inSubmodule(submodule, of: made[index].name))
      }
    }
    let sparse = Dictionary(grouping: leftOut.map(\.path)) { owners.owner(ofSource: $0) }
    for index in made.indices {
      guard let diagnostic = TreeListing.outsideCheckout(sparse[index] ?? [], of: made[index].name) else { continue }
      made[index].unknownSources.append(diagnostic)
      diagnostics.append(diagnostic)
    }
    for error in listing.unreadable {
      for index in made.indices where error.path.isWithin(made[index].folder) || made[index].folder.isWithin(error.path)
      {
        made[index].unknownSources.append(error.diagnostic)
      }
    }
    // The files of each target, except for files that it copies unchanged.
    func taken(_ paths: [TreePath]) -> [Int: [TreePath]] {
      var found: [Int: [TreePath]] = [:]
      for path in paths {
        guard let index = owners.owner(ofResource: path), !path.isWithinAny(of: copied[index]) else { continue }
        found[index, default: []].append(path)
      }
      return found
    }
    let readTables = taken(tables.map(\.path))
    let readOthers = taken(otherTables.map(\.path) + others.map(\.path).filter(\.isInterface))
    steps += owners.steps
    for index in made.indices {
      made[index].otherSources.sort { $0.path < $1.path }
      let read = readTables[index] ?? []
      let localizable = read + (readOthers[index] ?? [])
      localized += ClassicCatalogs.Claim.byName(
        localizable, of: placed[index].target.kind == .test ? nil : made[index].id, in: manifest.defaultLocalization)
      made[index].catalogs.merge(StringTables.inSourceLanguage(read, manifest.defaultLocalization)) { catalog, _ in
        catalog
      }
      finish(&made[index], placed[index], in: manifest.defaultLocalization, listing: listing)
      if !idle.contains(made[index].id) {
        unbuilt += UnbuiltTables.diagnostics(
          of: placed[index], localized: localizable.filter(\.isInLanguageFolder),
          catalogs: made[index].catalogs.values.filter(\.isStringCatalog), manifest)
      }
    }
    let built = made.filter { !idle.contains($0.id) }
    // A test target whose folder contains other targets lists its own files in `sources`.
    let aboveBuilt = TreePath.withFoldersAbove(built.map(\.folder))
    for test in placed where test.target.kind == .test {
      testFolders += aboveBuilt.contains(test.folder) ? test.sources ?? [] : [test.folder]
    }
    targets += made
  }

  private static func isManifest(_ path: TreePath, of manifest: PackageManifest) -> Bool {
    path.parent == manifest.folder && (path.name == "Package.swift" || path.name.hasPrefix("Package@swift-"))
  }

  private mutating func claim(_ path: TreePath, for target: inout ProjectTarget) {
    let table = path.stem
    if let other = target.catalogs[table] {
      diagnostics.append(
        Diagnostic(
          path: path.text, severity: .warning,
          message: "\(other) has the same table in target \(target.name) and receives the strings",
          hint: "a table of a target can have only one catalog"))
    } else {
      target.catalogs[table] = path
    }
  }

  private mutating func note(_ path: TreePath, _ message: String) {
    diagnostics.append(Diagnostic(path: path.text, severity: .note, message: message))
  }

  /// Sets the properties that depend on all files of a target, and adds the target to the lists of its kind and of its catalogs.
  private mutating func finish(
    _ target: inout ProjectTarget, _ placed: PackageFolders.Placed, in language: LocaleIdentifier?,
    listing: TreeListing
  ) {
    if placed.target.kind == .test { target.catalogs = [:] }
    if [.test, .plugin, .macro].contains(placed.target.kind) { idle.insert(target.id) }
    if placed.target.kind == .regular { libraries.insert(target.id) }
    target.feedsCatalogs = !target.catalogs.isEmpty
    for path in target.catalogs.values { catalogs[path, default: []].append(target.id) }
    let listed = placed.target.resourcePaths(in: target.folder, [.process]).first { listing.folders.contains($0) }
    let home = target.catalogs["Localizable"] ?? target.catalogs.values.min()
    target.resourceFolder = home.map(StringTables.resourceFolder) ?? listed ?? target.folder
    // Xcode exports nothing from a package without a `defaultLocalization` (seen in damus and KeepingYouAwake).
    if !idle.contains(target.id), let language {
      target.places = TablePlaces(
        folders: [target.folder.appending("Resources")], language: language, own: target.catalogs)
    }
  }

  // MARK: Dependencies

  private mutating func resolveDependencies() {
    let declarations = packages.mapValues { manifest in
      Dictionary(
        manifest.targets.map { (Self.id($0.name, in: manifest.folder), $0) }, uniquingKeysWith: { first, _ in first })
    }
    for target in targets.indices {
      guard case .package(let path) = targets[target].kind, let manifest = packages[path.parent],
        let declared = declarations[path.parent]?[targets[target].id]
      else { continue }
      var found: [TargetID] = []
      var seen: Set<TargetID> = []
      for dependency in declared.dependencies {
        for id in dependencies.resolve(dependency, of: manifest) where ids.contains(id) && seen.insert(id).inserted {
          found.append(id)
        }
      }
      targets[target].dependencies = found
      let reasons = declared.dependencies.compactMap { dependency in
        manifest.absentPackage(dependency, of: declared.name, absentFolders) {
          !dependencies.product($0, of: nil, for: manifest).isEmpty
        }
      }
      guard let reason = reasons.first else { continue }
      targets[target].unknownSources.append(reason)
      absent[targets[target].id] = reason
      diagnostics.append(reason)
    }
  }
}
