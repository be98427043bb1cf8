import Localization

/// The verdict on whether a frozen branch, or a pull request into a frozen branch, has new or changed strings. The verdict is also negative
/// if one of the compared commits could not be read completely, because that commit could contain new strings.
struct FreezeVerdict {
  enum Subject {
    case branch(String)
    case pullRequest(into: String)
  }

  let subject: Subject
  /// The changes in the newest commit since `since`; `nil` if the two commits could not be compared.
  var record: CommitRecord?
  /// The commit with which the newest commit is compared: the beginning of the freeze, or the merge base of the pull request. `nil` if the freeze
  /// could not begin.
  var since: CommitID?
  /// The files and targets of the newest commit that could not be read, as messages.
  var unread: [String] = []
  /// The files and targets of `since` that could not be read, as messages.
  var unreadBefore: [String] = []

  private var new: [CommitRecord.Change] {
    record?.changes.filter { $0.kind == .added || $0.kind == .changed } ?? []
  }

  private var count: Int { record.map { $0.counts.added + $0.counts.changed } ?? 0 }

  var status: CommitStatus {
    CommitStatus(
      name: DeliverSettings.Status.freeze.name, isGood: count == 0 && unread.isEmpty && unreadBefore.isEmpty,
      text: text.withVisibleControls,
      annotations: new.compactMap { change in
        guard let path = change.path, let line = change.line else { return nil }
        return StatusAnnotation(path: path, line: line, text: annotation(change).withVisibleControls)
      })
  }

  /// The text of the status. At most 140 characters are shown, so the next step comes before the details.
  private var text: String {
    let before = since?.short ?? "its first commit"
    let strings = count == 1 ? "1 new string" : "\(count) new strings"
    switch subject {
    case .branch(let name):
      if !unread.isEmpty { return "repair \(name), which cannot be compared: \(unread.joined(separator: "; "))" }
      if !unreadBefore.isEmpty {
        return "take \(name) out of rounds.freeze and freeze it again; "
          + "the freeze began at an unreadable commit, \(before): " + unreadBefore.joined(separator: "; ")
      }
      guard count > 0 else { return "\(name) has no new strings since \(before)" }
      return "\(name) has been frozen since \(before): \(strings): \(names)"
    case .pullRequest(let base):
      if !unread.isEmpty {
        return "repair this pull request, which cannot be compared: \(unread.joined(separator: "; "))"
      }
      if !unreadBefore.isEmpty {
        return "repair \(base) first, which cannot be compared at \(before): \(unreadBefore.joined(separator: "; "))"
      }
      guard count > 0 else { return "\(base) is frozen, and this pull request has no new strings" }
      return "\(base) is frozen, and this pull request has \(strings): \(names)"
    }
  }

  private var names: String {
    new.prefix(3).map { "“\($0.unit.key.text.prefix(40))”" }.joined(separator: ", ") + (count > 3 ? ", …" : "")
  }

  private func annotation(_ change: CommitRecord.Change) -> String {
    let what = "\(change.unit.key.text.debugDescription) is \(change.kind == .added ? "new" : "changed")"
    return switch subject {
    case .branch: "\(what) since \(since?.short ?? "the freeze"), and the branch is frozen"
    case .pullRequest(let base): "\(what), and \(base) is frozen"
    }
  }
}
