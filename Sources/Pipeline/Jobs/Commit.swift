package import Localization

/// The id of a commit, 40 lower-case hexadecimal digits.
package struct CommitID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  package var description: String { rawValue }
  /// The first ten digits, for display.
  package var short: String { String(rawValue.prefix(10)) }
}

/// A branch of the remote and its newest commit.
package struct BranchHead: Hashable, Sendable {
  package var name: String
  package var commit: CommitID

  package init(name: String, commit: CommitID) {
    self.name = name
    self.commit = commit
  }

  /// Returns whether git cannot have both branches, because the name of one is a folder in the name of the other: `main` and `main/l10n`.
  package static func collide(_ a: String, _ b: String) -> Bool { a.hasPrefix(b + "/") || b.hasPrefix(a + "/") }
}

/// The author or committer of a commit, and the time.
package struct CommitSignature: Hashable, Sendable, Codable {
  package var name: String
  package var email: String
  /// The time, in seconds since 1970, UTC.
  package var seconds: Int64
  /// The offset of the time zone, in minutes east of UTC.
  package var offsetMinutes: Int

  package init(name: String, email: String, seconds: Int64, offsetMinutes: Int = 0) {
    self.name = name
    self.email = email
    self.seconds = seconds
    self.offsetMinutes = offsetMinutes
  }
}

/// The metadata of a commit.
package struct CommitInfo: Hashable, Sendable {
  package var id: CommitID
  /// The id of the commit's tree, 40 hexadecimal digits.
  package var tree: String
  package var parents: [CommitID]
  package var author: CommitSignature
  package var committer: CommitSignature
  /// The whole message, trailers included.
  package var message: String

  package init(
    id: CommitID, tree: String, parents: [CommitID], author: CommitSignature, committer: CommitSignature,
    message: String
  ) {
    self.id = id
    self.tree = tree
    self.parents = parents
    self.author = author
    self.committer = committer
    self.message = message
  }
}

/// One file that differs between two trees.
package struct TreeChange: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case added, removed, modified
    /// The file had another path before.
    case renamed(from: TreePath)
  }

  package var path: TreePath
  package var kind: Kind

  package init(path: TreePath, kind: Kind) {
    self.path = path
    self.kind = kind
  }
}
