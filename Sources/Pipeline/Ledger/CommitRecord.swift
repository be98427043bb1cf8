package import Localization

/// The changes for translators in one commit, compared with an earlier commit. In the history of a watched branch, each commit has one record,
/// and is compared with its first parent.
///
/// A record of the history depends only on the commit, its first parent and the settings for reading sources, so writing it again changes
/// nothing.
package struct CommitRecord: Hashable, Sendable, Codable {
  package var commit: CommitID
  /// The first parent; `nil` for the first commit of a repository.
  package var parent: CommitID?
  package var author: String
  package var email: String
  /// The author's time of the commit, in seconds since 1970, UTC.
  package var seconds: Int64
  /// The first line of the message, at most 200 characters.
  package var subject: String
  /// Whether the commit's message has the trailers of our commits (`CommitInfo.isOurs`).
  package var isOurs: Bool
  package var counts: Counts
  /// At most `changeLimit` changes, sorted by catalog and key.
  package var changes: [Change]
  /// The reason why the commit, or a part of it, could not be compared; `nil` if everything was compared.
  package var fault: String?

  package struct Counts: Hashable, Sendable, Codable {
    package var added = 0
    package var changed = 0
    package var commented = 0
    package var removed = 0
    /// The number of changed translations, in units × languages.
    package var translations = 0

    package init() {}

    mutating func add(_ kind: Kind) {
      switch kind {
      case .added: added += 1
      case .changed: changed += 1
      case .commented: commented += 1
      case .removed: removed += 1
      }
    }
  }

  package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The string is new, translatable again, or in the code again.
    case added
    /// The source text changed.
    case changed
    /// The comment changed, but the source text did not.
    case commented
    /// The string was deleted, or is no longer translatable or no longer in the code.
    case removed
  }

  package struct Change: Hashable, Sendable, Codable {
    package var unit: UnitID
    package var kind: Kind
    /// The source text; for a removed string, its last source text; if only the comment changed, the comment. Forms are separated by line
    /// breaks. Only the beginning of a long text is kept.
    package var text: String
    /// The former source text, or, if only the comment changed, the former comment.
    package var former: String?
    /// The file with the first site of the string after the commit; `nil` if the string is not in the code.
    package var path: TreePath?
    package var line: Int?

    package init(
      unit: UnitID, kind: Kind, text: String, former: String? = nil, path: TreePath? = nil, line: Int? = nil
    ) {
      self.unit = unit
      self.kind = kind
      self.text = text
      self.former = former
      self.path = path
      self.line = line
    }
  }

  /// The maximum number of changes that are kept for a commit. The counts include all changes.
  package static let changeLimit = 20_000

  package init(
    commit: CommitID, parent: CommitID?, author: String, email: String, seconds: Int64, subject: String,
    isOurs: Bool = false, counts: Counts = Counts(), changes: [Change] = [], fault: String? = nil
  ) {
    self.commit = commit
    self.parent = parent
    self.author = author
    self.email = email
    self.seconds = seconds
    self.subject = subject
    self.isOurs = isOurs
    self.counts = counts
    self.changes = changes
    self.fault = fault
  }

  package init(_ info: CommitInfo) {
    self.init(
      commit: info.id, parent: info.parents.first, author: String(info.author.name.prefix(200)),
      email: String(info.author.email.prefix(200)), seconds: info.author.seconds,
      subject: String((info.message.split(separator: "\n").first ?? "").prefix(200)), isOurs: info.isOurs)
  }
}

/// A change of one string, with the commit that made it.
package struct UnitCommit: Hashable, Sendable, Codable {
  package var pipeline: String
  /// The commit's record, without its changes.
  package var record: CommitRecord
  package var change: CommitRecord.Change

  package init(pipeline: String, record: CommitRecord, change: CommitRecord.Change) {
    self.pipeline = pipeline
    self.record = record
    self.change = change
  }
}
