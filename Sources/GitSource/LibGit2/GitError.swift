package import Localization

/// What went wrong with a repository, in words that neither libgit2 nor HTTP is needed for.
package struct GitError: DisposableError, Hashable, CustomStringConvertible {
  /// Why it failed. Codable by name, because a network child tells it to its parent.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// No such file or folder.
    case noSuchPath
    /// The folder is there and holds no repository.
    case notARepository
    /// The repository has no commit yet.
    case emptyRepository
    /// No branch, tag or commit of that name, or no folder of that name in it.
    case noSuchRevision
    /// A shortened commit id that fits several.
    case ambiguousRevision
    /// An object that should be there is absent, or its bytes are damaged.
    case missingObject
    /// The remote could not be reached, or broke off.
    case unreachable
    /// The deadline of a network operation passed, or nothing was heard for too long.
    case timedOut
    /// Credentials are missing or were not accepted.
    case unauthorized
    /// The remote answered and says no: rights, a redirect to another host.
    case refused
    /// The remote answered and has no such repository.
    case noSuchRemote
    /// Something is in the way in the tree: a symbolic link, a file where a folder should be.
    case obstructed
    /// The remote has a branch whose name is a folder of the new branch's name, or the other way round.
    case branchConflict
    /// Another process holds a lock, or moved the reference meanwhile.
    case locked
    /// The disk is full or may not be written.
    case disk
    /// The URL or the kind of repository is not one that we read.
    case unsupported
    case cancelled
    /// None of the above: our own fault, or libgit2's.
    case failed
  }

  package let kind: Kind
  /// What we were doing: `open /srv/app.git`.
  package let operation: String
  /// The library's words and code, or ours. Holds no secret.
  package let detail: String

  package init(_ kind: Kind, _ operation: String, _ detail: String) {
    self.kind = kind
    self.operation = operation
    self.detail = detail
  }

  package var description: String { "cannot \(operation): \(detail)" }

  /// Without values, to label metrics with.
  package var shortDescription: String { "git \(kind.rawValue)" }

  package var disposition: Disposition {
    switch kind {
    case .unreachable, .timedOut, .locked, .cancelled: .retry
    case .unauthorized, .refused, .noSuchRemote, .branchConflict, .disk: .askPerson
    case .noSuchPath, .notARepository, .emptyRepository, .noSuchRevision, .ambiguousRevision,
      .missingObject,
      .obstructed, .unsupported, .failed:
      .permanent
    }
  }
}
