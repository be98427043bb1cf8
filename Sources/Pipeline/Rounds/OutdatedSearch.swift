import Localization

/// Finds the translations that became outdated since the branches were compared last.
enum OutdatedSearch {
  /// Returns those of all heads. A branch that was never compared is compared with the newest head that was. What cannot be read, as after a
  /// force-push, is not compared.
  /// - Parameter known: those that were found before.
  static func found(
    on heads: [WatchedHead], known: OutdatedTranslations, _ context: PipelineContext
  ) async throws -> Set<OutdatedTranslation> {
    var found: Set<OutdatedTranslation> = []
    for head in heads {
      try Task.checkCancellation()
      guard let snapshot = head.snapshot,
        let previous = try await context.store.lastCompared(
          of: context.name, branch: head.run.branch, except: head.run.commit),
        let (former, renames) = try await former(previous, of: snapshot, context)
      else { continue }
      found.formUnion(outdated(in: snapshot, since: former, renames: renames, known: known.standing(in: former)))
    }
    return found
  }

  /// Returns the earlier commit if a file with source texts differs, and the former paths of files that git sees as renamed.
  private static func former(
    _ commit: CommitID, of snapshot: Snapshot, _ context: PipelineContext
  ) async throws -> (Snapshot, renames: [TreePath: TreePath])? {
    do {
      guard try await context.mirror.holds(commit) else { return nil }
      let changes = try await context.mirror.changes(from: commit, to: snapshot.commit.id)
      let sources = Set(snapshot.files.values.map(\.path))
      guard changes.contains(where: { sources.contains($0.path) }) else { return nil }
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

  private static func outdated(
    in snapshot: Snapshot, since former: Snapshot, renames: [TreePath: TreePath],
    known: [UnitID: [OutdatedTranslation]]
  ) -> Set<OutdatedTranslation> {
    let states = CompletionStates(of: snapshot.languages, machineTranslatedCounts: true)
    var found: Set<OutdatedTranslation> = []
    for (path, catalog) in snapshot.synced {
      guard let old = former.synced[path] ?? renames[path].flatMap({ former.synced[$0] }),
        old.sourceLanguage == catalog.sourceLanguage
      else { continue }
      for (key, entry) in catalog.entries where entry.shouldTranslate && entry.extractionState != .stale {
        guard let before = old.entries[key], before != entry, let pin = catalog.pin(of: key),
          let formerPin = old.pin(of: key), formerPin != pin
        else { continue }
        let earlier = known[UnitID(catalog: old.path, key: key)] ?? []
        for (language, state) in zip(snapshot.languages, states.of(entry.translations))
        where state == .translated && language != catalog.sourceLanguage {
          guard let translation = entry.translations[language], translation == before.translations[language] else {
            continue
          }
          let origin = earlier.first { $0.language == language }?.origin ?? formerPin
          guard origin != pin else { continue }
          found.insert(
            OutdatedTranslation(
              unit: UnitID(catalog: path, key: key), pin: pin, origin: origin, language: language,
              translation: translation.digest))
        }
      }
    }
    return found
  }
}
