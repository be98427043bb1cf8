private import CLibGit2
internal import ChildPrograms
private import Glibc
private import Localization
private import Synchronization

/// A monitor of all network children. On one thread, it waits for the children, reads their output, and stops children that exceed their limits.
final class ChildMonitor: Sendable {
  private struct State {
    var arriving: [Conversation] = []
    var isRunning = false
    var isClosed = false
  }

  private let state = Mutex(State())
  private let wake = WakeUp()

  deinit {
    state.withLock { $0.isClosed = true }
    wake.signal()
  }

  /// Waits for a child's reply. The child is killed when this function returns, and when the task is cancelled.
  /// - Parameter onLine: called with each line of the child's output. It returns the result if the line ends the conversation, and otherwise `nil`.
  func follow(
    _ process: ChildProgram, _ operation: String, deadline: Duration, stallLimit: Duration,
    onLine: @escaping @Sendable ([UInt8]) -> Result<NetworkMessage, GitError>?
  ) async throws -> NetworkMessage {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let conversation = Conversation(
          process, operation, end: .now + deadline, limits: (deadline, stallLimit), onLine: onLine, continuation)
        let mustStart = state.withLock { state in
          state.arriving.append(conversation)
          defer { state.isRunning = true }
          return !state.isRunning
        }
        if mustStart { start() }
        wake.signal()
      }
    } onCancel: {
      process.kill()
    }
  }

  private func start() {
    let code = DetachedThread.start { [wake, weak self] in MonitorLoop(wake: wake) { self?.takeArriving() }.run() }
    precondition(code == 0, "the thread that waits for network children could not be started")
  }

  private func takeArriving() -> [Conversation]? {
    state.withLock { state in
      if state.isClosed { return nil }
      defer { state.arriving = [] }
      return state.arriving
    }
  }
}

/// The loop of the monitor's thread.
private final class MonitorLoop {
  private let wake: WakeUp
  private let takeArriving: () -> [Conversation]?
  private var active: [Conversation] = []
  /// The processes that were killed or have ended but are not reaped yet.
  private var ending: [ChildProgram] = []

  init(wake: WakeUp, takeArriving: @escaping () -> [Conversation]?) {
    self.wake = wake
    self.takeArriving = takeArriving
  }

  func run() {
    // The loop ends after the monitor is released and all children are reaped.
    while true {
      let arriving = takeArriving()
      active += arriving ?? []
      ending.removeAll { $0.reap() }
      if arriving == nil && active.isEmpty && ending.isEmpty { return }
      var places = [pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)]
      for conversation in active {
        places.append(pollfd(fd: conversation.process.channel, events: Int16(POLLIN), revents: 0))
        let errors = conversation.errorsEnded ? -1 : conversation.process.errors
        places.append(pollfd(fd: errors, events: Int16(POLLIN), revents: 0))
      }
      _ = unsafe poll(&places, nfds_t(places.count), timeout)
      if places[0].revents != 0 { wake.clear() }
      let now = ContinuousClock.now
      var left: [Conversation] = []
      for (index, conversation) in active.enumerated() {
        let isDone = conversation.advance(
          output: places[2 * index + 1].revents != 0, errors: places[2 * index + 2].revents != 0, now: now)
        if isDone { ending.append(conversation.process) } else { left.append(conversation) }
      }
      active = left
    }
  }

  /// The number of milliseconds to wait for output before the next limit passes: at most 60 s, or 20 ms while killed processes are ending.
  private var timeout: Int32 {
    // A killed process ends within milliseconds unless its disk hangs. A process that hangs must not delay the others.
    var limit = ending.isEmpty ? 60_000 : 20
    let now = ContinuousClock.now
    for conversation in active {
      let left = max(.zero, now.duration(to: conversation.nextLimit)).components
      // The time is rounded up to avoid busy waiting in the last millisecond.
      limit = min(limit, Int(clamping: left.seconds) * 1000 + Int(left.attoseconds / 1_000_000_000_000_000) + 1)
    }
    return Int32(clamping: limit)
  }
}

/// A child process and the task that waits for its reply. After creation, only the monitor's thread uses this object.
private final class Conversation: @unchecked Sendable {
  let process: ChildProgram
  private let operation: String
  private let end: ContinuousClock.Instant
  private let limits: (deadline: Duration, stall: Duration)
  private let onLine: @Sendable ([UInt8]) -> Result<NetworkMessage, GitError>?
  private let continuation: CheckedContinuation<NetworkMessage, any Error>
  private var lastHeard = ContinuousClock.now
  private var unread = LineBuffer()
  private var lastWords: [UInt8] = []
  private(set) var errorsEnded = false

  init(
    _ process: ChildProgram, _ operation: String, end: ContinuousClock.Instant,
    limits: (deadline: Duration, stall: Duration),
    onLine: @escaping @Sendable ([UInt8]) -> Result<NetworkMessage, GitError>?,
    _ continuation: CheckedContinuation<NetworkMessage, any Error>
  ) {
    self.process = process
    self.operation = operation
    self.end = end
    self.limits = limits
    self.onLine = onLine
    self.continuation = continuation
  }

  var nextLimit: ContinuousClock.Instant { min(end, lastHeard + limits.stall) }

  /// Reads the available output of the child, and checks its time limits.
  /// - Returns: whether the conversation is over. In that case the child was killed and the task has its result.
  func advance(output: Bool, errors: Bool, now: ContinuousClock.Instant) -> Bool {
    if errors {
      let bytes = take(from: process.errors)
      if bytes.isEmpty { errorsEnded = true }
      lastWords = Array((lastWords + bytes).suffix(2000))
    }
    if output {
      let bytes = take(from: process.channel)
      lastHeard = now
      unread.add(bytes)
      while let line = unread.next() {
        if let result = onLine(line) { return finish(result) }
      }
      if bytes.isEmpty {
        let words = String(decoding: lastWords, as: UTF8.self)
        return finish(
          .failure(
            GitError(
              .failed, operation,
              "the git network process ended without a reply" + (words.isEmpty ? "" : ": \(words)"))))
      }
      guard unread.count < 64 << 20 else {
        return finish(.failure(GitError(.failed, operation, "the reply of the git network process is too large")))
      }
    }
    if now >= end { return finish(.failure(GitError(.timedOut, operation, "it took longer than \(limits.deadline)"))) }
    if now >= lastHeard + limits.stall {
      return finish(
        .failure(GitError(.timedOut, operation, "the server sent nothing for \(limits.stall)")))
    }
    return false
  }

  private func finish(_ result: Result<NetworkMessage, GitError>) -> Bool {
    process.kill()
    continuation.resume(with: result)
    return true
  }

  private func take(from descriptor: Int32) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      count = max(0, unsafe read(descriptor, buffer.baseAddress, buffer.count))
    }
  }
}

/// A socket pair that wakes a thread that waits in `poll`.
private final class WakeUp: Sendable {
  let descriptor: Int32
  private let sender: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let code = unsafe socketpair(AF_UNIX, type, 0, &ends)
    precondition(code == 0, "no descriptor is free: \(systemError())")
    descriptor = ends[0]
    sender = ends[1]
  }

  deinit {
    close(descriptor)
    close(sender)
  }

  func signal() {
    var byte: UInt8 = 1
    // If the socket is full, its unread bytes wake the thread.
    _ = unsafe send(sender, &byte, 1, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
  }

  func clear() {
    var bytes = [UInt8](repeating: 0, count: 512)
    while unsafe read(descriptor, &bytes, bytes.count) == bytes.count {}
  }
}
