package import Localization

/// An error of a git operation. Callers need no knowledge of libgit2 or HTTP to understand it.
package struct GitError: DisposableError, Hashable, CustomStringConvertible {
  /// The kind of failure. Codable by name, because a network child sends it to its parent.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// No such file or folder.
    case noSuchPath
    /// The folder exists but is not a repository.
    case notARepository
    /// The mirror has not been fetched yet, or was deleted. It is fetched at the next check of the repository.
    case noMirror
    /// The repository has no commits yet.
    case emptyRepository
    /// There is no branch, tag or commit with this name, or no such folder in it.
    case noSuchRevision
    /// A shortened commit id matches several objects.
    case ambiguousRevision
    /// An object is missing or damaged.
    case missingObject
    /// The remote could not be reached, or the connection broke.
    case unreachable
    /// The deadline of a network operation passed, or no data arrived for too long.
    case timedOut
    /// Credentials are missing or were rejected.
    case unauthorized
    /// The remote refused: missing permissions, or a redirect to another host.
    case refused
    /// The remote answered that it has no such repository.
    case noSuchRemote
    /// Something in the tree is in the way: a symbolic link, or a file instead of a folder.
    case obstructed
    /// The new branch collides with a branch of the remote: one name is a folder of the other.
    case branchConflict
    /// Another process holds a lock, or moved the reference in the meantime.
    case locked
    /// The disk is full or not writable.
    case disk
    /// This URL or this kind of repository is not supported.
    case unsupported
    case cancelled
    /// Anything else: a bug in Dragoman or in libgit2.
    case failed
  }

  package let kind: Kind
  /// The operation that failed, such as `open /srv/app.git`.
  package let operation: String
  /// The library's message and code, or our own message. It contains no secrets.
  package let detail: String

  package init(_ kind: Kind, _ operation: String, _ detail: String) {
    self.kind = kind
    self.operation = operation
    self.detail = detail
  }

  package var description: String { "cannot \(operation): \(detail)" }

  /// The error without values, as a label for metrics.
  package var shortDescription: String { "git \(kind.rawValue)" }

  package var isExpectedAtStart: Bool { kind == .noMirror }

  package var disposition: Disposition {
    switch kind {
    case .noMirror, .unreachable, .timedOut, .locked, .cancelled: .retry
    case .unauthorized, .refused, .noSuchRemote, .branchConflict, .disk: .askPerson
    case .noSuchPath, .notARepository, .emptyRepository, .noSuchRevision, .ambiguousRevision,
      .missingObject,
      .obstructed, .unsupported, .failed:
      .permanent
    }
  }
}
