import Foundation
import Localization
import Pipeline

/// A commit in the history of a branch as lines of text: the commit, followed by its changes.
struct CommitLines {
  let record: CommitRecord

  var text: [String] {
    var lines = ["\(record.commit.short)  \(Self.day(record.seconds))  \(record.author)  \(record.subject)"]
    lines += record.changes.map { change in
      "  \(change.unit.catalog): \(change.unit.key.text.debugDescription): \(Self.words(for: change))"
    }
    let counts = record.counts
    let rest = counts.added + counts.changed + counts.commented + counts.removed - record.changes.count
    if rest > 0 {
      lines.append("  " + message("and %lld more", rest, comment: "In the history of a branch: a number of strings."))
    }
    if counts.translations > 0 {
      lines.append(
        "  "
          + counted(
            counts.translations, one: message("1 translation changed", comment: "In the history of a branch."),
            other: message(
              "%lld translations changed", counts.translations, comment: "In the history of a branch.")))
    }
    if let fault = record.fault { lines.append("  " + fault) }
    return lines.map(\.withVisibleControls)
  }

  /// Whether the commit changed a string or a translation, or could not be compared.
  var isTelling: Bool { record.counts != CommitRecord.Counts() || record.fault != nil }

  static func words(for change: CommitRecord.Change) -> String {
    let place = change.path.map { path in " (\(path)\(change.line.map { ":\($0)" } ?? ""))" } ?? ""
    switch change.kind {
    case .added:
      return message("added %@", quoted(change.text), comment: "In the history of a string: its text.") + place
    case .changed:
      return message(
        "changed from %1$@ to %2$@", quoted(change.former ?? ""), quoted(change.text),
        comment: "In the history of a string: its old and its new text.") + place
    case .commented:
      return message(
        "comment changed from %1$@ to %2$@", quoted(change.former ?? ""), quoted(change.text),
        comment: "In the history of a string: its old and its new comment.") + place
    case .removed: return message("removed %@", quoted(change.text), comment: "In the history of a string: its text.")
    }
  }

  static func day(_ seconds: Int64) -> String {
    Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601.year().month().day())
  }

  /// Quotes a text. Several forms are put on one line.
  private static func quoted(_ text: String) -> String {
    "“" + text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " | ") + "”"
  }
}
