import Localization

/// Earlier returns for the same source texts, on any branch.
///
/// If a catalog has a translation that it did not have when the unit was sent, a person usually wrote this text, so the return is held. But
/// the text may be an earlier return of ours for which the ledger has no outcome on this branch, for example because a release branch began
/// with the drafts of the main branch, or because a person's merge kept an older return. A later return may replace such a text.
struct EarlierReturns {
  private let records: [SourceInLanguage: [EarlierReturn]]
  private let removed: Set<ReturnedUnitID>
  private let answers: Set<ReturnedUnitID>

  /// - Parameters:
  ///   - removed: the returns that somebody removed from the branch.
  ///   - answers: the returns that replace an outdated translation of the branch.
  init(
    _ returns: [EarlierReturn] = [], removed: Set<ReturnedUnitID> = [], answers: Set<ReturnedUnitID> = []
  ) {
    records = Dictionary(grouping: returns) { SourceInLanguage(source: $0.source, language: $0.language) }
    self.removed = removed
    self.answers = answers
  }

  /// Reads the returns for the units whose translation in the snapshot changed after the units were sent.
  /// - Parameter snapshot: the content of the watched branch's head, or of a merge with the delivery branch.
  static func find(
    for units: [ReturnedUnit], in snapshot: Snapshot, of head: Run, _ renames: [TreePath: TreePath],
    _ context: PipelineContext
  ) async throws -> EarlierReturns {
    let changed = units.compactMap { unit -> ChangedText? in
      let here = renames.name(of: unit.unit, in: snapshot)
      guard let export = unit.export,
        let current = snapshot.synced[here.catalog]?.entries[here.key]?.translations[unit.language],
        current.digest != export.translation?.digest
      else { return nil }
      return ChangedText(returned: unit, here: here, current: current)
    }
    let ids = Set(changed.compactMap(\.returned.source)).sorted()
    guard !ids.isEmpty else { return EarlierReturns() }
    let records = try await context.store.returns(of: context.name, for: ids)
    return EarlierReturns(
      try await context.store.earlierReturns(of: context.name, for: ids),
      removed: Set(records.filter { $0.outcomes[head.branch]?.isRemoved == true }.map(\.id)),
      answers: try await answers(to: changed, in: snapshot, on: head.branch, renames, context)
        .union(answersToUnmerged(changed, in: snapshot, of: head, renames, context)))
  }

  /// Returns whether a return may replace a text of the catalog although this text changed after the unit was sent. This is the case if the
  /// return is one of `answers`, or if the text comes from an earlier return and no person replaced a later return with it.
  func mayReplace(
    _ current: Translation, by unit: ReturnedUnit, _ routes: VendorRoutes, _ renames: [TreePath: TreePath]
  ) -> Bool {
    guard !answers.contains(unit.id) else { return true }
    guard !isPutBack(current, before: unit) else { return false }
    return unit.isStanding(current) || isReplaceable(current, by: unit, routes, renames)
  }

  /// Returns whether somebody replaced another return for the same source text with the current text.
  private func isPutBack(_ current: Translation, before unit: ReturnedUnit) -> Bool {
    guard !removed.isEmpty, let source = unit.source,
      let rivals = records[SourceInLanguage(source: source, language: unit.language)]
    else { return false }
    return rivals.contains { later in
      later.id != unit.id && removed.contains(later.id) && !later.hasWords(of: current)
    }
  }

  /// Returns whether a text of the catalog is an earlier return for the unit's source text that the unit's translation may replace.
  private func isReplaceable(
    _ current: Translation, by unit: ReturnedUnit, _ routes: VendorRoutes, _ renames: [TreePath: TreePath]
  ) -> Bool {
    guard let source = unit.source,
      let rivals = records[SourceInLanguage(source: source, language: unit.language)]
    else { return false }
    let route = routes.route(for: unit.language, of: renames.newest(of: unit.unit.catalog))
    return rivals.contains { rival in
      rival.id != unit.id && rival.isWhole(current, in: unit.unit.catalog)
        && !route.keeps(
          rival.vendor, isFinished: current.isFinished, isNewer: rival.id > unit.id, against: unit.vendor)
    }
  }
}

extension EarlierReturn {
  /// Returns whether a translation has exactly the returned texts, in any state.
  func hasWords(of translation: Translation) -> Bool { units.haveWords(of: translation) }

  /// Returns whether a translation of a catalog consists of exactly the returned texts; `false` for a draft whose state a person changed to
  /// translated.
  fileprivate func isWhole(_ translation: Translation, in path: TreePath) -> Bool {
    guard path.catalogKind?.hasStates != false else { return hasWords(of: translation) }
    let leaves = translation.leaves.filter { !$0.leaf.words.isEmpty }
    return !leaves.isEmpty
      && leaves.allSatisfy { path, leaf in
        units.contains { unit in
          guard unit.path == path, let target = unit.target, unit.brought(leaf.words, of: translation) else {
            return false
          }
          return leaf.state != .translated || target.finishedState == .translated
        }
      }
  }
}

extension [ExchangeUnit] {
  /// Returns whether a translation has exactly these returned texts, in any state.
  func haveWords(of translation: Translation) -> Bool {
    let leaves = translation.leaves.filter { !$0.leaf.words.isEmpty }
    return !leaves.isEmpty
      && leaves.allSatisfy { path, leaf in
        contains { unit in unit.path == path && unit.brought(leaf.words, of: translation) }
      }
  }
}

extension ExchangeUnit {
  /// Returns whether this unit's returned text is `words`, either literally or in the form in which a catalog stores the text.
  /// - Parameter translation: the translation that contains `words` and the substitutions to which they refer.
  func brought(_ words: ExchangeText, of translation: Translation) -> Bool {
    guard let text = target?.text else { return false }
    return words.isExactly(text)
      || words.isExactly(Translation.catalogText(text, at: path, arguments: translation))
  }
}

extension Translation {
  /// Returns whether another translation has the same texts, in any state.
  func hasWords(of other: Translation) -> Bool {
    let (own, others) = (leaves, other.leaves)
    return own.count == others.count
      && own.allSatisfy { path, leaf in other[path].map { leaf.words.isExactly($0.words) } ?? false }
  }

  /// Whether none of the translation's forms has a text.
  var hasNoText: Bool { leaves.allSatisfy { $0.leaf.words.isEmpty } }

  /// Whether all forms of the translation have a text and the state `translated`.
  var isFinished: Bool {
    let leaves = leaves
    return !leaves.isEmpty && leaves.allSatisfy { $0.leaf.state == .translated && !$0.leaf.words.isEmpty }
  }
}
