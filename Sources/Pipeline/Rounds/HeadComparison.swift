import Localization

/// A finished translation of a watched branch, compared with the last compared commit. The translation or its source text may differ.
struct ChangedTranslation {
  var unit: UnitID
  var pin: PinDigest
  var language: LocaleIdentifier
  var translation: Translation
  /// The unit's name in the earlier commit. In that commit, the unit's catalog may have had another path, or the unit may have been in
  /// another catalog.
  var formerUnit: UnitID
  /// The translation in the earlier commit; `nil` if that commit had no translation.
  var former: Translation?
  /// The pin of the source text in the earlier commit; `nil` if that commit did not have the unit.
  var formerPin: PinDigest?

  /// Whether the translation or its source text differs.
  fileprivate var isChanged: Bool { former != translation || formerPin != pin }

  /// Whether the text differs from the former text, or there was no former text. A person may have changed only the state.
  var hasOtherWords: Bool { former.map { !translation.hasWords(of: $0) } ?? true }
}

/// The changes in the catalogs of a watched branch since the last compared commit. A commit is compared when a round is planned from it. If no
/// earlier commit of the branch was compared, the last compared commit of any branch is used.
struct HeadComparison {
  /// The index of the branch among the heads.
  let head: Int
  /// The last compared commit.
  let former: Snapshot
  let translations: [ChangedTranslation]
  /// Unchanged translations of units that had another name in the earlier commit. The ledger stores the data of these units under that
  /// name.
  let carried: [ChangedTranslation]
  /// Translations of units in new catalogs.
  let inNewCatalogs: [ChangedTranslation]
  /// Renamed catalogs: path in the earlier commit → current path.
  let renamedCatalogs: [TreePath: TreePath]

  /// Translations of units that the earlier commit did not have, under any path.
  var ofNewUnits: [ChangedTranslation] { translations.filter { $0.formerPin == nil } + inNewCatalogs }

  /// Compares the heads whose catalog files changed. A branch without a compared commit is compared with the newest compared head.
  /// Commits that cannot be read, for example after a force-push, are not compared.
  /// - Parameter renames: the known renames of catalogs. Git detects a rename between two commits only if the catalog did not change much.
  static func compare(
    _ heads: [WatchedHead], renames: [TreePath: TreePath], _ context: PipelineContext
  ) async throws -> [HeadComparison] {
    var comparisons: [HeadComparison] = []
    for (number, head) in heads.enumerated() {
      try Task.checkCancellation()
      guard let snapshot = head.snapshot,
        let previous = try await context.store.lastCompared(
          of: context.name, branch: head.run.branch, except: head.run.commit),
        let (former, seen) = try await former(previous, of: snapshot, context)
      else { continue }
      let places = FormerPlaces(of: snapshot, in: former, seen: seen, known: renames)
      let found = translations(of: snapshot, since: former, places)
      comparisons.append(
        HeadComparison(
          head: number, former: former, translations: found.placed.filter(\.isChanged),
          carried: found.placed.filter { !$0.isChanged }, inNewCatalogs: found.unplaced,
          renamedCatalogs: places.renamed))
    }
    return comparisons
  }

  /// Returns the snapshot of the earlier commit, and the former paths of files that git detects as renamed; `nil` if no file of a catalog
  /// differs, or the earlier commit is missing or cannot be read.
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
      // The branch's extract job reported the problem.
      return nil
    }
  }

  private static func translations(
    of snapshot: Snapshot, since former: Snapshot, _ places: FormerPlaces
  ) -> (placed: [ChangedTranslation], unplaced: [ChangedTranslation]) {
    let states = CompletionStates(of: snapshot.languages, machineTranslatedCounts: true)
    var placed: [ChangedTranslation] = []
    var unplaced: [ChangedTranslation] = []
    for (path, catalog) in snapshot.synced {
      let usual = places.catalog(before: path).flatMap { former.synced[$0] }
      for (key, entry) in catalog.entries where entry.shouldTranslate && entry.extractionState != .stale {
        var old = usual
        if usual?.entries[key] == nil, let place = places.place(before: UnitID(catalog: path, key: key)) {
          old = former.synced[place]
        }
        guard old.map({ $0.sourceLanguage == catalog.sourceLanguage }) ?? true else { continue }
        let (before, place) = (old?.entries[key], old?.path ?? path)
        guard before != entry || place != path, let pin = catalog.pin(of: key) else { continue }
        let formerPin = before.flatMap { _ in old?.pin(of: key) }
        for (language, state) in zip(snapshot.languages, states.of(entry.translations))
        where state == .translated && language != catalog.sourceLanguage {
          guard let translation = entry.translations[language] else { continue }
          let change = ChangedTranslation(
            unit: UnitID(catalog: path, key: key), pin: pin, language: language, translation: translation,
            formerUnit: UnitID(catalog: place, key: key), former: before?.translations[language], formerPin: formerPin)
          if old == nil { unplaced.append(change) } else if change.isChanged || place != path { placed.append(change) }
        }
      }
    }
    return (placed, unplaced)
  }
}
