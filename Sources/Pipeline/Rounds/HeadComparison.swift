import Localization

/// A finished translation of a watched branch that differs from that of the commit that was compared last, or whose source text does.
struct ChangedTranslation {
  var unit: UnitID
  var pin: PinDigest
  var language: LocaleIdentifier
  var translation: Translation
  /// In the earlier commit; `nil` if it had none.
  var former: Translation?
  /// Of the source text in the earlier commit; `nil` if it did not have the unit.
  var formerPin: PinDigest?

  /// Whether the branch has other words than before. A person may have changed only the state.
  var hasOtherWords: Bool { former.map { !translation.hasWords(of: $0) } ?? true }
}

/// What changed in the catalogs of a watched branch since a round was planned from it.
struct HeadComparison {
  /// The index of the branch among the heads.
  let head: Int
  /// The commit that was compared last.
  let former: Snapshot
  let translations: [ChangedTranslation]

  /// Compares the heads that have other catalogs or other code than before. A branch that was never compared is compared with the newest
  /// head that was. What cannot be read, as after a force-push, is not compared.
  static func compare(_ heads: [WatchedHead], _ context: PipelineContext) async throws -> [HeadComparison] {
    var comparisons: [HeadComparison] = []
    for (number, head) in heads.enumerated() {
      try Task.checkCancellation()
      guard let snapshot = head.snapshot,
        let previous = try await context.store.lastCompared(
          of: context.name, branch: head.run.branch, except: head.run.commit),
        let (former, renames) = try await former(previous, of: snapshot, context)
      else { continue }
      comparisons.append(
        HeadComparison(
          head: number, former: former, translations: changes(in: snapshot, since: former, renames: renames)))
    }
    return comparisons
  }

  /// Returns the earlier commit if a file with texts differs, and the former paths of files that git sees as renamed.
  private static func former(
    _ commit: CommitID, of snapshot: Snapshot, _ context: PipelineContext
  ) async throws -> (Snapshot, renames: [TreePath: TreePath])? {
    do {
      guard try await context.mirror.holds(commit) else { return nil }
      let changes = try await context.mirror.changes(from: commit, to: snapshot.commit.id)
      let texts = Set(snapshot.files.values.map(\.path) + snapshot.project.catalogs.flatMap(\.paths))
      guard changes.contains(where: { texts.contains($0.path) }) else { return nil }
      var renames: [TreePath: TreePath] = [:]
      for change in changes { if case .renamed(let old) = change.kind { renames[change.path] = old } }
      return (try await context.snapshots.snapshot(of: commit), renames)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // Its extract job reported it.
      return nil
    }
  }

  private static func changes(
    in snapshot: Snapshot, since former: Snapshot, renames: [TreePath: TreePath]
  ) -> [ChangedTranslation] {
    let states = CompletionStates(of: snapshot.languages, machineTranslatedCounts: true)
    var found: [ChangedTranslation] = []
    for (path, catalog) in snapshot.synced {
      guard let old = former.synced[path] ?? renames[path].flatMap({ former.synced[$0] }),
        old.sourceLanguage == catalog.sourceLanguage
      else { continue }
      for (key, entry) in catalog.entries where entry.shouldTranslate && entry.extractionState != .stale {
        let before = old.entries[key]
        guard before != entry, let pin = catalog.pin(of: key) else { continue }
        let formerPin = before.flatMap { _ in old.pin(of: key) }
        for (language, state) in zip(snapshot.languages, states.of(entry.translations))
        where state == .translated && language != catalog.sourceLanguage {
          guard let translation = entry.translations[language] else { continue }
          let change = ChangedTranslation(
            unit: UnitID(catalog: path, key: key), pin: pin, language: language, translation: translation,
            former: before?.translations[language], formerPin: formerPin)
          if change.former != translation || formerPin != pin { found.append(change) }
        }
      }
    }
    return found
  }
}
