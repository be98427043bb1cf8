internal import Foundation
internal import Localization
package import Pipeline

/// The pages of the search and of the audit log.
extension DashboardPages {
  package func search(_ text: String, _ units: [FoundUnit]) -> String {
    let title = t(message("Search strings", comment: "The label of the search field."))
    return page(
      "search", title,
      [
        "title": title, "label": t(message("Key or source text", comment: "The label of the search field.")),
        "text": text,
        "button": t(message("Search", comment: "A button.")),
        "count": t.counted(
          units.count, one: message("1 string", comment: "A count."),
          other: message("%lld strings", units.count, comment: "A count.")),
        "units": units.map { unit -> View in
          [
            "target": target(of: unit.unit.key.text, in: unit.pipeline), "key": Shown.key(unit.unit.key.text),
            "place": Shown.line("\(unit.pipeline) · \(unit.unit.catalog)"),
            "source": unit.text == unit.unit.key.text ? false as Any : Shown.text(unit.text, limit: 500),
          ]
        },
      ])
  }

  /// Returns the page with a part of the audit log.
  /// - Parameter older: the id of the last entry on the page; `nil` if there are no older entries.
  package func audit(_ entries: [AuditEntry], older: AuditID?) -> String {
    let title = t(message("Audit log", comment: "A link of the navigation."))
    return page(
      "audit", title,
      [
        "title": title,
        "lead": t(
          message("The decisions that people made, newest first.", comment: "Below the title of the audit log.")),
        "none": t(message("No decisions have been made yet.", comment: "Shown if the audit log is empty.")),
        "hasEntries": !entries.isEmpty, "timeLabel": t(message("Time", comment: "A column.")),
        "whoLabel": t(message("Who", comment: "A column.")), "whatLabel": t(message("What", comment: "A column.")),
        "outcomeLabel": t(message("Result", comment: "A column.")),
        "entries": entries.map { entry -> View in
          [
            "at": [t.time(entry.at)], "who": Shown.line(entry.action.actor.name, limit: 80),
            "way": entry.action.actor.way.rawValue, "action": Shown.line(entry.action.action),
            "subject": Shown.line(entry.action.subject), "detail": Shown.line(entry.action.detail ?? ""),
            "outcome": outcome(entry), "tone": entry.outcome == AuditEntry.done ? "good" : "bad",
          ]
        },
        "older": older.map { "/audit?before=\($0.rawValue)" } ?? false as Any,
        "olderLabel": t(message("Older ones", comment: "A link to the next page.")),
      ])
  }

  private func outcome(_ entry: AuditEntry) -> String {
    switch entry.outcome {
    case AuditEntry.done: t(message("done", comment: "How an action ended."))
    case let failure?: Shown.line(failure)
    case nil: t(message("cut off", comment: "The result of an action that was interrupted."))
    }
  }
}
