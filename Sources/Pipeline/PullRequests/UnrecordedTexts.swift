import Localization

/// The content of our commits on a delivery branch that are not in the ledger, because the ledger was lost or restored from a backup.
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
  /// Whether a merge would sync catalogs with the code.
  var bringsCatalogs = false

  /// Finds this content on a delivery branch.
  /// - Parameter tip: the newest commit of the delivery branch.
  /// - Returns: `nil` if the ledger has all of our commits, if the others of our commits have nothing left to propose, or if one of the
  ///   branches cannot be read.
  static func find(
    on tip: CommitID, of target: String, for head: Run, _ context: PipelineContext
  ) async throws -> UnrecordedTexts? {
    let unknown = try await context.unknownCommits(on: tip, of: target, lackedBy: head.commit)
    guard !unknown.isEmpty else { return nil }
    var commits = try await OwnCommits(context)
    var own: [CommitInfo] = []
    for info in unknown where try await commits.contains(info) { own.append(info) }
    guard !own.isEmpty, let base = try await context.mirror.mergeBase(tip, head.commit),
      let proposed = try await context.snapshots.readable(tip),
      let former = try await context.snapshots.readable(base),
      let watched = try await context.snapshots.readable(head.commit)
    else { return nil }
    let renames = try await context.store.renames(of: context.name)
    var found = UnrecordedTexts(texts: texts(of: proposed, since: former, on: watched, renames))
    if own.contains(where: { CommitTrailers(message: $0.message)?.rounds.isEmpty == true }) {
      found.bringsCatalogs = try await changesCatalogs(tip, since: base, on: head.commit, context)
    }
    return found.texts.isEmpty && !found.bringsCatalogs ? nil : found
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
