private import Glibc
import Synchronization

/// Takes SIGTERM, SIGINT and SIGHUP on a thread of its own, and ends the process when stopping takes too long.
///
/// It uses neither Swift's pool nor libdispatch, so it works even when every other thread hangs.
final class SignalWatch: Sendable {
  /// The exit code where the grace period was over before everything had stopped (EX_TEMPFAIL): what was cut off goes back into the queue.
  static let overdueCode: Int32 = 75

  struct Actions: Sendable {
    /// Begins to stop.
    var stop: @Sendable () -> Void
    var hangUp: @Sendable () -> Void
    /// What is still running, for the last message.
    var running: @Sendable () -> String
  }

  /// Behind the grace period, for stages that were cancelled at its end to go back into the queue.
  private static let margin = 0.8
  private static let signals = [SIGTERM, SIGINT, SIGHUP]
  private static let ending: UInt8 = 0

  private let grace: Duration
  private let actions: Actions
  private let ends: (read: Int32, write: Int32)
  private let former: [sigaction]

  /// - Parameter grace: from the first SIGTERM or SIGINT until the process ends, whatever hangs.
  /// - Returns: `nil` where the system has no descriptor or thread left.
  init?(grace: Duration, actions: Actions) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    // A child that is just being started may hold copies for a moment; they do no harm.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.ends = (ends[0], ends[1])
    // The handler must never wait.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    self.grace = grace
    self.actions = actions
    signalPipe = ends[1]
    var former: [sigaction] = []
    for signal in Self.signals {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { signal in
        let code = errno
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = write(signalPipe, &byte, 1)
        errno = code
      }
      action.sa_flags = SA_RESTART
      var old = sigaction()
      sigaction(signal, &action, &old)
      former.append(old)
    }
    self.former = former
    let box = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<SignalWatch>.fromOpaque(argument).takeRetainedValue().serve()
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      restore()
      box.release()
      return nil
    }
    pthread_detach(thread)
  }

  /// Everything has stopped: signals do again what they did before.
  func end() {
    restore()
    var byte = Self.ending
    _ = write(ends.write, &byte, 1)
  }

  private func restore() {
    for (signal, action) in zip(Self.signals, former) {
      var action = action
      sigaction(signal, &action, nil)
    }
  }

  private func serve() {
    // Whoever started the process may have blocked them; one thread that takes them is enough.
    var taken = sigset_t()
    sigemptyset(&taken)
    for signal in Self.signals { sigaddset(&taken, signal) }
    pthread_sigmask(SIG_UNBLOCK, &taken, nil)
    var deadline: Double?
    while true {
      var poll = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
      let left = deadline.map { Int32(min(max(0, ($0 - Self.now) * 1000).rounded(.up), 1e9)) } ?? -1
      let count = Glibc.poll(&poll, 1, left)
      if count < 0, errno == EINTR { continue }
      guard count != 0 else {
        leave(Self.overdueCode, "the grace period is over")
      }
      var byte: UInt8 = 0
      guard read(ends.read, &byte, 1) == 1 else { continue }
      switch Int32(byte) {
      case Int32(Self.ending):
        close(ends.read)
        return
      case SIGHUP: actions.hangUp()
      case let signal:
        guard deadline == nil else { leave(128 + signal, "received a second signal to stop") }
        deadline =
          Self.now + Double(grace.components.seconds) + Double(grace.components.attoseconds) / 1e18 + Self.margin
        actions.stop()
      }
    }
  }

  private func leave(_ code: Int32, _ reason: String) -> Never {
    let line =
      "dragoman: \(reason); still running: \(actions.running()). Interrupted work is repeated at the next start.\n"
    // Standard error may be a pipe whose reader has stopped reading.
    var poll = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    if Glibc.poll(&poll, 1, 0) == 1 {
      let bytes = Array(line.utf8.prefix(4000))
      _ = write(STDERR_FILENO, bytes, bytes.count)
    }
    _exit(code)
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Where the handler writes; a handler has no other way to know it.
private nonisolated(unsafe) var signalPipe: Int32 = -1
