internal import Synchronization

/// The state of one exchange, shared by libcurl's callbacks on the loop's thread and the waiting tasks.
///
/// One task reads the response, and another task sends the request's body. Both wait on this object and never block the loop.
final class Transfer: Sendable {
  enum Received { case taken, pause, stop }
  enum Sent { case sent(Int), pause, stop }

  /// The number of unread bytes above which receiving pauses, and of unsent bytes from which the source of the request's body waits.
  static let highWater = 256 << 10
  /// The maximum size in bytes of the response's headers. Real servers send far fewer bytes.
  static let headerLimit = 256 << 10

  struct State {
    var status = 0
    var headers: [(name: String, value: String)] = []
    var headerBytes = 0
    var hasHead = false
    var chunks: [[UInt8]] = []
    var unread = 0
    var received = 0
    var isReadingPaused = false
    var outcome: Result<Void, TransportError>?
    var failure: TransportError?
    var reader: CheckedContinuation<Void, Never>?

    var outgoing: [UInt8] = []
    var sent = 0
    var hasAllOutgoing = true
    var isSendingPaused = false
    var feeder: CheckedContinuation<Void, Never>?

    var lastActivity = ContinuousClock.now
  }

  let request: HTTPRequest
  let url: HTTPURL
  private let state: Mutex<State>

  init(_ request: HTTPRequest, url: HTTPURL) {
    self.request = request
    self.url = url
    var state = State()
    switch request.body {
    case .none: break
    case .bytes(let bytes): state.outgoing = bytes
    case .stream: state.hasAllOutgoing = false
    }
    self.state = Mutex(state)
  }

  func fault(_ kind: TransportError.Kind, _ detail: String) -> TransportError {
    TransportError(kind: kind, operation: "\(request.method) \(url.withoutQuery)", detail: detail)
  }

  // MARK: Called by the loop

  func receive(header bytes: UnsafeRawBufferPointer) -> Bool {
    let line = unsafe String(decoding: bytes, as: UTF8.self)
    return wakingReader { state in
      state.lastActivity = .now
      if line.hasPrefix("HTTP/") {
        // A new head begins. The previous head was an interim response, such as 100.
        state.headers = []
        state.status = Int(line.split(separator: " ").dropFirst().first?.prefix(3) ?? "") ?? 0
      } else if line == "\r\n" || line == "\n" {
        state.hasHead = state.hasHead || state.status >= 200
      } else if let colon = line.firstIndex(of: ":"), !state.hasHead {
        let value = line[line.index(after: colon)...].drop { $0.isWhitespace }
        state.headers.append((String(line[..<colon]), String(value.reversed().drop { $0.isWhitespace }.reversed())))
      }
      state.headerBytes += bytes.count
      if state.headerBytes > Self.headerLimit {
        state.failure = headersTooLarge("they are larger than \(Self.headerLimit) bytes")
      }
      return state.failure == nil
    }
  }

  func receive(body bytes: UnsafeRawBufferPointer) -> Received {
    wakingReader { state in
      state.lastActivity = .now
      guard state.received + bytes.count <= request.responseLimit else {
        state.failure = tooLarge
        return .stop
      }
      guard state.unread == 0 || state.unread + bytes.count <= Self.highWater else {
        state.isReadingPaused = true
        return .pause
      }
      unsafe state.chunks.append(Array(bytes))
      state.unread += bytes.count
      state.received += bytes.count
      return .taken
    }
  }

  func send(into room: UnsafeMutableRawBufferPointer) -> Sent {
    state.withLock { state in
      state.lastActivity = .now
      guard state.failure == nil else { return .stop }
      let count = min(room.count, state.outgoing.count - state.sent)
      if count > 0 {
        unsafe room.copyBytes(from: state.outgoing[state.sent..<(state.sent + count)])
        state.sent += count
        return .sent(count)
      }
      if state.hasAllOutgoing { return .sent(0) }
      state.outgoing = []
      state.sent = 0
      state.isSendingPaused = true
      state.feeder.take()?.resume()
      return .pause
    }
  }

