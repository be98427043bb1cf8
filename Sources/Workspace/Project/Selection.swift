package import Localization

/// A target or table that a project does not have.
package struct UnknownName: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case target, table }

  package var kind: Kind
  package var name: String
  /// The names that the project has, sorted.
  package var known: [String]
}

/// The part of a project that a person selected.
package struct Selection: Sendable {
  private let targets: Set<TargetID>?
  private let tables: Set<String>?
  /// The targets of each catalog, including catalogs that code uses but that do not exist.
  private let feeding: [TreePath: Set<TargetID>]

  /// Creates a selection from the names of targets and tables.
  /// - Parameters:
  ///   - targets: the names of targets; an empty list selects all.
  ///   - tables: the names of tables; an empty list selects all.
  package init(targets: [String], tables: [String], in project: ProjectDescription) throws(UnknownName) {
    let names = Set(project.targets.map(\.name)).sorted()
    for target in targets where !names.contains(target) {
      throw UnknownName(kind: .target, name: target, known: names)
    }
    let known = Set(project.catalogs.map(\.table) + project.targets.flatMap(\.catalogs.keys)).sorted()
    for table in tables where !known.contains(table) { throw UnknownName(kind: .table, name: table, known: known) }
    self.targets = targets.isEmpty ? nil : Set(project.targets.filter { targets.contains($0.name) }.map(\.id))
    self.tables = tables.isEmpty ? nil : Set(tables)
    var feeding: [TreePath: Set<TargetID>] = [:]
    for catalog in project.catalogs { feeding[catalog.path, default: []].formUnion(catalog.targets) }
    for target in project.targets {
      for path in target.catalogs.values { feeding[path, default: []].insert(target.id) }
    }
    self.feeding = feeding
  }

  /// Whether everything is selected.
  package var isWhole: Bool { targets == nil && tables == nil }

  /// Returns whether a catalog is selected.
  /// - Parameter table: the name of the catalog's table if it differs from the file's name.
  package func contains(_ catalog: TreePath, table: String? = nil) -> Bool {
    (tables?.contains(table ?? catalog.stem) ?? true)
      && (targets.map { !$0.isDisjoint(with: feeding[catalog] ?? []) } ?? true)
  }

  /// Returns whether a table that belongs to these targets is selected.
  package func contains(table: String, of owners: some Sequence<TargetID>) -> Bool {
    (tables?.contains(table) ?? true) && (targets.map { targets in owners.contains(where: targets.contains) } ?? true)
  }
}
