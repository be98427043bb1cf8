import Localization
package import Pipeline
internal import Synchronization

/// The behaviour of a server.
package enum ServerHealth: String, Hashable, Sendable, CaseIterable {
  case healthy
  /// The server accepts the connection and sends nothing until the caller gives up.
  case silent
  /// The server refuses the connection.
  case refusing
  /// The server executes the request, but the connection ends without a response.
  case failing
  /// The server responds after a delay.
  case slow
}

/// A repository on a server. People and pipelines push to it.
package final class RemoteRepository: Sendable {
  private struct State {
    var branches: [String: CommitID] = [:]
    var defaultBranch = "main"
    var health = ServerHealth.healthy
    /// The branches that a hook protects, with the hook's message.
    var refused: [String: String] = [:]
  }

  /// A move of a branch. `old` is `nil` if the branch is new, and `new` is `nil` if the branch was deleted.
  package struct Move: Hashable, Sendable {
    package var repository: String
    package var branch: String
    package var old: CommitID?
    package var new: CommitID?
    /// The pipeline that pushed; `nil` if a person pushed.
    package var pipeline: String?
  }

  package let name: String
  package let history: GitHistory
  private let state = Mutex(State())
  /// Called after each move.
  private let observe: @Sendable (Move) -> Void

  package init(name: String, history: GitHistory, observe: @escaping @Sendable (Move) -> Void = { _ in }) {
    self.name = name
    self.history = history
    self.observe = observe
  }

  package var branches: [BranchHead] {
    state.withLock { $0.branches.map { BranchHead(name: $0.key, commit: $0.value) }.sorted { $0.name < $1.name } }
  }

  package func head(of branch: String) -> CommitID? { state.withLock { $0.branches[branch] } }
  package func tree(of branch: String) -> FileTree? { head(of: branch).flatMap { history[$0]?.tree } }
  package var defaultBranch: String { state.withLock { $0.defaultBranch } }

  package var health: ServerHealth {
    get { state.withLock { $0.health } }
    set { state.withLock { $0.health = newValue } }
  }

  /// Protects a branch against pushes of pipelines, which fail with this message; `nil` removes the protection.
  package func refuse(_ branch: String, saying words: String?) { state.withLock { $0.refused[branch] = words } }
  package var refusals: [String] { state.withLock { $0.refused.keys.sorted() } }
  package func refusal(of branch: String) -> String? { state.withLock { $0.refused[branch] } }

  /// Moves a branch to a commit; `nil` deletes the branch.
  package func move(_ branch: String, to new: CommitID?, pipeline: String? = nil) {
    let old = state.withLock { state in
      let old = state.branches[branch]
      state.branches[branch] = new
      return old
    }
    guard old != new else { return }
    observe(Move(repository: name, branch: branch, old: old, new: new, pipeline: pipeline))
  }
}
