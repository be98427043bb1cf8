import Localization
import Pipeline
import Synchronization

/// A mirror that counts polls and opened trees. A test can make the polls fail.
final class ForwardingMirror: WrappingMirror {
  let wrapped: any RepositoryMirror
  private let fault = Mutex<(any Error)?>(nil)
  private let counted = Mutex((looks: 0, trees: 0))
  /// A function that is called before a tree is opened.
  private let willOpen: @Sendable () async throws -> Void

  init(_ mirror: any RepositoryMirror, willOpen: @escaping @Sendable () async throws -> Void = {}) {
    wrapped = mirror
    self.willOpen = willOpen
  }

  var looks: Int { counted.withLock { $0.looks } }
  var trees: Int { counted.withLock { $0.trees } }
  func fail(_ error: (any Error)?) { fault.withLock { $0 = error } }

  private let unreadable = Mutex<[String]>([])
  func leaveOut(_ branches: [String]) { unreadable.withLock { $0 = branches } }
  func unreadableBranches() async throws -> [String] { unreadable.withLock { $0 } }

  func refresh() async throws -> [BranchHead] {
    counted.withLock { $0.looks += 1 }
    if let error = fault.withLock({ $0 }) { throw error }
    return try await wrapped.refresh()
  }

  func tree(of commit: CommitID) async throws -> any SourceTree {
    counted.withLock { $0.trees += 1 }
    try await willOpen()
    return try await wrapped.tree(of: commit)
  }
}
