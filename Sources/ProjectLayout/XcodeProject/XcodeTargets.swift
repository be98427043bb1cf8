import Localization
import StructuredText

/// The targets of a tree's Xcode projects, with their files, tables and settings.
struct XcodeTargets {
  private(set) var targets: [ProjectTarget] = []
  /// The targets, except test targets, to which each catalog belongs.
  private(set) var catalogs: [TreePath: [TargetID]] = [:]
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var testFolders: [TreePath] = []
  /// The test targets, which have no texts for users.
  private(set) var idle: Set<TargetID> = []
  /// All sources and catalogs that targets include.
  private(set) var claimed: Set<TreePath> = []
  /// The targets' claims on files that exist once per language.
  private(set) var localized: [ClassicCatalogs.Claim] = []
  /// The targets, except test targets, that use a package of this repository that is not in the tree, each with the warning about the package.
  private(set) var absent: [TargetID: Diagnostic] = [:]

  /// The projects that have a catalog or a `.strings` table for a target that is not a test target.
  var translated: Set<TreePath> {
    Set(
      targets.compactMap { target in
        guard case .xcode(let project) = target.kind, !idle.contains(target.id), target.feedsCatalogs else {
          return nil
        }
        return project
      })
  }

  private let files: TreeFiles
  private let around: TargetFiles.Surroundings
  private let products: ProductIndex
  private let settingsFiles: ConfigurationFiles

  init(
    _ projects: [XcodeProject], workspaces: [Workspace], listing: TreeListing, regions: Regions,
    packages: PackageTargets, absent: AbsentFolders, tree: any SourceTree
  ) {
    files = TreeFiles(listing)
    around = TargetFiles.Surroundings(files: files, regions: regions, listing: listing, absent: absent)
    settingsFiles = ConfigurationFiles(tree, files: files)
    var taken = Set(packages.targets.map(\.id))
    var ids: [[TargetID]] = []
    for project in projects {
      ids.append(project.targets.map { Self.id($0.name, in: project, &taken) })
    }
    products = ProductIndex(projects, ids: ids, workspaces: workspaces, packages: packages)
    for (project, ids) in zip(projects, ids) { add(project, ids) }
    // The common folder of a test target's sources can be the project's own folder, which is not a test folder.
    let aboveBuilt = TreePath.withFoldersAbove(targets.filter { !idle.contains($0.id) }.map(\.folder))
    testFolders.removeAll { aboveBuilt.contains($0) }
    diagnostics += settingsFiles.diagnostics
  }

  /// Returns an id such as `App/App.xcodeproj:Widgets`. A number is added if several targets of a project have the same name.
  private static func id(_ name: String, in project: XcodeProject, _ taken: inout Set<TargetID>) -> TargetID {
    let plain = plainID(name, in: project).rawValue
    var id = TargetID(rawValue: plain)
    var count = 1
    while !taken.insert(id).inserted {
      count += 1
      id = TargetID(rawValue: "\(plain) (\(count))")
    }
    return id
  }

  static func plainID(_ name: String, in project: XcodeProject) -> TargetID {
    TargetID(rawValue: "\(project.path.parent):\(name)")
  }

  private mutating func add(_ project: XcodeProject, _ ids: [TargetID]) {
    diagnostics += project.diagnostics
    var settings = TargetSettings(project, files: settingsFiles, in: files)
    let synchronized = SynchronizedFolders(of: project)
    for (declared, id) in zip(project.targets, ids) {
      let configurations = settings.configurations(for: declared)
      var found = TargetFiles(of: declared, in: project, synchronized: synchronized.folders(of: declared), around)
      diagnostics += found.diagnostics
      let built = ProjectTarget.builtConfiguration(among: configurations)?.settings ?? [:]
      found.leaveOut(SourceFileFilter(built, in: project.sourceRoot))
      var target = ProjectTarget(
        id: id, name: declared.name, kind: .xcode(project: project.path), folder: project.folder,
        swiftSources: found.swift.sorted { $0.path < $1.path }, configurations: configurations,
        resourceFolder: project.folder, feedsCatalogs: false, unknownSources: found.unknown)
      target.generatedSources = found.generated
      target.missingTables = found.missingTables
      target.isExtension = declared.isExtension
      target.name = Self.moduleName(built, of: declared)
      target.folder = Self.folder(of: found, in: project)
      target.macros = Self.macros(built)
      takeOthers(of: found, in: project, built, for: &target)
      takeTables(of: found, in: project, for: &target)
      if declared.isTest {
        testFolders.append(target.folder)
        idle.insert(id)
        target.catalogs = [:]
      } else {
        for path in found.catalogs { catalogs[path, default: []].append(id) }
      }
      takeLocalized(of: found, in: project, for: declared.isTest ? nil : id)
      claimed.formUnion(found.catalogs)
      claimed.formUnion(target.swiftSources.map(\.path))
      claimed.formUnion(target.otherSources.map(\.path))
      target.feedsCatalogs = !target.catalogs.isEmpty
      target.resourceFolder = Self.resourceFolder(of: target)
      // An aggregate target builds nothing and needs no table.
      if !declared.isTest, declared.productType != nil {
        target.places = places(of: declared, found, in: project, target)
        target.places?.isUntranslatable = declared.isWithoutBundle
        target.places?.isOfLocalizedProject = project.isLocalized
      }
      target.dependencies = products.dependencies(of: declared, id, in: project)
      if !declared.isTest, let reason = products.absentPackage(of: declared, in: project, around.absent) {
        target.unknownSources.append(reason)
        absent[id] = reason
        diagnostics.append(reason)
      }
      targets.append(target)
    }
    diagnostics += settings.diagnostics
  }

