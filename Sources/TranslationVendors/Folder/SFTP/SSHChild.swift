internal import Foundation
internal import Glibc
internal import HTTPTransport
internal import Synchronization

/// Why nothing more comes from the child.
enum SSHEnd: Error {
  /// It ended, with these last words.
  case ended(String)
  /// Neither side said anything for the deadline's stall limit, or the whole operation took too long.
  case timedOut(Duration)
}

/// The system's `ssh` as a child process. Standard input and output are one socket; errors are another.
///
/// One thread reads and writes; `kill` may be called from any.
final class SSHChild: @unchecked Sendable {  // `buffer`, `start` and `lastWords` belong to the session's executor
  /// `POSIX_SPAWN_SETSID`, which Glibc's module does not have.
  private static let newSession: Int16 = 0x80

  private let process: Mutex<pid_t?>
  private let channel: Int32
  private let errors: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private var lastWords: [UInt8] = []
  private var errorsEnded = false

  init(executable: String, arguments: [String], environment: [String]) throws(VendorError) {
    let operation = "start \(executable)"
    var ends: [Int32] = [-1, -1]
    var errorEnds: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0, socketpair(AF_UNIX, type, 0, &errorEnds) == 0 else {
      let error = POSIXFault.error(operation)
      for end in ends + errorEnds where end >= 0 { close(end) }
      throw error
    }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errorEnds[1], STDERR_FILENO)
    // Its own session: it has no terminal to ask for a password, and Ctrl-C goes only to the parent.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var argumentPointers = ([executable] + arguments).map { strdup($0) } + [nil]
    var environmentPointers = environment.map { strdup($0) } + [nil]
    defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, executable, &actions, &attributes, &argumentPointers, &environmentPointers)
    for end in [ends[1], errorEnds[1]] { close(end) }
    guard code == 0 else {
      for end in [ends[0], errorEnds[0]] { close(end) }
      throw VendorError(kind: .configuration, operation: operation, detail: String(cString: strerror(code)))
    }
    process = Mutex(child)
    channel = ends[0]
    errors = errorEnds[0]
  }

  deinit {
    kill()
    process.withLock { process in
      var status: Int32 = 0
      if let process { while waitpid(process, &status, 0) == -1, errno == EINTR {} }
      process = nil
    }
    close(channel)
    close(errors)
  }

  /// Ends the child at once, and what reads from it.
  func kill() { process.withLock { if let process = $0 { _ = Glibc.kill(process, SIGKILL) } } }

  func write(_ bytes: [UInt8], stall: Duration, end: ContinuousClock.Instant) throws {
    var sent = 0
    let flags = Int32(truncatingIfNeeded: MSG_NOSIGNAL) | Int32(truncatingIfNeeded: MSG_DONTWAIT)
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { send(channel, $0.baseAddress?.advanced(by: sent), $0.count - sent, flags) }
      if count > 0 {
        sent += count
      } else if count < 0, errno == EAGAIN || errno == EINTR {
        // Answers are taken meanwhile, because a server that cannot send stops to read.
        if try wait(for: POLLIN | POLLOUT, stall: stall, end: end) & Int16(POLLIN) != 0 { try fill() }
      } else {
        throw ended()
      }
    }
  }

  func read(_ count: Int, stall: Duration, end: ContinuousClock.Instant) throws -> [UInt8] {
    while buffer.count - start < count {
      _ = try wait(for: POLLIN, stall: stall, end: end)
      try fill()
    }
    defer {
      start += count
      if start > 1 << 20 || start == buffer.count {
        buffer.removeFirst(start)
        start = 0
      }
    }
    return Array(buffer[start..<(start + count)])
  }

  private func fill() throws {
    let bytes = take(from: channel)
    guard !bytes.isEmpty else { throw ended() }
    buffer += bytes
  }

  /// Waits for the channel; what comes on standard error is kept on the way.
  private func wait(for events: Int32, stall: Duration, end: ContinuousClock.Instant) throws -> Int16 {
    let limit = min(ContinuousClock.now + stall, end)
    while true {
      let left = ContinuousClock.now.duration(to: limit)
      guard left > .zero else { throw SSHEnd.timedOut(stall) }
      let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
      var places = [
        pollfd(fd: channel, events: Int16(events), revents: 0),
        pollfd(fd: errorsEnded ? -1 : errors, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&places, 2, Int32(clamping: milliseconds)) >= 0 || errno == EINTR else { throw ended() }
      if places[1].revents != 0 { takeWords() }
      if places[0].revents != 0 { return places[0].revents }
    }
  }

  /// The child is gone, or goes as its end of the channel is closed: what it said last follows within moments.
  private func ended() -> SSHEnd {
    let limit = ContinuousClock.now + .seconds(2)
    while !errorsEnded, ContinuousClock.now < limit {
      var place = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
      if poll(&place, 1, 100) > 0 { takeWords() }
    }
    let words = String(decoding: lastWords, as: UTF8.self)
    return .ended(words.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  private func takeWords() {
    let bytes = take(from: errors)
    if bytes.isEmpty { errorsEnded = true }
    lastWords = Array((lastWords + bytes).suffix(8000))
  }

  private func take(from descriptor: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
    }
  }
}
