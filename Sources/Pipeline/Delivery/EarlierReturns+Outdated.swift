import Localization

extension EarlierReturns {
  /// A returned unit whose translation on the branch changed after the unit was sent.
  struct ChangedText {
    let returned: ReturnedUnit
    /// The unit's name in the snapshot.
    let here: UnitID
    let current: Translation
  }

  /// Finds the returned units that replace a translation for another source text. That translation is an earlier return of ours, or the
  /// branch already had it when the units were sent. If a person's text was added later, for example by a merge of a branch with the former
  /// source text, the returned unit is held, as after any other change.
  static func answers(
    to changed: [ChangedText], in snapshot: Snapshot, on branch: String, _ renames: [TreePath: TreePath],
    _ context: PipelineContext
  ) async throws -> Set<ReturnedUnitID> {
    let known = OutdatedTranslations(
      try await context.store.outdatedTranslations(of: context.name), renames: renames
    ).standing(in: snapshot)
    let outdated = changed.filter { text in
      (known[text.here] ?? []).contains {
        $0.pin == text.returned.pin && $0.language == text.returned.language && $0.translation == text.current.digest
      }
    }
    guard !outdated.isEmpty else { return [] }
    let taken = Dictionary(
      grouping: try await context.store.takenReturns(of: context.name, in: Set(outdated.map(\.returned.language)))
    ) { UnitInLanguage(unit: renames.name(of: $0.unit, in: snapshot), language: $0.language) }
    var answers: Set<ReturnedUnitID> = []
    var others: [ReturnedUnit.Sending: [ChangedText]] = [:]
    for text in outdated {
      let earlier = taken[UnitInLanguage(unit: text.here, language: text.returned.language)] ?? []
      if earlier.contains(where: { $0.units.haveWords(of: text.current) }) {
        answers.insert(text.returned.id)
      } else if let sending = text.returned.sending {
        others[sending, default: []].append(text)
      }
    }
    for (sending, texts) in others {
      try Task.checkCancellation()
      let head = try await context.store.head(
        of: context.name, branch: branch, whenSending: sending.commit, at: sending.planned)
      guard let head, let then = try await context.snapshots.readable(head) else { continue }
      for text in texts {
        let former = renames.name(of: text.here, in: then)
        let translation = then.synced[former.catalog]?.entries[former.key]?.translations[text.returned.language]
        if translation?.digest == text.current.digest { answers.insert(text.returned.id) }
      }
    }
    return answers
  }

  /// Finds the returned units that replace an earlier return of ours for another source text, if only the delivery branch has that earlier
  /// return. This happens if the ledger lost the delivery: the delivered text is then still on the delivery branch, together with the new
  /// source text.
  static func answersToUnmerged(
    _ changed: [ChangedText], in snapshot: Snapshot, of head: Run, _ renames: [TreePath: TreePath],
    _ context: PipelineContext
  ) async throws -> Set<ReturnedUnitID> {
    guard !changed.isEmpty, snapshot.commit.id != head.commit,
      let watched = try await context.snapshots.readable(head.commit)
    else { return [] }
    let unmerged = changed.filter { text in
      let name = renames.name(of: text.here, in: watched)
      let standing = watched.synced[name.catalog]?.entries[name.key]?.translations[text.returned.language]
      return snapshot.synced[text.here.catalog]?.pin(of: text.here.key) == text.returned.pin
        && standing?.digest == text.returned.export?.translation?.digest
    }
    guard !unmerged.isEmpty else { return [] }
    let ledger = try await context.store.sentLedger(of: context.name, includingReturned: false)
    let sources = SentSources(of: unmerged.map(\.here), in: ledger, renames: renames)
    let ids = Set(unmerged.flatMap { sources[$0.here] }.map(\.id)).sorted()
    let returns = try await context.store.earlierReturns(of: context.name, for: ids)
    return Set(
      unmerged.lazy.filter { text in
        let others = Set(sources[text.here].filter { $0.pin != text.returned.pin }.map(\.id))
        return returns.contains {
          others.contains($0.source) && $0.language == text.returned.language && $0.hasWords(of: text.current)
        }
      }.map(\.returned.id))
  }
}
