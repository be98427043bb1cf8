import Localization

/// Finds tables that a target has in a String Catalog and also in another file. Xcode refuses to build such a target: “Localizable.xcstrings cannot
/// co-exist with other .strings or .stringsdict tables with the same name”, “Cannot have multiple Localizable.xcstrings files in same target”
/// (XCStringsCompilerSpec of Swift Build).
enum TableRivals {
  private struct Place: Hashable {
    var target: TargetID
    var table: String
  }

  /// Describes the tables that a target of a package or an Xcode project has in a String Catalog and also in another file.
  static func obstacles(of project: ProjectDescription) -> [String] {
    CompletionGate.some(
      pairs(of: project), "tables are twice in a target, which Xcode refuses to build",
      "table is twice in a target, which Xcode refuses to build"
    ) { "\($0.catalog) and \($0.other) of target \($0.target); remove one of them from the target" }
  }

  /// Returns pairs of a target's String Catalog and another file of the same table.
  static func pairs(of project: ProjectDescription) -> [(catalog: TreePath, other: TreePath, target: TargetID)] {
    let built = project.builtTargets
    var tables: [Place: [TreePath]] = [:]
    for catalog in project.catalogs where !catalog.path.isInterface {
      // A String Catalog in `mul.lproj` belongs to an interface file.
      if catalog.isStringCatalog, catalog.path.isInLanguageFolder { continue }
      for target in catalog.targets where built.contains(target) {
        tables[Place(target: target, table: catalog.table), default: []].append(catalog.path)
      }
    }
    for (path, targets) in project.strayTables {
      for target in targets where built.contains(target) {
        tables[Place(target: target, table: path.stem), default: []].append(path)
      }
    }
    return tables.compactMap { place, paths -> (catalog: TreePath, other: TreePath, target: TargetID)? in
      let sorted = paths.sorted()
      guard let catalog = sorted.first(where: \.isStringCatalog), let other = sorted.first(where: { $0 != catalog })
      else { return nil }
      return (catalog, other, place.target)
    }.sorted { ($0.catalog, $0.target) < ($1.catalog, $1.target) }
  }
}
