private import Dispatch
import HTTPTransport
private import Synchronization

/// One request and its response, shared by libgit2's thread and the task that runs the request.
@safe final class HTTPExchange: Sendable {
  private struct State {
    var body: [UInt8] = []
    var isStarted = false
    var chunk: ArraySlice<UInt8> = []
    var isOver = false
    var fault: GitError?
    /// The task that waits until the chunk is read.
    var writer: CheckedContinuation<Bool, Never>?
  }

  /// The size in bytes of each part of a long request body.
  private static let part = 1 << 20

  let service: String
  let isList: Bool
  // Only libgit2's thread uses the tunnel.
  nonisolated(unsafe) private unowned let tunnel: HTTPTunnel
  private let state = Mutex(State())
  /// A semaphore with one signal for each chunk of the response, each part of a long request body, and the end.
  private let arrived = DispatchSemaphore(value: 0)

  init(_ tunnel: HTTPTunnel, service: String, isList: Bool) {
    unsafe self.tunnel = tunnel
    self.service = service
    self.isList = isList
  }

  func write(_ bytes: [UInt8]) { state.withLock { $0.body += bytes } }

  /// Returns the request body that libgit2 wrote. A long body is sent in parts, and each part is reported as progress. Otherwise the parent would
  /// consider the transfer stalled.
  func takeBody() -> HTTPRequestBody {
    let body = state.withLock { state in
      defer { state.body = [] }
      return state.body
    }
    guard body.count > Self.part else { return .bytes(body) }
    let start = Mutex(0)
    let parts = AsyncThrowingStream<[UInt8], any Error> { [self] in
      let part = start.withLock { start in
        defer { start = min(start + Self.part, body.count) }
        return Array(body[start..<min(start + Self.part, body.count)])
      }
      arrived.signal()
      return part.isEmpty ? nil : part
    }
    return .stream(parts, length: body.count)
  }

  /// Waits for data of the response. The first call starts the request.
  /// - Returns: at most `limit` bytes; an empty array at the end of the response; `nil` if the request failed, or if the server sent an error or too
  ///   much data.
  func read(_ limit: Int) -> [UInt8]? {
    let isNew = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if isNew { unsafe tunnel.start(self) } else if unsafe tunnel.responses.isOver { return nil }
    while true {
      enum Found { case bytes([UInt8]), failed(GitError), nothing }
      let found: Found = state.withLock { state in
        if !state.chunk.isEmpty {
          let part = Array(state.chunk.prefix(limit))
          state.chunk = state.chunk.dropFirst(part.count)
          if state.chunk.isEmpty {
            state.writer?.resume(returning: true)
            state.writer = nil
          }
          return .bytes(part)
        }
        if let fault = state.fault { return .failed(fault) }
        return state.isOver ? .bytes([]) : .nothing
      }
      switch found {
      case .bytes(let bytes): return unsafe tunnel.admit(bytes) ? bytes : nil
      case .failed(let fault):
        unsafe tunnel.note(fault)
        return nil
      case .nothing:
        arrived.wait()
        unsafe tunnel.report(GitProgress(objects: 0, totalObjects: 0, bytes: 0))
      }
    }
  }

  /// Passes a chunk to libgit2's thread and waits until it is read.
  /// - Returns: whether libgit2 wants more data.
  func deliver(_ chunk: [UInt8]) async -> Bool {
    guard !chunk.isEmpty else { return true }
    return await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        guard !state.isOver else { return true }
        state.chunk = chunk[...]
        state.writer = continuation
        return false
      }
      if isClosed { return continuation.resume(returning: false) }
      arrived.signal()
    }
  }

  func end(_ fault: GitError?) {
    state.withLock { state in
      state.isOver = true
      state.fault = fault
    }
    arrived.signal()
  }

  /// Ends the exchange. libgit2 reads no further data.
  func close() {
    state.withLock { state in
      state.isOver = true
      state.chunk = []
      state.writer?.resume(returning: false)
      state.writer = nil
    }
  }
}
