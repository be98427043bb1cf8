private import Glibc
private import Synchronization

/// A process that we started: its pipes, and the only place that waits for it, so that its id can never be another's when it is killed.
///
/// Started by posix_spawn and not through Foundation or swift-subprocess: the thread that waits is ours and blocks in `poll` with a
/// deadline, which needs neither a run loop nor the cooperative pool.
@safe final class ChildProcess: Sendable {
  private enum State {
    case running(pid_t)
    case ended
  }

  private let state: Mutex<State>
  private let input: Int32
  private let output: Int32
  private let errors: Int32

  enum Event {
    /// A line of standard output, without its newline.
    case line([UInt8])
    /// Standard output was closed: the last words on standard error.
    case ended(String)
    /// Nothing came in the time given.
    case silent
  }

  private let unread = Mutex<(output: [UInt8], errors: [UInt8])>(([], []))

  /// - Parameter environment: all that it gets to see of ours.
  init(executable: String, arguments: [String], environment: [String]) throws(GitError) {
    let operation = "start \(executable)"
    // Sockets instead of pipes: writing to one that was closed can be told not to raise a signal.
    var ends: [Int32] = [-1, -1]
    var outputEnds: [Int32] = [-1, -1]
    var errorEnds: [Int32] = [-1, -1]
    // Closed in every other process that is started meanwhile.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0, unsafe socketpair(AF_UNIX, type, 0, &outputEnds) == 0,
      unsafe socketpair(AF_UNIX, type, 0, &errorEnds) == 0
    else {
      let reason = systemError()
      for end in ends + outputEnds + errorEnds where end >= 0 { close(end) }
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
    unsafe posix_spawn_file_actions_adddup2(&actions, outputEnds[1], STDOUT_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, errorEnds[1], STDERR_FILENO)
    // A group of its own: Ctrl-C is for the parent, which ends the child itself.
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
    for end in [ends[1], outputEnds[1], errorEnds[1]] { close(end) }
    guard code == 0 else {
      for end in [ends[0], outputEnds[0], errorEnds[0]] { close(end) }
      throw GitError(.failed, operation, unsafe String(cString: strerror(code)))
    }
    state = Mutex(.running(process))
    input = ends[0]
    output = outputEnds[0]
    errors = errorEnds[0]
  }

  deinit {
    kill()
    reap()
    for end in [input, output, errors] { close(end) }
  }

  /// Writes to its standard input; whether all of it arrived shows in what it answers.
  func send(_ bytes: [UInt8]) {
    var offset = 0
    while offset < bytes.count {
      let sent = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(
          input, $0.baseAddress.map { unsafe $0 + offset }, bytes.count - offset,
          Int32(truncatingIfNeeded: MSG_NOSIGNAL))
      }
      if sent < 0 && errno == EINTR { continue }
      guard sent > 0 else { return }
      offset += sent
    }
  }

  /// Ends it at once. May be called from any thread, and again.
  func kill() {
    state.withLock { if case .running(let process) = $0 { _ = Glibc.kill(process, SIGKILL) } }
  }

  /// Waits for the end of a process that was killed or has closed its output, so that it leaves no zombie.
  private func reap() {
    state.withLock {
      guard case .running(let process) = $0 else { return }
      var status: Int32 = 0
      while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
      $0 = .ended
    }
  }

  /// Blocks until there is a line, the output ends, or the time is over.
  func next(within limit: Duration) -> Event {
    let end = ContinuousClock.now + limit
    while true {
      if let line = takeLine() { return .line(line) }
      let left = max(.zero, ContinuousClock.now.duration(to: end))
      let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
      var places = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0), pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
      ]
      // The end of standard error alone tells nothing.
      if errorsEnded.withLock({ $0 }) { places.removeLast() }
      // Rounded up, so that the last fraction does not spin.
      let ready = unsafe poll(&places, nfds_t(places.count), Int32(clamping: milliseconds + 1))
      if ready < 0 && errno == EINTR { continue }
      if ready <= 0 { return .silent }
      if places.count > 1, places[1].revents != 0 {
        let bytes = take(from: errors)
        if bytes.isEmpty { errorsEnded.withLock { $0 = true } }
        unread.withLock { $0.errors = Array(($0.errors + bytes).suffix(2000)) }
      }
      if places[0].revents != 0 {
        let bytes = take(from: output)
        if bytes.isEmpty { return .ended(unread.withLock { String(decoding: $0.errors, as: UTF8.self) }) }
        unread.withLock { $0.output += bytes }
      }
    }
  }

  private let errorsEnded = Mutex(false)

  private func takeLine() -> [UInt8]? {
    unread.withLock { unread in
      guard let newline = unread.output.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      let line = Array(unread.output[..<newline])
      unread.output.removeSubrange(...newline)
      return line
    }
  }

  private func take(from descriptor: Int32) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      count = max(0, unsafe read(descriptor, buffer.baseAddress, buffer.count))
    }
  }
}