  // MARK: Export

  /// Returns the information with which an export creates the tables that the target lacks: their folders, language and kind.
  private func places(
    of declared: XcodeTarget, _ found: TargetFiles, in project: XcodeProject, _ target: ProjectTarget
  ) -> TablePlaces {
    let settings = target.builtConfiguration?.settings ?? [:]
    let plist = target.otherSources.first { $0.path.ending == "plist" }?.path
    var folders: [TreePath] = []
    let tables = target.catalogs.filter { $0.value.parent.stem != "mul" && !TablePlaces.isInfoPlist($0.key) }
    for path in [tables["Localizable"]].compactMap(\.self) + tables.values.sorted() {
      let folder = path.folderOfLanguages
      if !folders.contains(folder) { folders.append(folder) }
    }
    var counts: [TreePath: Int] = [:]
    var order: [TreePath] = []
    for file in declared.resources {
      let folder = file.path.folderOfLanguages
      if counts[folder] == nil { order.append(folder) }
      counts[folder, default: 0] += 1
    }
    let ranked = order.enumerated().sorted {
      (-counts[$0.element, default: 0], $0.offset) < (-counts[$1.element, default: 0], $1.offset)
    }
    folders += ranked.map(\.element).filter { !folders.contains($0) }
    if folders.isEmpty { folders = found.folders.filter { $0.isWithin(project.folder) } }
    if folders.isEmpty, let folder = plist?.parent, folder.isWithin(project.folder) { folders = [folder] }
    if folders.isEmpty { folders = [project.folder] }
    // Xcode does not export the generated Info.plist of a resource bundle.
    let isOfResources =
      declared.productType == "com.apple.product-type.bundle" && target.swiftSources.isEmpty
      && !target.otherSources.contains { TreeListing.isCode($0.path) }
    let isPlistMade = settings["GENERATE_INFOPLIST_FILE"]?.flag == true && !isOfResources
    // A missing Info.plist file may have usage descriptions, so its target gets the table `InfoPlist` too.
    let isPlistNamed = settings["INFOPLIST_FILE"].map { !$0.value.isEmpty && !$0.value.contains("$") } ?? false
    var translated: [String: [LocaleIdentifier: TreePath]] = [:]
    for path in found.tables where path.isInLanguageFolder && target.catalogs[path.stem] == nil {
      guard let language = LocaleIdentifier(regionName: path.parent.stem) else { continue }
      if translated[path.stem]?[language] == nil { translated[path.stem, default: [:]][language] = path }
    }
    return TablePlaces(
      folders: folders, language: project.developmentRegion ?? "en",
      prefersCatalogs: settings["LOCALIZATION_PREFERS_STRING_CATALOGS"]?.flag == true,
      infoPlist: plist.map { Self.infoPlistTable(of: $0) } ?? (isPlistMade || isPlistNamed ? "InfoPlist" : nil),
      infoPlistFile: plist, own: target.catalogs, translated: translated)
  }

  /// Returns `InfoPlist` for `Info.plist`, `App-InfoPlist` for `App-Info.plist`, `Other-InfoPlist` for `Other.plist`.
  private static func infoPlistTable(of path: TreePath) -> String {
    let stem = path.stem
    if stem == "Info" { return "InfoPlist" }
    return stem.hasSuffix("-Info") ? stem + "Plist" : stem + "-InfoPlist"
  }

  // MARK: Settings

  private static func moduleName(_ settings: [String: BuildSetting], of target: XcodeTarget) -> String {
    let name = settings["PRODUCT_MODULE_NAME"]?.value ?? ""
    // A name with a reference is unknown until the project is built.
    guard !name.isEmpty, !name.contains("$") else {
      return SettingReference.apply("c99extidentifier", nil, to: target.name) ?? target.name
    }
    return name
  }

  /// Returns the macro names in addition to the two standard macros.
  private static func macros(_ settings: [String: BuildSetting]) -> [String] {
    var seen: Set<String> = ["NSLocalizedString", "CFCopyLocalizedString"]
    return (settings["LOCALIZED_STRING_MACRO_NAMES"]?.value ?? "").split(whereSeparator: \.isWhitespace)
      .map { String($0.filter { $0 != "\"" }) }.filter { !$0.isEmpty && !$0.contains("$") && seen.insert($0).inserted }
  }

