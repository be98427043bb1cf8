package import Localization

/// An error of a git operation, independent of libgit2 and HTTP.
package struct GitError: DisposableError, Hashable, CustomStringConvertible {
  /// The kind of failure. It is encoded by name, because a network child sends it to the parent process.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// No such file or folder.
    case noSuchPath
    /// The folder exists but is not a repository.
    case notARepository
    /// The mirror has not been fetched yet, or was deleted. The next refresh fetches it.
    case noMirror
    /// The repository has no commits yet.
    case emptyRepository
    /// The repository has no branch, tag or commit with this name, or the commit does not contain the requested folder.
    case noSuchRevision
    /// A shortened commit id matches several objects.
    case ambiguousRevision
    /// An object is missing or damaged.
    case missingObject
    /// The remote could not be reached, the connection broke, or the remote returned an error status or damaged data.
    case unreachable
    /// The deadline of a network operation or of signing passed, or no data arrived for too long.
    case timedOut
    /// Credentials are missing or were rejected.
    case unauthorized
    /// An operation was refused, for example because of missing permissions, a redirect to another host, a rejected certificate, or too much data.
    case refused
    /// The remote reported that the repository does not exist, or the URL is not that of a repository.
    case noSuchRemote
    /// A path cannot be used, because git does not allow it, or because an entry of another kind is in the way, such as a symbolic link or a file
    /// instead of a folder.
    case obstructed
    /// The new branch's name conflicts with a branch of the remote, as `l10n` conflicts with `l10n/main`.
    case branchConflict
    /// Another process holds a lock, or moved the reference in the meantime.
    case locked
    /// The disk is full or not writable, or a file operation failed for another reason.
    case disk
    /// The URL or the kind of the repository is not supported, or its trees have too many paths.
    case unsupported
    case cancelled
    /// Any other failure, such as a name that git does not allow, or a bug in Dragoman or libgit2.
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

  /// A label for metrics, such as `git timedOut`. It contains only the kind of the error, so that there are few different labels.
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
