/// The places where an Xcode export puts the strings of tables that a target lacks (xcode-formats.md C, generated files).
package struct TablePlaces: Hashable, Sendable {
  /// The candidate folders by preference: the folders of the target's tables, then those of its other resources, most files first. If the target has
  /// no resources, the candidates are the folders that the target includes as a whole, or else the folder of its Info.plist, or else the project's
  /// folder. For a target of a package, the only candidate is `Resources` in the target's folder. Never empty.
  package var folders: [TreePath]
  /// The development language.
  package var language: LocaleIdentifier
  /// Whether an export creates a String Catalog instead of a `.strings` file (`LOCALIZATION_PREFERS_STRING_CATALOGS`).
  package var prefersCatalogs: Bool
  /// The name of the table for the texts of the target's Info.plist; `nil` if the target has none.
  package var infoPlist: String?
  /// The Info.plist file; `nil` if it is missing or generated. Targets with the same Info.plist share its table.
  package var infoPlistFile: TreePath?
  /// The target's own tables, as in `ProjectTarget.catalogs`, without substitutes from other targets.
  package var own: [String: TreePath]
  /// The files of tables that exist only in other languages, by table name and language.
  package var translated: [String: [LocaleIdentifier: TreePath]]
  /// Whether the product is not a bundle but, for example, a tool or a static library. Such a product cannot contain translations, so the new
  /// tables of the target are exported as not translatable (all 677 units of four targets in Fred78290/caker, Xcode 26.4).
  package var isUntranslatable = false

  /// Whether the Xcode project has a language in addition to the development language.
  package var isOfLocalizedProject = false

  package init(
    folders: [TreePath], language: LocaleIdentifier, prefersCatalogs: Bool = false, infoPlist: String? = nil,
    infoPlistFile: TreePath? = nil, own: [String: TreePath] = [:],
    translated: [String: [LocaleIdentifier: TreePath]] = [:]
  ) {
    self.folders = folders
    self.language = language
    self.prefersCatalogs = prefersCatalogs
    self.infoPlist = infoPlist
    self.infoPlistFile = infoPlistFile
    self.own = own
    self.translated = translated
  }

  /// Returns the path of a table in a folder.
  func path(of table: String, in folder: TreePath, asCatalog: Bool) -> TreePath {
    asCatalog
      ? folder.stringCatalog(of: table) : folder.appending("\(language).lproj").appending(table + ".strings")
  }

  /// Returns the paths for missing tables. A table is put in the folder of its files in other languages, or else in the first folder without a table
  /// of that name, or else in `Resources` below the first folder, then `Resources 1`, and so on. The search for a table's folder starts with the
  /// folder of the previous table.
  func newPaths(of tables: [String], isFree: (TreePath) -> Bool) -> [(table: String, path: TreePath)] {
    var folders = folders
    return tables.map { table in
      if let folder = translated[table]?.values.min()?.folderOfLanguages {
        return (table, path(of: table, in: folder, asCatalog: false))
      }
      let path = { self.path(of: table, in: $0, asCatalog: prefersCatalogs) }
      let found = folders.lazy.map(path).first(where: isFree) ?? numbered(path, isFree)
      if folders.first != found.folderOfLanguages { folders.insert(found.folderOfLanguages, at: 0) }
      return (table, found)
    }
  }

  private func numbered(_ path: (TreePath) -> TreePath, _ isFree: (TreePath) -> Bool) -> TreePath {
    let first = folders.first ?? .root
    var found = path(first.appending("Resources"))
    var number = 0
    while !isFree(found) {
      number += 1
      found = path(first.appending("Resources \(number)"))
    }
    return found
  }

  /// Returns whether a table contains the texts of an Info.plist: `InfoPlist`, `App-InfoPlist`.
  package static func isInfoPlist(_ table: String) -> Bool { table == "InfoPlist" || table.hasSuffix("-InfoPlist") }
}

extension ProjectTarget {
  /// Returns the path of the catalog for the strings of a table. The catalog need not exist.
  package func catalog(of table: String) -> TreePath {
    catalogs[table] ?? newTables?.path(of: table, in: resourceFolder, asCatalog: newTables?.prefersCatalogs ?? true)
      ?? resourceFolder.stringCatalog(of: table)
  }
}

