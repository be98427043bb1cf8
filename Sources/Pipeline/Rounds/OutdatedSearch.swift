import Localization

/// Finds the translations that became outdated since the branches were last compared.
struct OutdatedSearch {
  let ledger: SentLedger
  let renames: [TreePath: TreePath]
  /// The outdated translations that were found earlier.
  let known: OutdatedTranslations
  let context: PipelineContext

  /// Finds the outdated translations of the compared branches.
  /// - Parameter heads: the heads, in the order of the indexes in `comparisons`.
  /// - Returns: the outdated translations that are not known yet. A translation that several branches have is returned once.
  func found(in comparisons: [HeadComparison], of heads: [WatchedHead]) async throws -> Set<OutdatedTranslation> {
    var all = known
    var found = comparisons.flatMap(unchanged) + (try await returnedForOthers(in: comparisons.flatMap(\.translations)))
    let sources = FormerSources(renames: renames, context: context)
    for comparison in comparisons {
      guard let snapshot = heads[comparison.head].snapshot else { continue }
      found += try await sources.found(in: comparison, of: snapshot).map { $0.change.outdated(since: $0.source) }
    }
    found += comparisons.flatMap { copied(in: $0, of: found) }
    return Set(found.filter { all.insert($0) })
  }

  /// Returns the translations that stayed the same while their source texts changed, and the translations that were already outdated under
  /// another name of their units.
  private func unchanged(in comparison: HeadComparison) -> [OutdatedTranslation] {
    let known = known.standing(in: comparison.former)
    var found: [OutdatedTranslation] = []
    for change in comparison.translations + comparison.carried where change.former == change.translation {
      guard let formerPin = change.formerPin else { continue }
      let earlier = (known[change.formerUnit] ?? []).first { $0.language == change.language }
      guard formerPin != change.pin || earlier != nil && change.formerUnit != change.unit else { continue }
      let origin = earlier?.origin ?? formerPin
      if origin != change.pin { found.append(change.outdated(since: origin)) }
    }
    return found
  }

  /// Returns the translations of new units that are outdated in another unit with the same source text. This happens if that unit was
  /// copied or its key was changed.
  private func copied(in comparison: HeadComparison, of found: [OutdatedTranslation]) -> [OutdatedTranslation] {
    let new = comparison.ofNewUnits
    guard !new.isEmpty else { return [] }
    let known = found + known.standing(in: comparison.former).values.joined()
    let origins = Dictionary(
      known.map { (Copy(pin: $0.pin, language: $0.language, translation: $0.translation), $0.origin) }
    ) { first, _ in first }
    guard !origins.isEmpty else { return [] }
    return new.compactMap { change in
      origins[Copy(pin: change.pin, language: change.language, translation: change.translation.digest)]
        .map { change.outdated(since: $0) }
    }
  }

  /// A translation and its source text, regardless of the unit.
  private struct Copy: Hashable {
    var pin: PinDigest
    var language: LocaleIdentifier
    var translation: String
  }

  /// Returns the translations that vendors returned for other source texts of their units, but never for the current source text. In these
  /// cases, the branch was not compared while it had the translation and the former source text: a delivery was merged after the source
  /// text had changed, or the source text changed immediately after the merge.
  private func returnedForOthers(in changes: [ChangedTranslation]) async throws -> [OutdatedTranslation] {
    let changes = changes.filter(\.hasOtherWords)
    let sources = SentSources(of: changes.flatMap { [$0.unit, $0.formerUnit] }, in: ledger, renames: renames)
    let others = changes.filter { change in sources.all(of: change).contains { $0.pin != change.pin } }
    guard !others.isEmpty else { return [] }
    let ids = Set(others.flatMap(sources.all).map(\.id)).sorted()
    let returns = Dictionary(grouping: try await context.store.earlierReturns(of: context.name, for: ids)) {
      SourceInLanguage(source: $0.source, language: $0.language)
    }
    var found: [OutdatedTranslation] = []
    for change in others {
      let answered = sources.all(of: change).filter { record in
        (returns[SourceInLanguage(source: record.id, language: change.language)] ?? [])
          .contains { $0.hasWords(of: change.translation) }
      }
      guard let origin = answered.last, !answered.contains(where: { $0.pin == change.pin }) else { continue }
      found.append(change.outdated(since: origin.pin))
    }
    return found
  }
}

extension ChangedTranslation {
  /// Returns the ledger's record of this translation as outdated.
  /// - Parameter origin: the pin of the source text for which the translation was made.
  fileprivate func outdated(since origin: PinDigest) -> OutdatedTranslation {
    OutdatedTranslation(
      unit: unit, pin: pin, origin: origin, language: language, translation: translation.digest)
  }
}

/// The source texts with which some units were sent.
struct SentSources {
  private var records: [UnitID: [SourceRecord]] = [:]
  private let renames: [TreePath: TreePath]

  init(of units: [UnitID], in ledger: SentLedger, renames: [TreePath: TreePath]) {
    self.renames = renames
    guard !units.isEmpty else { return }
    let wanted = Set(units.map { renames.newest(of: $0) })
    for record in ledger.sources {
      let unit = renames.newest(of: record.unit)
      if wanted.contains(unit) { records[unit, default: []].append(record) }
    }
  }

  /// Returns the source texts of a unit, oldest first.
  subscript(unit: UnitID) -> [SourceRecord] { records[renames.newest(of: unit)] ?? [] }

  /// Returns the source texts of a unit under its current and its former name, oldest first.
  func all(of change: ChangedTranslation) -> [SourceRecord] {
    let (now, former) = (renames.newest(of: change.unit), renames.newest(of: change.formerUnit))
    guard now != former else { return self[change.unit] }
    return ((records[now] ?? []) + (records[former] ?? [])).sorted { $0.id < $1.id }
  }
}