  /// Restarts the request's body, which is possible only for a body in memory and a request that can safely be repeated. libcurl calls this function
  /// before it repeats a request.
  /// - Returns: whether the body was restarted.
  func rewind() -> Bool {
    guard request.isRepeatable, case .bytes = request.body else { return false }
    state.withLock { $0.sent = 0 }
    return true
  }

  func finish(_ outcome: Result<Void, TransportError>) {
    state.withLock { state in
      guard state.outcome == nil else { return }
      state.outcome = state.failure.map(Result.failure) ?? outcome
      state.reader.take()?.resume()
      state.feeder.take()?.resume()
    }
  }

  func headersTooLarge(_ detail: String) -> TransportError {
    fault(.headersTooLarge, "the response's headers are too large: \(detail)")
  }

  /// Whether the head of the response has not arrived yet.
  var awaitsHead: Bool { state.withLock { !$0.hasHead } }

  var tooLarge: TransportError {
    fault(.bodyTooLarge, "the response is larger than \(request.responseLimit) bytes")
  }

  /// The time of the last data; `nil` while the transfer waits for our own reader or writer.
  var silentSince: ContinuousClock.Instant? {
    state.withLock { $0.isReadingPaused || $0.isSendingPaused ? nil : $0.lastActivity }
  }

  func noteActivity() { state.withLock { $0.lastActivity = .now } }

  // MARK: Called by tasks

  /// Waits for the status and headers.
  func head() async throws(TransportError) -> HTTPResponseHead {
    while true {
      let found: Result<HTTPResponseHead, TransportError>? = state.withLock { state in
        if state.hasHead {
          return .success(HTTPResponseHead(status: state.status, headers: state.headers, url: url))
        }
        return state.outcome.map { outcome in
          outcome.flatMap { .failure(fault(.connectionLost, "the server closed the connection without a response")) }
        }
      }
      if let found { return try found.get() }
      await wait { $0.hasHead || $0.outcome != nil }
    }
  }

  /// Returns the next piece of the body; `nil` at its end.
  /// - Parameter resume: called to make the loop resume a paused transfer.
  func nextChunk(resume: () -> Void) async throws(TransportError) -> [UInt8]? {
    while true {
      var mustResume = false
      let found: Result<[UInt8]?, TransportError>? = state.withLock { state in
        if !state.chunks.isEmpty {
          var all: [UInt8] = []
          all.reserveCapacity(state.unread)
          for chunk in state.chunks { all += chunk }
          state.chunks = []
          state.unread = 0
          mustResume = state.isReadingPaused
          state.isReadingPaused = false
          if mustResume { state.lastActivity = .now }
          return .success(all)
        }
        return state.outcome.map { $0.map { nil } }
      }
      if mustResume { resume() }
      if let found { return try found.get() }
      await wait { !$0.chunks.isEmpty || $0.outcome != nil }
    }
  }

  /// Adds a piece of the request's body, and waits until there is room for the next piece. `nil` ends the body.
  /// - Returns: whether the transfer accepts more data.
  func feed(_ bytes: [UInt8]?, resume: () -> Void) async -> Bool {
    var mustResume = false
    state.withLock { state in
      if let bytes { state.outgoing += bytes } else { state.hasAllOutgoing = true }
      mustResume = state.isSendingPaused
      state.isSendingPaused = false
      if mustResume { state.lastActivity = .now }
    }
    if mustResume { resume() }
    guard bytes != nil else { return false }
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if state.outcome != nil || state.isSendingPaused || state.outgoing.count - state.sent < Self.highWater {
          continuation.resume()
        } else {
          state.feeder = continuation
        }
      }
    }
    return state.withLock { $0.outcome == nil }
  }

  /// Stores an error, unless one is already stored. The next callback stops the transfer, which then ends with this error.
  func fail(_ error: TransportError) { state.withLock { $0.failure = $0.failure ?? error } }

  private func wait(until isReady: @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if isReady(state) { continuation.resume() } else { state.reader = continuation }
      }
    }
  }

  private func wakingReader<Result>(_ change: (inout State) -> Result) -> Result {
    state.withLock { state in
      let result = change(&state)
      if !state.chunks.isEmpty || state.hasHead { state.reader.take()?.resume() }
      return result
    }
  }
}