extension ProjectDescription {
  /// Returns the project with the tables of an export. Each target with `places` provides strings, and the tables that it lacks are created. If
  /// there are Xcode projects, this applies only to their targets and the dependencies of these targets. Any other target then provides strings
  /// only if it has a String Catalog.
  ///
  /// Tables are created in the order of the targets' names, uppercase first. For each target, the table of its Info.plist is created before
  /// `Localizable`. This order is inferred from the exports of Xcode 26.3 and 26.4 that could be compared with their projects. In 20 exports of Xcode
  /// 16.1 to 16.4, all of damus-io/damus, the last of three extensions comes first for an unknown reason.
  package func forExport() -> ProjectDescription {
    var project = exported()
    for index in targets.indices { project.targets[index].isForDevices = true }
    var taken = Set(catalogs.map(\.path))
    var tablesOfPlists: [TreePath: TreePath] = [:]
    let order = project.targets.indices.sorted {
      let (a, b) = (project.targets[$0], project.targets[$1])
      return a.name == b.name ? a.id < b.id : a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
    }
    let built = project.builtByProjects
    for index in order {
      guard let places = project.targets[index].places, let first = places.folders.first,
        built?.contains(project.targets[index].id) ?? true
      else {
        if built != nil, !project.targets[index].catalogs.values.contains(where: { $0.isKeptInStep }) {
          project.targets[index].feedsCatalogs = false
        }
        continue
      }
      var target = project.targets[index]
      target.catalogs = places.own
      target.feedsCatalogs = true
      target.newTables = places
      target.resourceFolder = first
      var wanted: [String] = []
      if let table = places.infoPlist, !target.catalogs.keys.contains(where: TablePlaces.isInfoPlist) {
        let known = places.translated.keys.sorted().first(where: TablePlaces.isInfoPlist)
        if let plist = places.infoPlistFile, let shared = tablesOfPlists[plist] {
          target.catalogs[known ?? table] = shared
        } else {
          wanted.append(known ?? table)
        }
      }
      if target.catalogs["Localizable"] == nil { wanted.append("Localizable") }
      for (table, path) in places.newPaths(of: wanted, isFree: { !taken.contains($0) }) {
        taken.insert(path)
        if table != "Localizable", let plist = places.infoPlistFile { tablesOfPlists[plist] = path }
        target.catalogs[table] = path
      }
      project.targets[index] = target
    }
    return project
  }

  /// Returns the project without the strings of targets whose settings exclude the target from exports (`LOCALIZATION_EXPORT_SUPPORTED = NO`), and
  /// without catalogs that belong only to such targets.
  private func exported() -> ProjectDescription {
    let kept = Set(
      targets.filter { $0.builtConfiguration?.settings["LOCALIZATION_EXPORT_SUPPORTED"]?.flag == false }.map(\.id))
    guard !kept.isEmpty else { return self }
    var project = self
    project.catalogs.removeAll { !$0.targets.isEmpty && kept.isSuperset(of: $0.targets) }
    for index in targets.indices where kept.contains(targets[index].id) {
      project.targets[index].places = nil
      project.targets[index].catalogs = [:]
      project.targets[index].feedsCatalogs = false
    }
    return project
  }

  /// The targets of Xcode projects that have `places`, and all their dependencies, including targets of packages; `nil` if there are none.
  private var builtByProjects: Set<TargetID>? {
    let built = targets.filter { if case .xcode = $0.kind { $0.places != nil } else { false } }
    return built.isEmpty ? nil : needed(by: built)
  }

  /// Returns the ids of the targets and of all their direct and indirect dependencies.
  func needed(by targets: [ProjectTarget]) -> Set<TargetID> {
    let dependencies = Dictionary(self.targets.map { ($0.id, $0.dependencies) }, uniquingKeysWith: { $1 })
    var open = targets.map(\.id)
    var found = Set(open)
    while let next = open.popLast() {
      for id in dependencies[next] ?? [] where found.insert(id).inserted { open.append(id) }
    }
    return found
  }
}
