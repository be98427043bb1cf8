extension ProjectDescription {
  /// The targets that an export would include, but whose strings go to no catalog, because they have none and others of the tree have one.
  /// In a tree without any catalog there are no such targets: all of them feed a catalog that is still missing.
  package var targetsWithoutCatalog: Set<TargetID> {
    let withTables = Set(catalogs.flatMap(\.targets))
    return Set(
      targets.filter { !$0.feedsCatalogs && !withTables.contains($0.id) && $0.isTranslated }.map(\.id))
  }

  /// Returns the project in which targets without a catalog feed one that does not exist.
  package func feeding(_ ids: Set<TargetID>) -> ProjectDescription {
    var project = self
    for index in targets.indices where ids.contains(targets[index].id) { project.targets[index].feedsCatalogs = true }
    return project
  }
}
