import ChildPrograms
private import FoundationEssentials
private import Glibc
import Pipeline

/// A runner of network operations, each in a new child process.
struct NetworkTransfer: Sendable {
  let child: GitNetworkChild
  let network: NetworkResources
  let progress: @Sendable (GitProgress) -> Void

  /// Runs an operation in a new child process.
  /// - Returns: the child's reply.
  /// - Throws: the error that the child reports; `timedOut` at a limit; `cancelled` if the task was cancelled; `failed` if the child cannot be
  ///   started or ends without a valid reply.
  func run(
    _ request: NetworkRequest, _ operation: String, _ listening: NetworkLanes.Listening
  ) async throws -> NetworkMessage {
    try Task.checkCancelled(operation)
    let line = Array(try JSONEncoder().encode(request)) + [UInt8(ascii: "\n")]
    let (executable, environment) = (child.executable, Self.environment)
    let process = try await network.pool.run {
      do throws(ChildProgramError) {
        return try ChildProgram(
          executable: executable, arguments: [GitNetworkChild.argument], environment: environment)
      } catch { throw GitError(.failed, error.operation, error.detail) }
    }
    // A request is smaller than the buffer of a socket. If the write fails, the child is killed, and the monitor reports the end of the child.
    if process.send(line[...]) != line.count { process.kill() }
    let progress = progress
    do {
      return try await network.monitor.follow(
        process, operation, deadline: child.deadline, stallLimit: child.stallLimit
      ) { line in
        guard let message = try? JSONDecoder().decode(NetworkMessage.self, from: Data(line)) else {
          return .failure(GitError(.failed, operation, "the git network process sent an unexpected reply"))
        }
        listening.heard()
        switch message {
        case .progress(let state):
          progress(state)
          return nil
        case .failed(let kind, let operation, let detail): return .failure(GitError(kind, operation, detail))
        case .heads, .reference, .push: return .success(message)
        }
      }
    } catch {
      try Task.checkCancelled(operation)
      throw error
    }
  }

  /// The environment of the child process: the dynamic linker's search path, the folder for temporary files, and the options of sanitizers. Other
  /// variables are not passed on, because they may contain secrets.
  private static var environment: [String] {
    (["LD_LIBRARY_PATH", "TMPDIR", "ASAN_OPTIONS", "TSAN_OPTIONS"] as [String]).compactMap { name in
      unsafe getenv(name).map { unsafe "\(name)=\(String(cString: $0))" }
    }
  }
}

extension Task where Success == Never, Failure == Never {
  static func checkCancelled(_ operation: String) throws(GitError) {
    if isCancelled { throw GitError(.cancelled, operation, "cancelled") }
  }
}
