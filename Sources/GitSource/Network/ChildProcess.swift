private import Glibc
private import Synchronization

/// A child process. Its standard input and output share one socket, and its standard error uses another.
///
/// Only this type waits for the process, so a kill cannot hit another process with a reused id. It uses posix_spawn instead of Foundation
/// or swift-subprocess, because ``ChildMonitor`` waits for all children on one thread.
@safe final class ChildProcess: Sendable {
  private enum State {
    case running(pid_t)
    case ended
  }

  private let state: Mutex<State>
  /// Its standard input and output.
  let channel: Int32
  let errors: Int32

  /// - Parameter environment: the whole environment of the child.
  init(executable: String, arguments: [String], environment: [String]) throws(GitError) {
    let operation = "start \(executable)"
    // Sockets instead of pipes: a write to a closed socket can be sent without raising a signal.
    var ends: [Int32] = [-1, -1]
    var errorEnds: [Int32] = [-1, -1]
    // CLOEXEC: other processes that start at the same time must not inherit them.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0, unsafe socketpair(AF_UNIX, type, 0, &errorEnds) == 0 else {
      let reason = systemError()
      for end in ends + errorEnds where end >= 0 { close(end) }
      throw GitError(.failed, operation, reason)
    }
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, errorEnds[1], STDERR_FILENO)
    // Its own process group: Ctrl-C goes only to the parent, which stops the child itself.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var argumentPointers = unsafe ([executable] + arguments).map { unsafe strdup($0) } + [nil]
    var environmentPointers = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer {
      for index in unsafe argumentPointers.indices { unsafe free(argumentPointers[index]) }
      for index in unsafe environmentPointers.indices { unsafe free(environmentPointers[index]) }
    }
    var process: pid_t = 0
    let code = unsafe posix_spawn(
      &process, executable, &actions, &attributes, &argumentPointers, &environmentPointers)
    for end in [ends[1], errorEnds[1]] { close(end) }
    guard code == 0 else {
      for end in [ends[0], errorEnds[0]] { close(end) }
      throw GitError(.failed, operation, unsafe String(cString: strerror(code)))
    }
    state = Mutex(.running(process))
    channel = ends[0]
    errors = errorEnds[0]
  }

  deinit {
    for end in [channel, errors] { close(end) }
  }

  /// Writes to its standard input without blocking. A request is smaller than the buffer of a socket.
  /// - Returns: whether all bytes were written.
  func send(_ bytes: [UInt8]) -> Bool {
    let flags = Int32(truncatingIfNeeded: MSG_NOSIGNAL) | Int32(truncatingIfNeeded: MSG_DONTWAIT)
    return unsafe bytes.withUnsafeBytes { unsafe Glibc.send(channel, $0.baseAddress, $0.count, flags) } == bytes.count
  }

  /// Kills the process. It can be called from any thread, and more than once.
  func kill() {
    state.withLock { if case .running(let process) = $0 { _ = Glibc.kill(process, SIGKILL) } }
  }

  /// Reaps the process without blocking.
  /// - Returns: whether it has ended.
  func reap() -> Bool {
    state.withLock {
      guard case .running(let process) = $0 else { return true }
      var status: Int32 = 0
      if unsafe waitpid(process, &status, Int32(WNOHANG)) == 0 { return false }
      $0 = .ended
      return true
    }
  }
}
