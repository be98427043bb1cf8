extension ProjectDescription {
  /// The targets that an export would include, but whose strings go to no catalog, because they have no catalog although other targets of
  /// the tree do. A tree without any catalog has no such targets: each target then feeds a catalog that has yet to be created.
  package var targetsWithoutCatalog: Set<TargetID> {
    let withTables = Set(catalogs.flatMap(\.targets))
    return Set(
      targets.filter { !$0.feedsCatalogs && !withTables.contains($0.id) && $0.isTranslated }.map(\.id))
  }

  /// Returns the project with these targets feeding catalogs that do not exist yet.
  package func feeding(_ ids: Set<TargetID>) -> ProjectDescription {
    var project = self
    for index in targets.indices where ids.contains(targets[index].id) { project.targets[index].feedsCatalogs = true }
    return project
  }
}
