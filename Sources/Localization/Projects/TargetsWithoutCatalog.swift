extension ProjectDescription {
  /// The targets that an export would include but that have no catalog, although other targets of the tree have catalogs. Their strings are in no
  /// catalog. The set is empty if the tree has no String Catalog, because the strings of every target are reported then, for catalogs that will be
  /// created.
  package var targetsWithoutCatalog: Set<TargetID> {
    let withTables = Set(catalogs.flatMap(\.targets))
    return Set(
      targets.filter { !$0.feedsCatalogs && !withTables.contains($0.id) && $0.isTranslated }.map(\.id))
  }

  /// Returns the project with `feedsCatalogs` set for these targets. An extraction from this project also finds their strings, for catalogs that do
  /// not exist yet.
  package func feeding(_ ids: Set<TargetID>) -> ProjectDescription {
    var project = self
    for index in targets.indices where ids.contains(targets[index].id) { project.targets[index].feedsCatalogs = true }
    return project
  }
}
