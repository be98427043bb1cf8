import Localization

/// Whether a frozen branch has new or changed strings since it was frozen.
struct FreezeVerdict {
  /// The head compared with the commit at which the branch was first seen as frozen.
  let record: CommitRecord
  let since: CommitID

  var new: [CommitRecord.Change] { record.changes.filter { $0.kind == .added || $0.kind == .changed } }

  /// - Parameter subject: a description of the compared commits, for people.
  func status(of subject: String) -> CommitStatus {
    let count = record.counts.added + record.counts.changed
    let names = new.prefix(3).map { "“\($0.unit.key.text.prefix(40))”" }.joined(separator: ", ")
    let text =
      count == 0
      ? "\(subject) has no new string since \(since.short)"
      : "\(subject) has been frozen since \(since.short): \(count == 1 ? "1 new string" : "\(count) new strings"): \(names)"
        + (count > 3 ? ", …" : "")
    return CommitStatus(
      name: DeliverSettings.Status.freeze.name, isGood: count == 0, text: text.withVisibleControls,
      annotations: new.compactMap { change in
        guard let path = change.path, let line = change.line else { return nil }
        let what = change.kind == .added ? "new" : "changed"
        return StatusAnnotation(
          path: path, line: line,
          text: "\(change.unit.key.text.debugDescription) is \(what) since \(since.short), and the branch is frozen"
            .withVisibleControls)
      })
  }
}
