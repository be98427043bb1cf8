/// Where an export of Xcode puts the strings of a target's tables that are not there (xcode-formats.md C, generated files).
package struct TablePlaces: Hashable, Sendable {
  /// The folders that come into question, best first: those of its tables, then of its other resources, of which the folder of the most is
  /// first; without resources the folders that the target takes whole, else that of its Info.plist, else the project's. Never empty.
  package var folders: [TreePath]
  /// The development language.
  package var language: LocaleIdentifier
  /// `LOCALIZATION_PREFERS_STRING_CATALOGS`: whether a String Catalog is made, not a `.strings` file.
  package var prefersCatalogs: Bool
  /// The table of its Info.plist; `nil` where it has none.
  package var infoPlist: String?
  /// The file of its Info.plist: targets that share one share its table.
  package var infoPlistFile: TreePath?
  /// The target's own tables, as `ProjectTarget.catalogs`, without those of other targets that stand in.
  package var own: [String: TreePath]
  /// The files of tables that are there in other languages only.
  package var translated: [String: [LocaleIdentifier: TreePath]]
  /// Whether the product is no bundle, so that nothing in it can be translated: a tool, a static library. What such a target's new tables
  /// hold goes out as not to be translated (all 677 units of four targets in Fred78290/caker, Xcode 26.4).
  package var isUntranslatable = false

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

  /// The file of a table in a folder.
  func path(of table: String, in folder: TreePath, asCatalog: Bool) -> TreePath {
    asCatalog
      ? folder.appending(table + ".xcstrings") : folder.appending("\(language).lproj").appending(table + ".strings")
  }

  /// The paths of tables that are not there: one goes beside those of its name in other languages, else to the first folder that has none
  /// of its name; where all have one, to `Resources` below the first, `Resources 1`, and so on. What is made shows where the next is
  /// looked for first.
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

  /// Whether a table holds the texts of an Info.plist: `InfoPlist`, `App-InfoPlist`.
  package static func isInfoPlist(_ table: String) -> Bool { table == "InfoPlist" || table.hasSuffix("-InfoPlist") }
}

extension ProjectTarget {
  /// The catalog that the strings of a table go to, there or not.
  package func catalog(of table: String) -> TreePath {
    catalogs[table] ?? newTables?.path(of: table, in: resourceFolder, asCatalog: newTables?.prefersCatalogs ?? true)
      ?? resourceFolder.appending(table + ".xcstrings")
  }
}

extension ProjectDescription {
  /// The project as an export sees it: every target but tests gives its strings, those without a table to one that the export makes. Where
  /// there are Xcode projects, a package counts that one of them needs and that names a `defaultLocalization`.
  ///
  /// Targets make their tables in the order of their names, uppercase first, each that of its Info.plist before `Localizable`. (So it is in
  /// the exports of Xcode 26.3 and 26.4 that could be compared with their projects; the order is inferred. In 20 of Xcode 16.1 to 16.4, all of
  /// damus-io/damus, the last of three extensions comes first; why is not known.)
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
        if built != nil, !project.targets[index].catalogs.values.contains(where: { $0.ending == "xcstrings" }) {
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

  /// The project without what its settings keep from exports (`LOCALIZATION_EXPORT_SUPPORTED = NO`): such a target gives no strings, and a
  /// catalog that only such targets take is left out.
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

  /// The targets that the tree's Xcode projects build, packages among them that they need; `nil` where there is no project.
  private var builtByProjects: Set<TargetID>? {
    let built = targets.filter { if case .xcode = $0.kind { $0.places != nil } else { false } }
    return built.isEmpty ? nil : needed(by: built)
  }

  /// Targets and all that they depend on, however far.
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
