package import Localization

/// The files from which Xcode's migration makes one String Catalog: the `.strings` and `.stringsdict` files of one table, or the files that translate
/// a storyboard or xib.
package struct TableGroup: Sendable {
  /// The path of the new catalog: next to the `.lproj` folders, or in `mul.lproj` for an interface file (xcode-formats.md G).
  package let path: TreePath
  /// The catalogs. The `.stringsdict` comes before the `.strings`, because it takes precedence at run time.
  package var catalogs: [ProjectCatalog]
  /// Files of languages beside the existing catalog at `path`, for example because a merge brought them back after a conversion. They belong to none
  /// of `catalogs`, because the source language has no such file.
  private(set) var leftovers: [TreePath] = []
  private var targetsOfLeftovers: Set<TargetID> = []

  package var table: String { path.stem }
  /// The storyboard or xib that the files translate; `nil` for a table of code.
  package var interface: TreePath? { catalogs.first { $0.path.isInterface }?.path }
  package var targets: Set<TargetID> { targetsOfLeftovers.union(catalogs.flatMap(\.targets)) }

  private init(path: TreePath, catalogs: [ProjectCatalog]) {
    self.path = path
    self.catalogs = catalogs
  }

  /// Returns all groups of a project, sorted by the path of the new catalog.
  package static func all(of project: ProjectDescription) -> [TableGroup] {
    // The Settings app reads `.strings` files of the bundle directly.
    let tables = project.catalogs.filter {
      ["strings", "stringsdict"].contains($0.path.ending) && $0.path.isInLanguageFolder && !$0.path.isInSettingsBundle
    }
    let byPath = Dictionary(grouping: tables) { catalog in
      catalog.path.folderOfLanguages.stringCatalog(of: catalog.table)
    }
    var groups = byPath.sorted { $0.key < $1.key }.map { path, catalogs in
      TableGroup(path: path, catalogs: catalogs.sorted { $0.path.ending > $1.path.ending })
    }
    joinRules(&groups)
    let interfaces = project.catalogs.filter { translatesInterface($0) && $0.path.parent.stem == "Base" }.map {
      TableGroup(path: $0.path.folderOfLanguages.appending("mul.lproj").stringCatalog(of: $0.table), catalogs: [$0])
    }
    groups += interfaces
    for group in leftovers(of: project) {
      guard let known = groups.firstIndex(where: { $0.path == group.path }) else {
        groups.append(group)
        continue
      }
      groups[known].takeLeftovers(of: group)
    }
    return groups.sorted { $0.path < $1.path }
  }

  /// Adds the leftovers of another group with the same catalog. If the source language has no `.stringsdict`, the `.stringsdict` files of other
  /// languages are left out here, because the conversion finds them itself.
  private mutating func takeLeftovers(of other: TableGroup) {
    let hasRules = catalogs.contains { $0.path.ending == "stringsdict" }
    leftovers = other.leftovers.filter { hasRules || $0.ending == "strings" }
    targetsOfLeftovers = other.targetsOfLeftovers
  }

  /// Returns a group for each String Catalog whose targets also have files of the same table in other languages than the source language.
  private static func leftovers(of project: ProjectDescription) -> [TableGroup] {
    let catalogs = project.catalogs.filter { $0.isStringCatalog && !$0.path.isInLanguageFolder }
    var groups: [TreePath: TableGroup] = [:]
    for (path, targets) in project.strayTables.sorted(by: { $0.key < $1.key })
    where LocaleIdentifier(regionName: path.parent.stem) != nil && path.isInLanguageFolder && !path.isInSettingsBundle {
      // If one of the targets lacks the catalog, it would lose the texts of the file.
      guard let catalog = catalogs.first(where: { $0.table == path.stem && targets.isSubset(of: $0.targets) }) else {
        continue
      }
      groups[catalog.path, default: TableGroup(path: catalog.path, catalogs: [])].leftovers.append(path)
      groups[catalog.path]?.targetsOfLeftovers.formUnion(targets)
    }
    return groups.values.map { group in
      var group = group
      group.leftovers.sort { ($1.ending, $0) < ($0.ending, $1) }
      return group
    }
  }

  /// Joins a `.stringsdict` to the `.strings` of the same table and target in another folder, because a build includes a table only once.
  private static func joinRules(_ groups: inout [TableGroup]) {
    for index in groups.indices.reversed() where groups[index].catalogs.allSatisfy({ $0.path.ending == "stringsdict" })
    {
      let rules = groups[index]
      let others = groups.indices.filter { other in
        other != index && groups[other].table == rules.table && !groups[other].targets.isDisjoint(with: rules.targets)
          && groups[other].catalogs.allSatisfy { $0.path.ending == "strings" }
      }
      guard others.count == 1, let other = others.first else { continue }
      groups[other].catalogs.insert(contentsOf: rules.catalogs, at: 0)
      groups.remove(at: index)
    }
  }

  private static func translatesInterface(_ catalog: ProjectCatalog) -> Bool {
    guard ["storyboard", "xib"].contains(catalog.path.ending) else { return false }
    return catalog.twin != nil || catalog.localizations.values.contains { $0.ending == "strings" }
  }

  /// Reports the interface files whose translations are not converted, each with the reason why they are not.
  package static func staying(of project: ProjectDescription) -> [Diagnostic] {
    project.catalogs.filter { $0.path.isInterface && $0.localizations.values.contains { $0.ending == "strings" } }
      .filter { !(translatesInterface($0) && $0.path.parent.stem == "Base") }.sorted { $0.path < $1.path }.map {
        catalog in
        let cause =
          catalog.path.ending == "intentdefinition"
          ? "Dragoman cannot create String Catalogs for intent definitions" : "the file is not in Base.lproj"
        return Diagnostic(
          path: catalog.path.text, severity: .note,
          message: "its .strings files were not converted: \(cause)")
      }
  }
}
