import Localization

/// A catalog that strings of code or of an Info.plist need and that does not exist.
struct WantedCatalog: Sendable {
  var path: TreePath
  /// The targets with these strings.
  var targets: [TargetID]
  /// The number of these strings.
  var count: Int

  /// Returns the wanted catalogs, sorted by path.
  static func all(of snapshot: ProjectSnapshot) -> [WantedCatalog] {
    let project = snapshot.project
    let known = Set(project.catalogs.map(\.path))
    let targets = Dictionary(project.targets.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let hasProjects = project.targets.contains { if case .folder = $0.kind { false } else { true } }
    var wanted: [TreePath: WantedCatalog] = [:]
    for string in snapshot.extraction.strings + snapshot.extraction.unplaced where !known.contains(string.catalog) {
      // Names in an Info.plist need no catalog, because only a person knows whether they should be translated.
      guard snapshot.tools.isKeptInStep(string.catalog), string.catalog.stem != "InfoPlist" else { continue }
      let owners = string.targets.filter { id in
        guard let target = targets[id] else { return false }
        // Sources outside all targets, such as scripts, examples and plugins, get no catalog, because no target would build the catalog.
        if case .folder = target.kind, hasProjects { return false }
        return true
      }
      if !owners.isEmpty { add(string.catalog, owners, &wanted) }
    }
    for catalog in snapshot.catalogsOfUsageDescriptions(besides: wanted.values.flatMap(\.targets))
    where !known.contains(catalog.path) {
      wanted[catalog.path] = wanted[catalog.path] ?? catalog
    }
    return wanted.values.sorted { $0.path < $1.path }
  }

  private static func add(_ path: TreePath, _ owners: [TargetID], _ wanted: inout [TreePath: WantedCatalog]) {
    var catalog = wanted[path] ?? WantedCatalog(path: path, targets: [], count: 0)
    catalog.targets += owners.filter { !catalog.targets.contains($0) }
    catalog.count += 1
    wanted[path] = catalog
  }

  /// Returns the steps that a person must take for catalogs that cannot be added to an Xcode project automatically.
  static func refusals(
    of wanted: [WantedCatalog], except new: Set<TreePath>, in project: ProjectDescription
  ) -> [Diagnostic] {
    wanted.compactMap { catalog in
      guard !new.contains(catalog.path), let target = project.targets.first(where: { $0.id == catalog.targets.first }),
        case .xcode(let path) = target.kind
      else { return nil }
      let count = catalog.count
      return Diagnostic(
        path: path.text, severity: .warning,
        message:
          "\(count == 1 ? "1 string" : "\(count) strings") of target \(target.name) \(count == 1 ? "has" : "have") no "
          + "\(catalog.path.name), and it cannot be added to the project automatically",
        hint:
          "add an empty String Catalog named \(catalog.path.stem) to the target in Xcode, or in the file that generates the "
          + "project, then run `dragoman sync`")
    }
  }
}

extension ProjectSnapshot {
  /// Returns the String Catalogs that usage descriptions need because no table exists.
  /// - Parameter others: targets that will have a table.
  fileprivate func catalogsOfUsageDescriptions(besides others: [TargetID]) -> [WantedCatalog] {
    UsageDescriptions(of: self, besides: others).tables.compactMap { table in
      let owners = project.targets.filter { table.description.targets.contains($0.id) }
      guard !table.exists, table.description.localizations.isEmpty, let first = owners.first else { return nil }
      // The catalog is created next to the Info.plist, because several targets may share the folder in which an export would create it.
      let folder = owners.lazy.compactMap { $0.places?.infoPlistFile?.folderOfLanguages }.first ?? first.folder
      return WantedCatalog(
        path: folder.stringCatalog(of: table.description.table), targets: owners.map(\.id),
        count: table.lacking.count)
    }
  }
}
