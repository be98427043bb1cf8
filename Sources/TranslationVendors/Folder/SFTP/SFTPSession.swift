internal import ChildPrograms
internal import Foundation
internal import HTTPTransport
internal import Localization
internal import Synchronization

/// The connection to a server, opened on demand. A session runs one operation at a time, on its own queue, where operations may block.
actor SFTPSession {
  private let address: SFTPAddress
  private let credentials: @Sendable () throws -> SSHCredentials
  private let settings: SSHSettings
  private let deadlines: Deadlines
  /// The time after which an idle connection is closed.
  private let idleLimit: Duration
  private var channel: SFTPChannel?
  private var usesAgent = false
  private var lastUse = ContinuousClock.now
  /// Whether a task is waiting to close the connection after the connection has been idle for `idleLimit`.
  private var isWatched = false
  /// The running ssh process. It is killed if the task that runs an operation is cancelled.
  private nonisolated let running = Mutex<SSHConversation?>(nil)
  private nonisolated let executor = BlockingExecutor(label: "dragoman-sftp")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    _ address: SFTPAddress, credentials: @escaping @Sendable () throws -> SSHCredentials, settings: SSHSettings,
    deadlines: Deadlines, idleLimit: Duration
  ) {
    self.address = address
    self.credentials = credentials
    self.settings = settings
    self.deadlines = deadlines
    self.idleLimit = idleLimit
  }

  /// Runs an operation on the connection once. A failed operation is not repeated.
  func run<Result: Sendable>(
    _ operation: String, _ body: @Sendable (SFTPChannel) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try await withTaskCancellationHandler {
      do {
        let channel = try connected()
        channel.begin()
        let result = try body(channel)
        lastUse = .now
        closeWhenIdle()
        return result
      } catch let status as SFTPStatus {
        throw status.error("\(operation) on \(address.text)")
      } catch let error as VendorError {
        throw error
      } catch {
        let wasConnected = channel != nil
        drop()
        if Task.isCancelled { throw CancellationError() }
        throw words(error, operation, wasConnected: wasConnected)
      }
    } onCancel: {
      running.withLock { $0?.kill() }
    }
  }

  private func connected() throws -> SFTPChannel {
    if let channel {
      if ContinuousClock.now - lastUse < .seconds(1) { return channel }
      // The server may have closed the connection in the meantime.
      channel.begin()
      if (try? channel.ping()) != nil { return channel }
      drop()
    }
    let command = try SSHCommand(address.server, try credentials(), settings, connect: deadlines.connect)
    usesAgent = command.usesAgent
    let child = SSHConversation(
      try ChildProgram(
        executable: command.executable, arguments: command.arguments(.subsystem("sftp")),
        environment: command.environment))
    running.withLock { $0 = child }
    // The command's secrets must exist until ssh has authenticated. SFTP starts after that.
    let channel = try withExtendedLifetime(command) { try SFTPChannel(child, deadlines) }
    self.channel = channel
    return channel
  }

  private func drop() {
    channel = nil
    running.withLock { $0 = nil }
  }

  private func closeWhenIdle() {
    guard !isWatched else { return }
    isWatched = true
    Task { [weak self] in
      while let pause = await self?.idlePause() { try? await Task.sleep(for: pause) }
    }
  }

  /// Returns how long the connection may stay open if it stays idle. If this time is over, or if there is no connection any more, closes the
  /// connection and returns `nil`.
  private func idlePause() -> Duration? {
    let left = idleLimit - (ContinuousClock.now - lastUse)
    if channel != nil, left > .zero { return left }
    drop()
    isWatched = false
    return nil
  }

  private func words(_ error: any Error, _ operation: String, wasConnected: Bool) -> any Error {
    switch error {
    case SSHEnd.ended(let words):
      SSHFault(
        words, address.server, address: "path", knownHosts: settings.knownHosts, usesAgent: usesAgent,
        wasConnected: wasConnected
      ).error("connect to \(address.text)")
    case let fault as SSHFault: fault.error("connect to \(address.text)")
    case let error as ChildProgramError:
      VendorError(kind: .configuration, operation: error.operation, detail: error.detail)
    case SSHEnd.timedOut(let limit):
      TransportError(
        kind: wasConnected ? .stalled : .connectTimedOut, operation: "\(operation) on \(address.text)",
        detail: "the server did not respond within \(limit)")
    case let error as SFTPMalformed:
      VendorError(
        kind: .protocolFault, operation: "\(operation) on \(address.text)",
        detail: "the server's response is not SFTP: \(error.detail)")
    default: error
    }
  }
}

/// An executor that runs an actor's jobs on a thread of Dispatch, where the jobs may block.
private final class BlockingExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
