import Localization

/// Checks for catalogs that `extract.paths` and `extract.exclude` remove from a pipeline while units are outstanding. A mistake in a
/// pattern has the same effect as a removal of all strings.
extension DiffStage {
  /// Checks that the settings leave strings on a watched branch.
  /// - Throws: if they leave none while units are outstanding. In that case, nothing is withdrawn.
  static func requireStrings(
    on heads: [WatchedHead], for ledger: SentLedger, _ context: PipelineContext
  ) throws {
    let extract = context.definition.extract
    guard !extract.paths.isEmpty || !extract.exclude.isEmpty else { return }
    let outstanding = ledger.units.count { $0.state == .outstanding }
    let snapshots = heads.compactMap(\.snapshot)
    guard outstanding > 0, !snapshots.isEmpty, snapshots.count == heads.count,
      snapshots.allSatisfy({ $0.broken.isEmpty && $0.synced.values.allSatisfy(\.entries.isEmpty) })
    else { return }
    throw PipelineError(
      .inconsistent, operation: "plan rounds",
      detail: "extract.paths and extract.exclude leave no string on the watched branches, but "
        + "\(outstanding == 1 ? "1 unit is" : "\(outstanding) units are") outstanding. Nothing was withdrawn. Correct the "
        + "patterns; or cancel the rounds first if nothing should be translated any more",
      disposition: .askPerson)
  }

  /// Returns findings about catalogs that are still on a watched branch but no longer belong to the pipeline: their outstanding units were
  /// withdrawn.
  static func removedCatalogs(
    _ withdrawn: [SentUnitID], _ ledger: SentLedger, _ heads: [WatchedHead], _ renames: [TreePath: TreePath],
    _ context: PipelineContext
  ) -> [Diagnostic] {
    let extract = context.definition.extract
    guard !withdrawn.isEmpty, !extract.paths.isEmpty || !extract.exclude.isEmpty else { return [] }
    let catalogs = Dictionary(ledger.sources.map { ($0.id, renames.newest(of: $0.unit.catalog)) }) { first, _ in first }
    let gone = Set(withdrawn)
    var counts: [TreePath: Int] = [:]
    for unit in ledger.units where gone.contains(unit.id) {
      if let catalog = catalogs[unit.source] { counts[catalog, default: 0] += 1 }
    }
    let snapshots = heads.compactMap(\.snapshot)
    return counts.sorted { $0.key < $1.key }.compactMap { path, count in
      let names = [path] + renames.names(before: path)
      guard !snapshots.contains(where: { snapshot in names.contains { snapshot.synced[$0] != nil } }),
        let place = names.first(where: { name in
          snapshots.contains { (try? $0.tree.entry(at: name)) ?? nil != nil }
        })
      else { return nil }
      return Diagnostic(
        path: place.text, severity: .warning,
        message: "extract.paths or extract.exclude leaves this catalog out: "
          + (count == 1 ? "1 outstanding unit withdrawn" : "\(count) outstanding units withdrawn"),
        hint: "if that is a mistake, correct the patterns. The units are then sent again")
    }
  }
}
