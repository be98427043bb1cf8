private import FoundationEssentials
private import Glibc
import Pipeline

/// Runs network operations of one mirror, one at a time, each in a child process that ends by its deadline at the latest.
actor NetworkLane {
  private nonisolated let executor = SerialQueueExecutor("network")
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private let child: GitNetworkChild
  private let progress: @Sendable (GitProgress) -> Void

  init(_ child: GitNetworkChild, progress: @escaping @Sendable (GitProgress) -> Void) {
    self.child = child
    self.progress = progress
  }

  /// - Throws: what the child says, `timedOut` where it says nothing more, `cancelled` where the task was.
  func run(_ request: NetworkRequest, _ operation: String) async throws -> NetworkMessage {
    let request = try JSONEncoder().encode(request)
    let process = try ChildProcess(
      executable: child.executable, arguments: [GitNetworkChild.argument], environment: Self.environment)
    return try await withTaskCancellationHandler {
      try converse(with: process, Array(request) + [UInt8(ascii: "\n")], operation)
    } onCancel: {
      process.kill()
    }
  }

  /// Blocks this actor's own thread.
  private func converse(
    with process: ChildProcess, _ request: [UInt8], _ operation: String
  ) throws(GitError) -> NetworkMessage {
    defer { process.kill() }
    process.send(request)
    let end = ContinuousClock.now + child.deadline
    while true {
      let left = ContinuousClock.now.duration(to: end)
      switch process.next(within: max(.zero, min(left, child.stallLimit))) {
      case .line(let line):
        guard let message = try? JSONDecoder().decode(NetworkMessage.self, from: Data(line)) else {
          throw GitError(.failed, operation, "the network child says what is not one of ours")
        }
        switch message {
        case .progress(let state): progress(state)
        case .failed(let kind, let operation, let detail): throw GitError(kind, operation, detail)
        case .heads, .push: return message
        }
      case .silent:
        let limit = left < child.stallLimit ? child.deadline : child.stallLimit
        throw GitError(
          .timedOut, operation,
          left < child.stallLimit ? "not done within \(limit)" : "nothing was heard from the server for \(limit)")
      case .ended(let words):
        if Task.isCancelled { throw GitError(.cancelled, operation, "cancelled") }
        throw GitError(
          .failed, operation, "the network child ended without an answer" + (words.isEmpty ? "" : ": \(words)"))
      }
    }
  }

  /// What the dynamic linker may need; a variable of ours may hold a secret.
  private static var environment: [String] {
    (["LD_LIBRARY_PATH", "TMPDIR"] as [String]).compactMap { name in
      unsafe getenv(name).map { unsafe "\(name)=\(String(cString: $0))" }
    }
  }
}
