import Localization

/// Finds units that need not be sent, because a translation of the same source text was returned before.
struct AnsweredUnits {
  let heads: [WatchedHead]
  /// The earlier returns for the sources of the candidates.
  let returns: [ReturnRecord]

  struct Result {
    /// The candidates that must be sent.
    var unanswered: [RoundPlanner.Candidate] = []
    /// Returned units that the branch lacks, by branch. They are merged again, because sending them again would cost money again.
    var reopened: [String: [ReturnedUnitID]] = [:]
  }

  /// - Parameter lacking: units that branches lack but that are not to be sent.
  func sort(_ candidates: [RoundPlanner.Candidate], lacking: [RoundPlanner.Candidate] = []) -> Result {
    var known: [SourceInLanguage: [ReturnRecord]] = [:]
    for record in returns {
      known[SourceInLanguage(source: record.source, language: record.language), default: []].append(record)
    }
    var result = Result()
    func records(for candidate: RoundPlanner.Candidate) -> [ReturnRecord] {
      candidate.source.flatMap { known[SourceInLanguage(source: $0, language: candidate.language)] } ?? []
    }
    for candidate in lacking {
      guard case .dropped(let id) = answer(to: candidate, records(for: candidate)) else { continue }
      result.reopened[heads[candidate.head].run.branch, default: []].append(id)
    }
    for candidate in candidates {
      switch answer(to: candidate, records(for: candidate)) {
      case .none: result.unanswered.append(candidate)
      case .underWay: break
      case .dropped(let id): result.reopened[heads[candidate.head].run.branch, default: []].append(id)
      }
    }
    return result
  }

  private enum Answer {
    case none
    /// The return is about to be merged, is held, or is on the branch unchanged.
    case underWay
    /// The branch no longer has the translation, for example after a force-push, or because another source text and its translation
    /// replaced it for a while. The merge decides what happens: it does not replace a person's text, and holds the return instead.
    case dropped(ReturnedUnitID)
  }

  private func answer(to candidate: RoundPlanner.Candidate, _ records: [ReturnRecord]) -> Answer {
    let head = heads[candidate.head]
    let entry = head.snapshot?.synced[candidate.unit.catalog]?.entries[candidate.unit.key]
    let present = entry?.translations[candidate.language]
    var dropped: ReturnedUnitID?
    for record in records {
      guard let outcome = record.outcomes[head.run.branch] else { return .underWay }
      switch outcome.state {
      case .held where outcome.isUnfinished, .passedOver where outcome.isUnfinished: continue
      case .delivered, .held: return .underWay
      case .settled where present != nil && present?.digest == outcome.translation:
        // The translation exists, but the catalog needs more, for example because a person reset its state.
        return .underWay
      // If there are several, the newest is used. It comes last.
      case .settled, .passedOver: dropped = record.id
      }
    }
    return dropped.map(Answer.dropped) ?? .none
  }
}
