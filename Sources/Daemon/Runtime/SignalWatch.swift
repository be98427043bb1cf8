private import Glibc
private import Localization
import Synchronization

/// A handler of SIGTERM, SIGINT and SIGHUP on a separate thread. It exits the process if stopping takes too long, and at a second signal to stop.
///
/// This class uses neither Swift's thread pool nor libdispatch, so it works even if all other threads hang.
final class SignalWatch: Sendable {
  /// The exit code if the grace period ends before everything has stopped (EX_TEMPFAIL). Interrupted jobs return to the queue.
  static let overdueCode: Int32 = 75

  struct Actions: Sendable {
    /// Starts the shutdown.
    var stop: @Sendable (_ signal: Int32) -> Void
    var hangUp: @Sendable () -> Void
    /// Returns the names of the stages that are still running, for the last message.
    var running: @Sendable () -> String
  }

  /// The time after the grace period, in seconds, in which cancelled stages can return their jobs to the queue.
  private static let margin = 0.8
  /// The signals that stop a single run. SIGHUP keeps its default action: it kills the process, unless the process was started with `nohup`.
  static let stopping = [SIGTERM, SIGINT]
  private static let ending: UInt8 = 0

  private let signals: [Int32]
  private let grace: Duration
  private let actions: Actions
  private let ends: (read: Int32, write: Int32)
  private let former: [sigaction]

  /// - Parameter grace: the time that running work has after the first SIGTERM or SIGINT. If work is still running shortly afterwards, the process
  ///   exits.
  /// - Returns: `nil` if no descriptor or thread is available.
  init?(_ signals: [Int32] = stopping + [SIGHUP], grace: Duration, actions: Actions) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    // A child process that is started at this moment may briefly have copies of the descriptors. These have no effect.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.ends = (ends[0], ends[1])
    // The handler must never block.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    self.signals = signals
    self.grace = grace
    self.actions = actions
    signalPipe = ends[1]
    var former: [sigaction] = []
    for signal in signals {
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
    guard DetachedThread.start({ self.serve() }) == 0 else {
      restore()
      return nil
    }
  }

  /// Restores the former signal handlers, and ends the thread. Call this after everything has stopped.
  func end() {
    restore()
    var byte = Self.ending
    _ = write(ends.write, &byte, 1)
  }

  private func restore() {
    for (signal, action) in zip(signals, former) {
      var action = action
      sigaction(signal, &action, nil)
    }
  }

  private func serve() {
    // The parent process may have blocked the signals. It is sufficient if one thread receives the signals.
    var taken = sigset_t()
    sigemptyset(&taken)
    for signal in signals { sigaddset(&taken, signal) }
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
        actions.stop(signal)
      }
    }
  }

  private func leave(_ code: Int32, _ reason: String) -> Never {
    let line =
      "dragoman: \(reason); still running: \(actions.running()). Interrupted work is repeated at the next start.\n"
    // Standard error may be a full pipe that nobody reads, so the line is only written if this does not block.
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

/// The descriptor that the signal handler writes to. The descriptor is in a global variable, because a signal handler can access no other state.
private nonisolated(unsafe) var signalPipe: Int32 = -1
