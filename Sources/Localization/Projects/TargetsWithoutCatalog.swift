extension ProjectDescription {
  /// The targets that an export would include but that have no catalog, although other targets of the tree have catalogs. Their strings are
  /// in no catalog. A tree without any catalog has no such targets, because each target then feeds a catalog that does not exist yet.
  package var targetsWithoutCatalog: Set<TargetID> {
    let withTables = Set(catalogs.flatMap(\.targets))
    return Set(
      targets.filter { !$0.feedsCatalogs && !withTables.contains($0.id) && $0.isTranslated }.map(\.id))
  }

  /// Returns the project in which these targets feed catalogs that do not exist yet.
  package func feeding(_ ids: Set<TargetID>) -> ProjectDescription {
    var project = self
    for index in targets.indices where ids.contains(targets[index].id) { project.targets[index].feedsCatalogs = true }
    return project
  }
}
