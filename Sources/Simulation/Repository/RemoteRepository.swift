import Localization
package import Pipeline
internal import Synchronization

/// How a server answers.
package enum ServerHealth: String, Hashable, Sendable, CaseIterable {
  case healthy
  /// Takes the connection and says nothing until the caller gives up.
  case silent
  /// Refuses the connection.
  case refusing
  /// Fails in the middle: what was asked for may have been done.
  case failing
  /// Answers after a while.
  case slow
}

/// A repository on a server, which people and pipelines push to.
package final class RemoteRepository: Sendable {
  private struct State {
    var branches: [String: CommitID] = [:]
    var defaultBranch = "main"
    var health = ServerHealth.healthy
    /// Branches that a hook protects, with what it says.
    var refused: [String: String] = [:]
  }

  /// A branch moved; `nil` where it did not exist before, or does not any more.
  package struct Move: Hashable, Sendable {
    package var repository: String
    package var branch: String
    package var old: CommitID?
    package var new: CommitID?
    /// The pipeline that pushed; `nil` for a person.
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

  /// Protects a branch against pushes of pipelines, or with `nil` no longer.
  package func refuse(_ branch: String, saying words: String?) { state.withLock { $0.refused[branch] = words } }
  package var refusals: [String] { state.withLock { $0.refused.keys.sorted() } }
  package func refusal(of branch: String) -> String? { state.withLock { $0.refused[branch] } }

  /// Moves a branch, whatever it stands at; `nil` deletes it.
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
