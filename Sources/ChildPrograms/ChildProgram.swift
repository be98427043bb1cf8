private import CSpawn
private import Glibc
private import Synchronization

/// A program that runs as a child process. Its standard input and output share one socket, and its standard error uses another socket. The child
/// inherits no other descriptors, even if a library opened them without close-on-exec. For example, SwiftNIO accepts connections without
/// close-on-exec, and a connection that a child inherits stays open after the server has closed it.
///
/// Only this type reaps the process, so ``kill()`` cannot hit another process that got the same process id. The type uses posix_spawn instead of
/// Foundation or swift-subprocess, so that the caller can choose the thread that waits and the deadline.
@safe package final class ChildProgram: Sendable {
  package enum Group: Sendable {
    /// A new session. The child has no terminal on which to ask for a password, Ctrl-C affects only the parent, and ``ChildProgram/kill()`` also
    /// kills the child's own children.
    case own
    /// The session and group of the process that starts the child.
    case inherited
  }

  private enum State {
    case running(pid_t)
    case ended
  }

  /// The value of `POSIX_SPAWN_SETSID`, which Glibc's module does not export.
  private static let newSession: Int16 = 0x80

  private let state: Mutex<State>
  private let group: Group
  /// The parent's end of the socket for the child's standard input and output.
  package let channel: Int32
  package let errors: Int32

  /// Starts the program.
  /// - Parameter environment: all environment variables of the child, as `NAME=value` strings.
  package init(
    executable: String, arguments: [String], environment: [String], group: Group = .own
  ) throws(ChildProgramError) {
    let operation = "start \(executable)"
    // Sockets are used instead of pipes, because a write to a closed socket raises no signal if MSG_NOSIGNAL is set.
    var ends: [Int32] = [-1, -1]
    var errorEnds: [Int32] = [-1, -1]
    // CLOEXEC is set, because other processes that start at the same time must not inherit the sockets.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0, unsafe socketpair(AF_UNIX, type, 0, &errorEnds) == 0 else {
      let code = errno
      for end in ends + errorEnds where end >= 0 { close(end) }
      throw ChildProgramError(operation: operation, code: code)
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
    unsafe dragoman_close_from(&actions, STDERR_FILENO + 1)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    if group == .own { flags |= Self.newSession }
    unsafe posix_spawnattr_setflags(&attributes, flags)
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
      throw ChildProgramError(operation: operation, code: code)
    }
    state = Mutex(.running(process))
    self.group = group
    channel = ends[0]
    errors = errorEnds[0]
  }

  deinit {
    for end in [channel, errors] { close(end) }
  }

  /// Writes to the child's standard input without blocking.
  /// - Returns: the number of bytes that were written, which is 0 if the child reads too slowly or a signal interrupts the call; `nil` if writing
  ///   fails, usually because the child's end of the socket is closed.
  package func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    let flags = Int32(truncatingIfNeeded: MSG_NOSIGNAL) | Int32(truncatingIfNeeded: MSG_DONTWAIT)
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(channel, $0.baseAddress, $0.count, flags) }
    if count < 0 { return errno == EAGAIN || errno == EINTR ? 0 : nil }
    return count
  }

  /// Closes the child's standard input. Its output can still be read.
  package func endInput() { _ = shutdown(channel, Int32(SHUT_WR)) }

  /// Kills the process and, in the group `own`, all processes of its group. Does nothing if the process has been reaped. This function can be called
  /// on any thread.
  package func kill() {
    state.withLock {
      if case .running(let process) = $0 { _ = Glibc.kill(group == .own ? -process : process, SIGKILL) }
    }
  }

  /// Reaps the process if it has ended, without blocking.
  /// - Returns: whether the process has ended.
  package func reap() -> Bool {
    state.withLock {
      guard case .running(let process) = $0 else { return true }
      var status: Int32 = 0
      if unsafe waitpid(process, &status, Int32(WNOHANG)) == 0 { return false }
      $0 = .ended
      return true
    }
  }

  /// Kills the process like ``kill()``, and reaps it if it has not been reaped. The call blocks until the process has ended, which takes
  /// milliseconds.
  package func end() {
    kill()
    state.withLock {
      guard case .running(let process) = $0 else { return }
      var status: Int32 = 0
      while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
      $0 = .ended
    }
  }
}

/// The error when a program cannot be started.
package struct ChildProgramError: Error, Hashable {
  /// The operation that failed, such as `start /usr/bin/ssh`.
  package let operation: String
  /// The value of `errno`.
  package let code: Int32

  package var detail: String { unsafe String(cString: strerror(code)) }
}
