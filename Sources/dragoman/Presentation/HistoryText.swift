import Foundation
import Localization
import Pipeline

/// The history of a string as lines of text. Each event is below the event that caused it.
struct HistoryText {
  private let history: UnitHistory

  init(_ history: UnitHistory) { self.history = history }

  var text: String {
    var lines = ["\(history.pipeline): \(history.unit.catalog): \(history.unit.key.text.debugDescription)"]
    for version in history.versions {
      lines.append("  " + quoted(version.text))
      lines.append("    " + origin(of: version))
      for sent in version.sent { lines.append("    " + line(sent)) }
      for returned in version.returned { lines += self.lines(returned) }
      if version.sent.isEmpty && version.returned.isEmpty {
        lines.append(
          "    "
            + message("nothing was sent or returned in these languages", comment: "In the history of a string."))
      }
    }
    if !history.unmatched.isEmpty {
      lines.append("  " + message("returned for a text that was never sent:", comment: "In the history of a string."))
      for returned in history.unmatched { lines += self.lines(returned) }
    }
    if !history.commits.isEmpty {
      lines.append("  " + message("commits:", comment: "In the history of a string, before its commits."))
      for commit in history.commits {
        lines.append("    " + line(commit.record) + ": " + CommitLines.words(for: commit.change))
      }
    }
    return lines.map(\.withVisibleControls).joined(separator: "\n")
  }

  private func line(_ record: CommitRecord) -> String {
    message(
      "%1$@ by %2$@ on %3$@", record.commit.short, record.author, CommitLines.day(record.seconds),
      comment: "In the history of a string: a commit, its author and its date.")
  }

  private func origin(of version: UnitHistory.Version) -> String {
    if let found = history.provenance(of: version) {
      return message(
        "added in %1$@ by %2$@ on %3$@", found.commit.short, found.author,
        Date(timeIntervalSince1970: TimeInterval(found.seconds)).formatted(.iso8601.year().month().day()),
        comment: "In the history of a string: a commit, its author and its date.")
    }
    return message(
      "sent from %1$@ by %2$@; the commit that added it is unknown", version.commit.short, version.author,
      comment: "In the history of a string: a commit and its author.")
  }

  private func line(_ sent: UnitHistory.Sent) -> String {
    let state =
      switch sent.state {
      case .outstanding:
        sent.time == nil
          ? message("not sent yet", comment: "The state of a text for a vendor.")
          : message("outstanding", comment: "The state of a text for a vendor.")
      case .returned: message("returned", comment: "The state of a text for a vendor.")
      case .withdrawn:
        sent.refusal.map {
          message("refused: %@", $0, comment: "The state of a text for a vendor: why the vendor cannot translate it.")
        } ?? message("withdrawn", comment: "The state of a text for a vendor.")
      case .superseded: message("replaced by a newer text", comment: "The state of a text for a vendor.")
      }
    return message(
      "%1$@ to %2$@ for %3$@%4$@: %5$@", "\(history.pipeline)#\(sent.round)", sent.vendor, "\(sent.language)",
      sent.time.map { " " + $0.formatted(.iso8601) } ?? "", state,
      comment: "In the history of a string: a round, a vendor, a language, a space and a time or nothing, a state.")
  }

  private func lines(_ returned: UnitHistory.Returned) -> [String] {
    let head = message(
      "%1$@ returned %2$@ for %3$@ in %4$@: %5$@", returned.vendor, returned.received.formatted(.iso8601),
      "\(returned.language)", returned.bundle, quoted(returned.text),
      comment: "In the history of a string: a vendor, a time, a language, a bundle, a text.")
    let outcomes = returned.outcomes.map { "      \($0.branch): " + words(for: $0, of: returned) }
    return ["    " + head]
      + (outcomes.isEmpty
        ? [
          "      "
            + message(
              "waits for its review or, with deliver.when: complete, for the rest of its language",
              comment: "What became of a returned text.")
        ] : outcomes)
  }

  private func words(for outcome: UnitHistory.Outcome, of returned: UnitHistory.Returned) -> String {
    let state =
      switch outcome.state {
      case .held: message("held", comment: "What became of a returned text.")
      case .passedOver: message("passed over", comment: "What became of a returned text.")
      case .delivered: message("delivered", comment: "What became of a returned text.")
      case .settled where history.isReplaced(returned, with: outcome):
        message("on the branch until a later text replaced it", comment: "What became of a returned text.")
      case .settled: message("on the branch", comment: "What became of a returned text.")
      }
    let reason = outcome.reason.map { ": " + $0.sentence } ?? ""
    guard let delivery = outcome.delivery else { return state + reason }
    return message(
      "%1$@%2$@, in %3$@ on %4$@ (%5$@)", state, reason, delivery.commit.short, delivery.target,
      delivery.state.rawValue,
      comment:
        "What became of a returned text: the state, a reason or nothing, a commit, a branch, the delivery's state.")
  }

  /// Quotes a text. Several forms are put on one line.
  private func quoted(_ text: String) -> String {
    "“" + text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " | ") + "”"
  }
}