  /// Returns the file to which a setting refers by a path relative to the project's folder; `nil` if the path is unknown or the file is missing.
  private func file(_ setting: BuildSetting?, in project: XcodeProject) -> TreeEntry? {
    guard var text = setting?.value, !text.isEmpty, let root = project.sourceRoot else { return nil }
    if text.hasPrefix("\""), text.hasSuffix("\""), text.count > 1 { text = String(text.dropFirst().dropLast()) }
    for name in ["SRCROOT", "PROJECT_DIR", "SOURCE_ROOT"] {
      for written in ["$(\(name))/", "${\(name)}/"] where text.hasPrefix(written) {
        text = String(text.dropFirst(written.count))
      }
    }
    guard !text.contains("$"), !text.hasPrefix("/") else { return nil }
    return TreePath(checking: root.appending(text).text).flatMap { files.find($0) }
  }

  // MARK: Files

  private func takeOthers(
    of found: TargetFiles, in project: XcodeProject, _ settings: [String: BuildSetting],
    for target: inout ProjectTarget
  ) {
    var others = found.code.union(found.headers)
    // Each interface file is included only once, in its source language.
    let languages = ["Base"] + StringTables.folderNames(of: project.developmentRegion ?? "en")
    for (_, variants) in Dictionary(grouping: found.interfaces, by: { Self.unlocalized($0.path) }) {
      func rank(_ path: TreePath) -> Int {
        !path.isInLanguageFolder ? -1 : languages.firstIndex(of: path.parent.stem) ?? languages.count
      }
      if let first = variants.min(by: { (rank($0.path), $0.path) < (rank($1.path), $1.path) }) { others.insert(first) }
    }
    if !found.code.isEmpty {
      for name in ["GCC_PREFIX_HEADER", "SWIFT_OBJC_BRIDGING_HEADER"] {
        if let header = file(settings[name], in: project) { others.insert(header) }
      }
    }
    if let plist = file(settings["INFOPLIST_FILE"], in: project) { others.insert(plist) }
    target.otherSources = others.sorted { $0.path < $1.path }
  }

  /// Collects the tables of a target: its catalogs, and for tables without a catalog, the `.strings` file that `StringTables.inSourceLanguage`
  /// returns.
  private mutating func takeTables(of found: TargetFiles, in project: XcodeProject, for target: inout ProjectTarget) {
    for (table, paths) in Dictionary(grouping: found.catalogs.sorted(), by: \.stem).sorted(by: { $0.key < $1.key }) {
      // A catalog in an `.lproj` folder (`mul.lproj`) belongs to an interface file. A catalog for code is outside such folders.
      let ranked = paths.sorted {
        ($0.isInLanguageFolder ? 1 : 0, $0.components.count, $0)
          < ($1.isInLanguageFolder ? 1 : 0, $1.components.count, $1)
      }
      guard let first = ranked.first else { continue }
      target.catalogs[table] = first
      let rivals = ranked.dropFirst().filter { !$0.isInLanguageFolder }
      if !rivals.isEmpty {
        diagnostics.append(
          Diagnostic(
            path: rivals[0].text, severity: .warning,
            message:
              "\(first) has the same table in target \(target.name) and receives the strings of the code",
            hint: "a table of a target can have only one catalog"))
      }
    }
    for (table, path) in StringTables.inSourceLanguage(found.tables, project.developmentRegion)
    where target.catalogs[table] == nil {
      target.catalogs[table] = path
    }
  }

  private mutating func takeLocalized(of found: TargetFiles, in project: XcodeProject, for target: TargetID?) {
    let grouped = found.variants.values.map {
      ClassicCatalogs.Claim(files: $0, target: target, language: project.developmentRegion)
    }
    localized += grouped.sorted { ($0.files.min() ?? .root) < ($1.files.min() ?? .root) }
    let others = found.tables.union(found.otherTables).union(found.interfaces.map(\.path))
      .subtracting(grouped.flatMap(\.files))
    localized += ClassicCatalogs.Claim.byName(
      others.union(found.settingsTables), of: target, in: project.developmentRegion)
  }

  private static func unlocalized(_ path: TreePath) -> TreePath {
    path.folderOfLanguages.appending(path.name)
  }

  /// Returns the folder that contains the sources: the first synchronized folder, or otherwise the common folder of the Swift sources, or of the C
  /// sources if there is no Swift source, or otherwise the project's folder.
  private static func folder(of found: TargetFiles, in project: XcodeProject) -> TreePath {
    if let folder = found.folders.first { return folder }
    let sources = found.swift.isEmpty ? found.code : found.swift
    guard var folder = sources.first?.path.parent else { return project.folder }
    for source in sources {
      while !source.path.isWithin(folder) { folder = folder.parent }
    }
    return folder
  }

  private static func resourceFolder(of target: ProjectTarget) -> TreePath {
    guard let home = target.catalogs["Localizable"] ?? target.catalogs.values.min() else { return target.folder }
    return home.folderOfLanguages
  }
}
