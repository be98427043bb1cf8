import Localization

/// Finds returned translations on branches that are not the final translations of their source texts. Either the branch had a better return
/// and lost it, for example a correction that a force-push removed, or the return is a draft and no vendor of a later step has returned the
/// unit.
///
/// The catalogs alone do not show this: there, such translations look finished, and in `.strings` files even drafts do. Therefore every
/// translation that changed on a branch and could be affected is looked up in the ledger.
struct SurpassedReturns {
  let heads: [WatchedHead]
  let ledger: SentLedger
  let renames: [TreePath: TreePath]
  let context: PipelineContext

  /// Finds the units that have such translations on the compared branches.
  /// - Returns: the units, each with the languages of these translations, by the index of the branch in `heads`.
  func found(in comparisons: [HeadComparison]) async throws -> [Int: [UnitID: Set<LocaleIdentifier>]] {
    let routes = context.routes
    var asked: [(head: Int, change: ChangedTranslation, route: VendorRoute?)] = []
    for comparison in comparisons {
      for change in comparison.translations + comparison.carried {
        let route = routes.route(for: change.language, of: renames.newest(of: change.unit.catalog))
        // A string that had no translation before cannot have lost a better return.
        guard change.former?.hasNoText == false || change.formerPin == nil || (route?.steps.count ?? 0) > 1 else {
          continue
        }
        asked.append((comparison.head, change, route))
      }
    }
    let sources = SentSources(of: asked.map(\.change.unit), in: ledger, renames: renames)
    let own = asked.map { question in
      Set(sources[question.change.unit].filter { $0.pin == question.change.pin }.map(\.id))
    }
    let ids = own.reduce(into: Set()) { $0.formUnion($1) }
    guard !ids.isEmpty else { return [:] }
    let returns = Dictionary(grouping: try await context.store.returns(of: context.name, for: ids.sorted())) {
      SourceInLanguage(source: $0.source, language: $0.language)
    }
    var answered = zip(asked, own).map { question, own in
      let records = own.flatMap { id in
        returns[SourceInLanguage(source: id, language: question.change.language)] ?? []
      }
      let standing = standing(in: records, question.change, on: heads[question.head].run.branch)
      return (question: question, records: records, standing: standing)
    }
    // If a return was passed over in favor of a later return before it reached the branch, the ledger has no digest for the branch. Only
    // the return's texts can be compared.
    let unknown = answered.indices.filter { answered[$0].standing == nil && answered[$0].records.count > 1 }
    var words: [ReturnedUnitID: EarlierReturn] = [:]
    if !unknown.isEmpty {
      let sources = Set(unknown.flatMap { answered[$0].records.map(\.source) }).sorted()
      for text in try await context.store.earlierReturns(of: context.name, for: sources) { words[text.id] = text }
    }
    for number in unknown {
      answered[number].standing = answered[number].records.filter { record in
        words[record.id]?.hasWords(of: answered[number].question.change.translation) == true
      }.max { $0.id < $1.id }
    }
    var found: [Int: [UnitID: Set<LocaleIdentifier>]] = [:]
    for (question, records, standing) in answered {
      guard let standing,
        isSurpassed(standing, among: records, on: heads[question.head].run.branch, question.route)
      else { continue }
      found[question.head, default: [:]][question.change.unit, default: []].insert(question.change.language)
    }
    return found
  }

  /// Returns the newest return that is the branch's translation according to the ledger.
  private func standing(
    in records: [ReturnRecord], _ change: ChangedTranslation, on branch: String
  ) -> ReturnRecord? {
    let digests = change.translation.recordedDigests(in: change.unit.catalog)
    func isPresent(_ record: ReturnRecord) -> Bool {
      guard let outcome = record.outcomes[branch], outcome.state == .settled || outcome.state == .delivered else {
        return false
      }
      return outcome.translation.map(digests.contains) ?? false
    }
    return records.filter(isPresent).max { $0.id < $1.id }
  }

  private func isSurpassed(
    _ standing: ReturnRecord, among records: [ReturnRecord], on branch: String, _ route: VendorRoute?
  ) -> Bool {
    let others = records.filter { $0.id != standing.id && $0.outcomes[branch]?.isUnfinished != true }
    // If a person removed another return from the branch, the older text is intended.
    guard !others.contains(where: { $0.outcomes[branch]?.isRemoved == true }) else { return false }
    if others.contains(where: { $0.wasTaken(on: branch) && $0.replaces(standing, on: branch, route) }) {
      return true
    }
    guard let route, let step = route.step(of: standing.vendor), route.isDraft(from: standing.vendor) else {
      return false
    }
    return !others.contains { (route.step(of: $0.vendor) ?? step) > step }
  }
}

extension ReturnRecord {
  /// Returns whether this return, which a branch dropped, is preferred to the return that the branch has for the same source text: it is
  /// from a preferred vendor, or it is a correction that was on the branch or arrived while the branch did not have the string.
  func replaces(_ standing: ReturnRecord, on branch: String, _ route: VendorRoute?) -> Bool {
    guard vendor == standing.vendor else { return route?.prefers(vendor, to: standing.vendor) == true }
    return id > standing.id && wasTaken(on: branch)
  }

  /// Returns whether the return was on the branch, or was passed over because the branch did not have the string.
  fileprivate func wasTaken(on branch: String) -> Bool {
    outcomes[branch].map { $0.state == .settled || $0.isOfGoneString } ?? false
  }
}

extension Translation {
  /// Returns the digests that the ledger may have for this translation in a file. Not all formats keep the state with which the translation
  /// was delivered.
  func recordedDigests(in path: TreePath) -> Set<String> {
    path.catalogKind?.hasStates == false ? [digest, inState(.needsReview).digest] : [digest]
  }
}
