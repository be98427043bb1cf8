private import CSpawn
private import Glibc
private import Synchronization

/// A program as a child process. Its standard input and output share one socket, and its standard error uses another. It inherits no other
/// descriptor. A library may open descriptors without close-on-exec, as SwiftNIO does with the connections of its servers, and a connection
/// that a child inherits stays open after the server has closed it.
///
/// Only this type waits for the process, so a kill cannot hit another process with a reused id. It uses posix_spawn instead of Foundation
/// or swift-subprocess, so the caller decides which thread waits, and with which deadline.
@safe package final class ChildProgram: Sendable {
  package enum Group: Sendable {
    /// Its own session: it has no terminal to ask for a password, Ctrl-C reaches only the parent, and ``ChildProgram/kill()`` also kills
    /// its children.
    case own
    /// The session and group of the process that starts it.
    case inherited
  }

  private enum State {
    case running(pid_t)
    case ended
  }

  /// `POSIX_SPAWN_SETSID`, which Glibc's module does not have.
  private static let newSession: Int16 = 0x80

  private let state: Mutex<State>
  private let group: Group
  /// Its standard input and output.
  package let channel: Int32
  package let errors: Int32

  /// - Parameter environment: the whole environment of the child, as `NAME=value`.
  package init(
    executable: String, arguments: [String], environment: [String], group: Group = .own
  ) throws(ChildProgramError) {
    let operation = "start \(executable)"
    // Sockets instead of pipes: a write to a closed socket can be sent without raising a signal.
    var ends: [Int32] = [-1, -1]
    var errorEnds: [Int32] = [-1, -1]
    // CLOEXEC: other processes that start at the same time must not inherit them.
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

  /// Writes to its standard input without blocking.
  /// - Returns: how many bytes were written; `nil` if its end of the socket is closed.
  package func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    let flags = Int32(truncatingIfNeeded: MSG_NOSIGNAL) | Int32(truncatingIfNeeded: MSG_DONTWAIT)
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(channel, $0.baseAddress, $0.count, flags) }
    if count < 0 { return errno == EAGAIN || errno == EINTR ? 0 : nil }
    return count
  }

  /// Ends its standard input. Its output can still be read.
  package func endInput() { _ = shutdown(channel, Int32(SHUT_WR)) }

  /// Kills the process. It can be called from any thread, and more than once.
  package func kill() {
    state.withLock {
      if case .running(let process) = $0 { _ = Glibc.kill(group == .own ? -process : process, SIGKILL) }
    }
  }

  /// Reaps the process without blocking.
  /// - Returns: whether it has ended.
  package func reap() -> Bool {
    state.withLock {
      guard case .running(let process) = $0 else { return true }
      var status: Int32 = 0
      if unsafe waitpid(process, &status, Int32(WNOHANG)) == 0 { return false }
      $0 = .ended
      return true
    }
  }

  /// Kills the process and waits for its end, which takes milliseconds.
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

/// A program could not be started.
package struct ChildProgramError: Error, Hashable {
  /// Such as `start /usr/bin/ssh`.
  package let operation: String
  /// An `errno`.
  package let code: Int32

  package var detail: String { unsafe String(cString: strerror(code)) }
}
