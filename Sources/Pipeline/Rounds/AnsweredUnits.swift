import Localization

/// Finds the current step of each unit on its route, and the units that need not be sent because a translation of the same source text was
/// already returned.
struct AnsweredUnits {
  let heads: [WatchedHead]
  /// The earlier returns for the sources of the candidates.
  let returns: [ReturnRecord]
  /// The units on branches whose translation has just been found to be outdated. Returns that were held because of this translation are
  /// reviewed again.
  var renewed: Set<RoundPlanner.Place> = []
  var choice = VendorChoice()

  struct Result {
    /// The candidates that must be sent.
    var unanswered: [RoundPlanner.Candidate] = []
    /// The returns that branches lack. They are merged again, because sending the units again would cost money.
    var dropped: [Dropped] = []
  }

  /// A returned unit that its branch lacks.
  struct Dropped: Hashable {
    var id: ReturnedUnitID
    var branch: String
    var candidate: RoundPlanner.Candidate
    /// A digest of the translation that was once on the branch; `nil` if the return was held or passed over, and so was never on the branch.
    var settled: String?
  }

  /// Separates the units that must be sent from those whose returns are merged again.
  /// - Parameter lacking: other units without a translation on a branch. They are not candidates, for example because they are outstanding or
  ///   are candidates of another branch. Such a unit is sent only if a return answers the other branch and a person dropped that return on
  ///   this branch.
  func sort(_ candidates: [RoundPlanner.Candidate], lacking: [RoundPlanner.Candidate] = []) -> Result {
    var known: [SourceInLanguage: [ReturnRecord]] = [:]
    for record in returns {
      known[SourceInLanguage(source: record.source, language: record.language), default: []].append(record)
    }
    var result = Result()
    func records(for candidate: RoundPlanner.Candidate) -> [ReturnRecord] {
      candidate.source.flatMap { known[SourceInLanguage(source: $0, language: candidate.language)] } ?? []
    }
    var answered: Set<SourceInLanguage> = []
    for candidate in candidates {
      let (answer, next) = progress(of: candidate, records(for: candidate))
      if case .dropped(let unit) = answer { result.dropped.append(unit) }
      if let next {
        result.unanswered.append(next)
      } else if let sending = candidate.sending {
        answered.insert(sending)
      }
    }
    for candidate in lacking {
      let (answer, next) = progress(of: candidate, records(for: candidate))
      if case .dropped(let unit) = answer { result.dropped.append(unit) }
      // The branch for which the unit would be sent has a return, but a person dropped that return on this branch.
      if answer == .none, let next, let sending = candidate.sending, answered.remove(sending) != nil {
        result.unanswered.append(next)
      }
    }
    return result
  }

  /// Follows the route of a unit to the first step without a return. A step in which all vendors refused the unit is skipped, unless it is
  /// the last step.
  /// - Returns: the state of the unit's returns, and the candidate to send; the candidate is `nil` if the unit need not be sent.
  private func progress(
    of candidate: RoundPlanner.Candidate, _ records: [ReturnRecord]
  ) -> (Answer, RoundPlanner.Candidate?) {
    let route = candidate.route
    var known = Answer.none
    for (number, step) in route.steps.enumerated() {
      // A vendor may have been removed from the route after it returned the unit. The return of such a vendor counts for every step.
      let own = records.filter { (route.step(of: $0.vendor) ?? number) >= number }
      let answer = answer(to: candidate, own)
      if answer != .none {
        // The first step's answer already includes the returns of all later steps.
        if known == .none { known = answer }
        continue
      }
      let willing = choice.vendor(of: step, for: candidate.sending)
      if willing == nil, number < route.steps.count - 1 { continue }
      guard let vendor = willing ?? step.last, number == 0 || candidate.isMissing else { break }
      var next = candidate
      next.step = number
      next.vendor = vendor
      return (known, next)
    }
    return (known, nil)
  }

  private enum Answer: Equatable {
    case none
    /// The return will be merged, is held, or is unchanged on the branch.
    case underWay
    /// The branch no longer has the translation, for example after a force-push, or because another source text and its translation
    /// temporarily replaced the translation. The merge decides whether to use the return: the merge never replaces a person's text, but
    /// holds the return instead.
    case dropped(Dropped)
  }

  private func answer(to candidate: RoundPlanner.Candidate, _ records: [ReturnRecord]) -> Answer {
    let head = heads[candidate.head]
    let entry = head.snapshot?.synced[candidate.unit.catalog]?.entries[candidate.unit.key]
    let present = entry?.translations[candidate.language]?.recordedDigests(in: candidate.unit.catalog) ?? []
    var dropped: [ReturnRecord] = []
    var standing: ReturnRecord?
    var isHeld = false
    for record in records {
      guard let outcome = record.outcomes[head.run.branch] else { return .underWay }
      switch outcome.state {
      case .held where outcome.isUnfinished, .passedOver where outcome.isUnfinished: continue
      // If this return were ignored, an earlier return would be merged instead.
      case .held where outcome.isRemoved: return .underWay
      case .delivered: standing = record
      case .held where renewed.contains(candidate.place): dropped.append(record)
      case .held: isHeld = true
      case .settled where outcome.translation.map(present.contains) == true:
        // The translation exists, but the unit is not finished, for example because a person reset its state.
        standing = record
      case .settled, .passedOver: dropped.append(record)
      }
    }
    // While a return is held, only returns that the branch had before are merged again, not returns that were passed over.
    if isHeld { dropped.removeAll { $0.outcomes[head.run.branch]?.state == .passedOver } }
    // If there are several returns, the preferred vendor's return is used, or otherwise the newest return, which comes last.
    var best: ReturnRecord?
    for record in dropped {
      if let best, candidate.route.prefers(best.vendor, to: record.vendor) == true { continue }
      best = record
    }
    // The branch keeps the return that it has, unless it lost a better return: a later step's return for a draft, or a correction.
    if let standing, best?.replaces(standing, on: head.run.branch, candidate.route) != true { return .underWay }
    guard let best else { return isHeld ? .underWay : .none }
    let outcome = best.outcomes[head.run.branch]
    return .dropped(
      Dropped(
        id: best.id, branch: head.run.branch, candidate: candidate,
        settled: outcome?.state == .settled ? outcome?.translation : nil))
  }
}
