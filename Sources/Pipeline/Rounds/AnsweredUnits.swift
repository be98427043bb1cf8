import Localization

/// Tells which units need not be sent, because a translation for the very same source text came back before.
struct AnsweredUnits {
  let heads: [WatchedHead]
  /// What came back for the sources of the candidates.
  let returns: [ReturnRecord]

  struct Result {
    /// Those that must be sent.
    var unanswered: [RoundPlanner.Candidate] = []
    /// By branch: returned units that do not stand on the branch, to be merged again instead of being sent and paid again.
    var reopened: [String: [ReturnedUnitID]] = [:]
  }

  /// - Parameter lacking: what branches lack and is not to be sent.
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
    /// It is about to be merged, or is held, or stands on the branch as it came.
    case underWay
    /// The branch does not have it, after a force-push for example, or since the source was another one for a while and that one's translation
    /// took the place. The merge decides what becomes of it: a text that a person wrote is not replaced, and the return is held.
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
        // It stands there and the catalog wants more, such as a state that a person set back.
        return .underWay
      // Of several the newest, which comes last.
      case .settled, .passedOver: dropped = record.id
      }
    }
    return dropped.map(Answer.dropped) ?? .none
  }
}
