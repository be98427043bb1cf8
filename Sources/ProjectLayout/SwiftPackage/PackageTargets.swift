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
  private let regions: Regions
  private let absentFolders: AbsentFolders
  /// The folders of the packages by identity: the folder's name in lower case.
  private let byIdentity: [String: [TreePath]]

  init(
    _ packages: [TreePath: PackageManifest], regions: Regions, listing: TreeListing, absent absentFolders: AbsentFolders
  ) {
    self.packages = packages
    self.regions = regions
    self.absentFolders = absentFolders
    byIdentity = Dictionary(grouping: packages.keys.sorted()) { $0.name.lowercased() }
    let swift = split((listing.swift + listing.dataModels).sorted { $0.path < $1.path })
    let others = split(listing.others)
    let files = split(listing.catalogs)
    let tables = split(listing.tables)
    let otherTables = split(listing.otherTables)
    let headers = split(listing.headers)
    let links = split(listing.links)
    let leftOut = split(listing.leftOut)
    leftSwift = swift.outside
    leftOthers = others.outside
    leftCatalogs = files.outside
    for (folder, manifest) in packages.sorted(by: { $0.key < $1.key }) {
      add(
        manifest, listing: listing, swift: swift.inside[folder] ?? [], others: others.inside[folder] ?? [],
        catalogs: files.inside[folder] ?? [], tables: tables.inside[folder] ?? [],
        otherTables: otherTables.inside[folder] ?? [], headers: headers.inside[folder] ?? [],
        links: links.inside[folder] ?? [], leftOut: leftOut.inside[folder] ?? [])
    }
    // A data model outside all targets is never built.
    leftSwift.removeAll(where: \.path.isDataModel)
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
    links: [TreeEntry],
    leftOut: [TreeEntry]
  ) {
    let folders = PackageFolders(manifest, in: listing, absent: absentFolders)
    diagnostics += folders.diagnostics
    inSubmodules.formUnion(folders.submodules)
    for (target, reason) in folders.absent { absent[Self.id(target.name, in: manifest.folder)] = reason }
    var made = folders.placed.map { $0.projectTarget(of: manifest) }
    // Inner folders come first, because a file in nested target folders belongs to the inner target.
    let order = folders.placed.indices.sorted {
      (folders.placed[$1].folder.text.utf8.count, $0) < (folders.placed[$0].folder.text.utf8.count, $1)
    }
    let placed = folders.placed
    // Even if parts of the manifest are unknown, the files of an Xcode project in the package's folder can belong to targets derived from folders.
    let isOpen =
      !manifest.openTargets.isEmpty
      || manifest.targets.contains { if case .unknown = $0.location { true } else { false } }
    func isLeft(_ path: TreePath) -> Bool { !isOpen || regions.projectFolder(of: path.parent) != nil }

    for entry in swift where !Self.isManifest(entry.path, of: manifest) {
      if let index = order.first(where: { placed[$0].takesSource(entry.path) }) {
        made[index].swiftSources.append(entry)
      } else if isLeft(entry.path), !isExcludedPart(entry.path, placed) {
        leftSwift.append(entry)
      }
    }
    for entry in others {
      if let index = order.first(where: { placed[$0].takesSource(entry.path) || placed[$0].takes(entry.path) }) {
        made[index].otherSources.append(entry)
      } else if isLeft(entry.path) {
        leftOthers.append(entry)
      }
    }
    for entry in headers {
      guard let index = order.first(where: { placed[$0].takes(entry.path) }) else { continue }
      if made[index].otherSources.contains(where: { TreeListing.isCode($0.path) }) {
        made[index].otherSources.append(entry)
      }
    }
    for entry in files {
      if let index = order.first(where: { placed[$0].takes(entry.path) }) {
        if placed[index].copied.contains(where: { entry.path.isWithin($0) }) {
          note(entry.path, "the package copies this catalog unchanged, so it receives no strings")
        } else {
          claim(entry.path, for: &made[index])
        }
      } else if isLeft(entry.path) {
        leftCatalogs.append(entry)
      }
    }
    for entry in links {
      guard let index = order.first(where: { placed[$0].takesSource(entry.path) }) else { continue }
      let diagnostic = TreeListing.inLink(entry.path, of: made[index].name)
      made[index].unknownSources.append(diagnostic)
      diagnostics.append(diagnostic)
    }
    for submodule in listing.submodules where regions.package(of: submodule.parent) == manifest.folder {
      // SwiftPM also compiles the files of a nested repository.
      for index in placed.indices where placed[index].takesSources(in: submodule) {
        inSubmodules.insert(submodule)
        made[index].unknownSources.append(TreeListing.inSubmodule(submodule, of: made[index].name))
        diagnostics.append(TreeListing.inSubmodule(submodule, of: made[index].name))
      }
    }
    let sparse = Dictionary(grouping: leftOut.map(\.path)) { path in order.first { placed[$0].takesSource(path) } }
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
    for index in made.indices {
      made[index].otherSources.sort { $0.path < $1.path }
      func isRead(_ path: TreePath) -> Bool {
        order.first { placed[$0].takes(path) } == index && !placed[index].copied.contains { path.isWithin($0) }
      }
      let read = tables.map(\.path).filter(isRead)
      let localizable =
        read + otherTables.map(\.path).filter(isRead)
        + others.map(\.path).filter { $0.isInterface && isRead($0) }
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
    for test in placed where test.target.kind == .test {
      testFolders += built.contains { $0.folder.isWithin(test.folder) } ? test.sources ?? [] : [test.folder]
    }
    targets += made
  }

  private static func isManifest(_ path: TreePath, of manifest: PackageManifest) -> Bool {
    path.parent == manifest.folder && (path.name == "Package.swift" || path.name.hasPrefix("Package@swift-"))
  }

  /// Returns whether a file is in a target's folder, but `sources` or `exclude` leaves it out, and no Xcode project can build it.
  private func isExcludedPart(_ path: TreePath, _ placed: [PackageFolders.Placed]) -> Bool {
    regions.projectFolder(of: path.parent) == nil
      && placed.contains { !$0.takesSource(path) && path.isWithin($0.folder) && !$0.excluded.contains($0.folder) }
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
    let known = Set(targets.map(\.id))
    for index in targets.indices {
      guard case .package(let path) = targets[index].kind, let manifest = packages[path.parent],
        let declared = manifest.targets.first(where: { Self.id($0.name, in: manifest.folder) == targets[index].id })
      else { continue }
      var found: [TargetID] = []
      for dependency in declared.dependencies {
        for id in resolve(dependency, of: manifest) where known.contains(id) && !found.contains(id) { found.append(id) }
      }
      targets[index].dependencies = found
      let reasons = declared.dependencies.compactMap { dependency in
        manifest.absentPackage(dependency, of: declared.name, absentFolders) {
          !product($0, of: nil, for: manifest).isEmpty
        }
      }
      guard let reason = reasons.first else { continue }
      targets[index].unknownSources.append(reason)
      absent[targets[index].id] = reason
      diagnostics.append(reason)
    }
  }

  private func resolve(_ dependency: ManifestTarget.Dependency, of manifest: PackageManifest) -> [TargetID] {
    switch dependency {
    case .target(let name): return [Self.id(name, in: manifest.folder)]
    case .byName(let name):
      let isOwn = manifest.targets.contains { $0.name == name }
      return isOwn ? [Self.id(name, in: manifest.folder)] : product(name, of: nil, for: manifest)
    case .product(let name, let package): return product(name, of: package, for: manifest)
    }
  }

  /// Returns the folders of the packages to which a path may refer. The packages of a project that is open in Xcode replace other packages with the
  /// same identity, even if the paths of those packages do not exist.
  private func homes(of folder: TreePath) -> [TreePath] {
    guard packages[folder] == nil else { return [folder] }
    return byIdentity[folder.name.lowercased()] ?? []
  }

  private func product(_ name: String, of package: String?, for manifest: PackageManifest) -> [TargetID] {
    let candidates =
      manifest.mayUseOtherPackages
      ? packages.keys.sorted()
      : manifest.localPackages.flatMap { homes(of: $0.folder) }
    for folder in candidates where folder != manifest.folder {
      guard let other = packages[folder] else { continue }
      // A package's identity is its folder's name, ignoring case. Older manifests use the package's own name.
      if let package, package.lowercased() != folder.name.lowercased(), package != other.name { continue }
      if let names = other.products[name] { return names.map { Self.id($0, in: folder) } }
      if other.targets.contains(where: { $0.name == name }) { return [Self.id(name, in: folder)] }
    }
    return []
  }
}
