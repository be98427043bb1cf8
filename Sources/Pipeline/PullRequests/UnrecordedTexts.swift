import Localization

/// The content of a delivery branch that does not come from the pushed deliveries in the ledger. It comes from our commits that are not in the
/// ledger, because the ledger was lost or restored from a backup, or from commits that people rebased, amended or squashed. The pull request
/// describes this content too. `DeliveryBase` decides which commits may be replaced.
struct UnrecordedTexts {
  /// A translation that a merge would add to the watched branch.
  struct Text {
    /// The unit, with the name that its catalog has on the delivery branch.
    var unit: UnitID
    var language: LocaleIdentifier
    var source: String
    var translation: Translation
  }

  var texts: [Text] = []
  /// Whether a merge would also bring catalogs that were synced with the code.
  var bringsCatalogs = false

  /// Finds this content on a delivery branch.
  ///
  /// If commits of ours are not in the ledger, all translations that only the delivery branch changed are included. Otherwise, only those of
  /// units that vendors returned are included, regardless of who wrote their commits: a delivery whose commits a person replaced is abandoned,
  /// and its units are settled because the branch has their texts.
  /// - Parameters:
  ///   - tip: the newest commit of the delivery branch.
  ///   - pushed: the pushed deliveries of this branch.
  /// - Returns: `nil` if the pushed deliveries have all commits of the branch, if there is nothing else to propose, or if one of the branches
  ///   or their merge base cannot be read.
  static func find(
    on tip: CommitID, of target: String, besides pushed: [Delivery], for head: Run, _ context: PipelineContext
  ) async throws -> UnrecordedTexts? {
    let recorded = Set(pushed.flatMap(\.commits))
    let others = try await context.mirror.history(of: tip, excluding: head.commit, limit: 1000)
      .filter { !recorded.contains($0.id) }
    guard !others.isEmpty, let base = try await context.mirror.mergeBase(tip, head.commit),
      let proposed = try await context.snapshots.readable(tip),
      let former = try await context.snapshots.readable(base),
      let watched = try await context.snapshots.readable(head.commit)
    else { return nil }
    let renames = try await context.store.renames(of: context.name)
    var found = UnrecordedTexts(texts: texts(of: proposed, since: former, on: watched, renames))
    if !found.texts.isEmpty, try await !hasOwnCommits(on: tip, of: target, for: head, context) {
      let returned = try await returnedUnits(
        in: Set(found.texts.map(\.language)), for: head, on: proposed, renames, context)
      found.texts.removeAll { !returned.contains(UnitInLanguage(unit: $0.unit, language: $0.language)) }
    }
    // Copies of our commits keep the trailers. A commit of ours whose trailers name no rounds contains only synced catalogs, unless it is a merge.
    let bringsCatalogs = others.contains { info in
      info.parents.count == 1 && CommitTrailers(message: info.message)?.rounds.isEmpty == true
    }
    if bringsCatalogs {
      found.bringsCatalogs = try await changesCatalogs(tip, since: base, on: head.commit, context)
    }
    return found.texts.isEmpty && !found.bringsCatalogs ? nil : found
  }

  /// Returns whether the delivery branch has commits of ours that the ledger does not have.
  private static func hasOwnCommits(
    on tip: CommitID, of target: String, for head: Run, _ context: PipelineContext
  ) async throws -> Bool {
    let unknown = try await context.unknownCommits(on: tip, of: target, lackedBy: head.commit)
    guard !unknown.isEmpty else { return false }
    var commits = try await OwnCommits(context)
    for info in unknown where try await commits.contains(info) { return true }
    return false
  }

  /// Returns the units that were returned in these languages and are delivered or settled on a branch, or waiting or held on the watched
  /// branch, under the names that their catalogs have in `proposed`. Held units count, because a unit is held if a person changed its text while
  /// amending our commit.
  private static func returnedUnits(
    in languages: Set<LocaleIdentifier>, for head: Run, on proposed: Snapshot, _ renames: [TreePath: TreePath],
    _ context: PipelineContext
  ) async throws -> Set<UnitInLanguage> {
    let taken = try await context.store.takenReturns(of: context.name, in: languages)
    let open = try await context.store.returnedUnits(of: context.name, branch: head.branch)
    let units =
      taken.map { UnitInLanguage(unit: $0.unit, language: $0.language) }
      + open.map { UnitInLanguage(unit: $0.unit, language: $0.language) }
    return Set(units.map { UnitInLanguage(unit: renames.name(of: $0.unit, in: proposed), language: $0.language) })
  }

  /// Returns the translations that only the delivery branch changed.
  private static func texts(
    of proposed: Snapshot, since former: Snapshot, on watched: Snapshot, _ renames: [TreePath: TreePath]
  ) -> [Text] {
    func translation(_ unit: UnitID, _ language: LocaleIdentifier, in snapshot: Snapshot) -> Translation? {
      let name = renames.name(of: unit, in: snapshot)
      return snapshot.committed[name.catalog]?.entries[name.key]?.translations[language]
    }
    var found: [Text] = []
    for (path, catalog) in proposed.committed {
      for (key, entry) in catalog.entries {
        let unit = UnitID(catalog: path, key: key)
        for (language, present) in entry.translations where language != catalog.sourceLanguage {
          let before = translation(unit, language, in: former)
          guard !present.hasNoText, present != before, translation(unit, language, in: watched) == before else {
            continue
          }
          let source = entry.translations[catalog.sourceLanguage]?.leaves.first?.leaf.texts.first
          found.append(Text(unit: unit, language: language, source: source ?? key.text, translation: present))
        }
      }
    }
    return found
  }

  /// Returns whether a merge would change a catalog that the watched branch has not changed.
  private static func changesCatalogs(
    _ tip: CommitID, since base: CommitID, on head: CommitID, _ context: PipelineContext
  ) async throws -> Bool {
    let (former, watched) = (try await context.mirror.tree(of: base), try await context.mirror.tree(of: head))
    return try await context.mirror.changes(from: base, to: tip).contains { change in
      try context.formats(change.path) != nil
        && former.entry(at: change.path)?.blob == watched.entry(at: change.path)?.blob
    }
  }
}
