import CLibGit2
private import Dispatch
import HTTPTransport
import Localization
private import Synchronization

/// Git's protocol over http(s) as a transport of libgit2, through libcurl, in the child process.
///
/// libgit2's own HTTP knows neither client certificates nor `no_proxy`. Each step of the protocol is a request: what libgit2 writes until it
/// reads is the body, which is held in memory. All calls block, and may block forever; the parent kills the process.
@safe final class HTTPTunnel {
  /// The parent limits what a fetch may bring.
  private static let largest = 1 << 50

  private let transport: HTTPTransport
  private let base: HTTPURL
  private let credentials: HTTPCredentials
  /// The first fault of a request.
  private(set) var fault: GitError?
  private let operation: String
  fileprivate let report: (GitProgress) -> Void

  /// - Parameter report: called on the thread of libgit2 while a request is under way.
  init(
    _ request: NetworkRequest, _ invocation: HTTPInvocation, report: @escaping (GitProgress) -> Void
  ) throws(GitError) {
    self.report = report
    operation = "connect to \(request.url)"
    do {
      transport = try invocation.connection().transport(keptConnections: 2)
      base = try HTTPURL(request.url)
    } catch { throw GitError(.unsupported, operation, error.detail) }
    if let user = request.user, let password = request.password {
      credentials = .basic(user: user, password: Secret(password))
    } else {
      credentials = .none
    }
  }

  /// Creates libgit2's transport. It keeps a reference to this object.
  func makeTransport(
    _ out: UnsafeMutablePointer<UnsafeMutablePointer<git_transport>?>?, _ remote: OpaquePointer?
  ) -> Int32 {
    var definition = unsafe git_smart_subtransport_definition(
      callback: makeSubtransport, rpc: 1, param: Unmanaged.passUnretained(self).toOpaque())
    return unsafe git_transport_smart(out, remote, &definition)
  }

  /// - Returns: the exchange of a step.
  fileprivate func exchange(_ service: git_smart_service_t) -> HTTPExchange {
    let isFetch = service == GIT_SERVICE_UPLOADPACK_LS || service == GIT_SERVICE_UPLOADPACK
    let name = isFetch ? "git-upload-pack" : "git-receive-pack"
    let isList = service == GIT_SERVICE_UPLOADPACK_LS || service == GIT_SERVICE_RECEIVEPACK_LS
    return HTTPExchange(self, service: name, isList: isList)
  }

  /// Sends a request and delivers its body to the exchange as it comes.
  fileprivate func start(_ exchange: HTTPExchange) {
    let (name, isList) = (exchange.service, exchange.isList)
    let request: HTTPRequest
    // The parent's limits come long before.
    let day = Duration.seconds(86_400)
    let deadlines = Deadlines(connect: day, stall: day, whole: day)
    do {
      request =
        isList
        ? HTTPRequest(
          "GET", try HTTPURL(base.appending(["info", "refs"]).text + "?service=" + name), credentials: credentials,
          deadlines: deadlines, responseLimit: Self.largest)
        : HTTPRequest(
          "POST", base.appending([name]),
          headers: [("Content-Type", "application/x-\(name)-request"), ("Accept", "application/x-\(name)-result")],
          credentials: credentials, body: exchange.takeBody(), deadlines: deadlines, responseLimit: Self.largest)
    } catch { return exchange.end(GitError(.unsupported, operation, error.detail)) }
    let wanted = "application/x-\(name)-\(isList ? "advertisement" : "result")"
    let (transport, operation) = (transport, operation)
    let hasCredentials = credentials != .none
    // On threads of Swift's pool, while the thread of libgit2 waits.
    Task.detached {
      do {
        try await transport.withResponse(to: request) { head, body in
          if head.status != 200 {
            var words: [UInt8] = []
            for try await chunk in body where words.count < 1000 { words += chunk }
            return exchange.end(GitError(head, body: words, hasCredentials: hasCredentials, operation))
          }
          guard head.header("Content-Type") == wanted else {
            let type = ServerWords.cleaned(head.header("Content-Type") ?? "none")
            return exchange.end(
              GitError(.noSuchRemote, operation, "no git repository at this URL (content type \(type))"))
          }
          for try await chunk in body {
            guard await exchange.deliver(chunk) else { return }
          }
          exchange.end(nil)
        }
      } catch let error as TransportError {
        exchange.end(GitError(error, operation))
      } catch {
        exchange.end(GitError(.failed, operation, "\(error)"))
      }
    }
  }

  fileprivate func note(_ error: GitError) { if fault == nil { fault = error } }
}

/// One request and its answer, between the thread of libgit2 and the task that runs the request.
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

  /// In bytes.
  private static let part = 1 << 20

  let service: String
  let isList: Bool
  // The tunnel is used by the thread of libgit2 only.
  nonisolated(unsafe) private unowned let tunnel: HTTPTunnel
  private let state = Mutex(State())
  /// One signal for each chunk, and one for the end.
  private let arrived = DispatchSemaphore(value: 0)

  fileprivate init(_ tunnel: HTTPTunnel, service: String, isList: Bool) {
    unsafe self.tunnel = tunnel
    self.service = service
    self.isList = isList
  }

  fileprivate func write(_ bytes: [UInt8]) { state.withLock { $0.body += bytes } }

  /// What libgit2 wrote. A long body is sent in parts, each of which shows that the request goes on.
  fileprivate func takeBody() -> HTTPRequestBody {
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

  /// Waits for data.
  /// - Returns: at most `limit` bytes, none at the end of the answer; `nil` if the request failed.
  fileprivate func read(_ limit: Int) -> [UInt8]? {
    let isNew = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if isNew { unsafe tunnel.start(self) }
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
      case .bytes(let bytes): return bytes
      case .failed(let fault):
        unsafe tunnel.note(fault)
        return nil
      case .nothing:
        arrived.wait()
        unsafe tunnel.report(GitProgress(objects: 0, totalObjects: 0, bytes: 0))
      }
    }
  }

  /// Hands over a chunk and waits until it is read.
  /// - Returns: whether more is wanted.
  fileprivate func deliver(_ chunk: [UInt8]) async -> Bool {
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

  fileprivate func end(_ fault: GitError?) {
    state.withLock { state in
      state.isOver = true
      state.fault = fault
    }
    arrived.signal()
  }

  /// libgit2 does not read on.
  fileprivate func close() {
    state.withLock { state in
      state.isOver = true
      state.chunk = []
      state.writer?.resume(returning: false)
      state.writer = nil
    }
  }
}

// The functions that libgit2 calls. Each structure holds a reference to its owner until libgit2 frees it.

private func fail() -> Int32 {
  unsafe git_error_set_str(Int32(GIT_ERROR_NET.rawValue), "the request failed")
  return -1
}

private func tunnel(_ owner: UnsafeMutableRawPointer?) -> HTTPTunnel? {
  unsafe owner.map { unsafe Unmanaged<HTTPTunnel>.fromOpaque($0).takeUnretainedValue() }
}

private func subtransport(
  _ pointer: UnsafeMutablePointer<git_smart_subtransport>?
) -> UnsafeMutablePointer<dragoman_subtransport>? {
  unsafe pointer.map { unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: dragoman_subtransport.self) }
}

private func stream(
  _ pointer: UnsafeMutablePointer<git_smart_subtransport_stream>?
) -> UnsafeMutablePointer<dragoman_stream>? {
  unsafe pointer.map { unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: dragoman_stream.self) }
}

private func exchange(_ pointer: UnsafeMutablePointer<git_smart_subtransport_stream>?) -> HTTPExchange? {
  guard let owner = unsafe stream(pointer)?.pointee.owner else { return nil }
  return unsafe Unmanaged<HTTPExchange>.fromOpaque(owner).takeUnretainedValue()
}

private let makeSubtransport: git_smart_subtransport_cb = { out, _, parameter in
  guard let found = unsafe tunnel(parameter) else { return -1 }
  let made = UnsafeMutablePointer<dragoman_subtransport>.allocate(capacity: 1)
  unsafe made.initialize(
    to: dragoman_subtransport(
      head: git_smart_subtransport(action: openStream, close: closeTransport, free: freeTransport),
      owner: Unmanaged.passRetained(found).toOpaque()))
  unsafe out?.pointee = unsafe UnsafeMutableRawPointer(made).assumingMemoryBound(to: git_smart_subtransport.self)
  return 0
}

private let openStream:
  @convention(c) (
    UnsafeMutablePointer<UnsafeMutablePointer<git_smart_subtransport_stream>?>?,
    UnsafeMutablePointer<git_smart_subtransport>?, UnsafePointer<CChar>?, git_smart_service_t
  ) -> Int32 = { out, transport, _, service in
    guard let transport = unsafe transport, let found = unsafe tunnel(subtransport(transport)?.pointee.owner) else {
      return fail()
    }
    let made = UnsafeMutablePointer<dragoman_stream>.allocate(capacity: 1)
    unsafe made.initialize(
      to: dragoman_stream(
        head: git_smart_subtransport_stream(
          subtransport: transport, read: readStream, write: writeStream, free: freeStream),
        owner: Unmanaged.passRetained(found.exchange(service)).toOpaque()))
    unsafe out?.pointee = unsafe UnsafeMutableRawPointer(made).assumingMemoryBound(
      to: git_smart_subtransport_stream.self)
    return 0
  }

private let closeTransport: @convention(c) (UnsafeMutablePointer<git_smart_subtransport>?) -> Int32 = { _ in 0 }

private let freeTransport: @convention(c) (UnsafeMutablePointer<git_smart_subtransport>?) -> Void = { transport in
  guard let own = unsafe subtransport(transport) else { return }
  if let owner = unsafe own.pointee.owner { unsafe Unmanaged<HTTPTunnel>.fromOpaque(owner).release() }
  unsafe own.deallocate()
}

private let readStream:
  @convention(c) (
    UnsafeMutablePointer<git_smart_subtransport_stream>?, UnsafeMutablePointer<CChar>?, Int,
    UnsafeMutablePointer<Int>?
  ) -> Int32 = { pointer, buffer, size, count in
    guard let bytes = unsafe exchange(pointer)?.read(size) else { return fail() }
    unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size).copyBytes(from: bytes)
    unsafe count?.pointee = bytes.count
    return 0
  }

private let writeStream:
  @convention(c) (UnsafeMutablePointer<git_smart_subtransport_stream>?, UnsafePointer<CChar>?, Int) -> Int32 = {
    pointer, buffer, count in
    guard let found = unsafe exchange(pointer) else { return fail() }
    unsafe found.write(Array(UnsafeRawBufferPointer(start: buffer, count: count)))
    return 0
  }

private let freeStream: @convention(c) (UnsafeMutablePointer<git_smart_subtransport_stream>?) -> Void = { pointer in
  guard let own = unsafe stream(pointer) else { return }
  if let owner = unsafe own.pointee.owner {
    let owned = unsafe Unmanaged<HTTPExchange>.fromOpaque(owner)
    unsafe owned.takeUnretainedValue().close()
    unsafe owned.release()
  }
  unsafe own.deallocate()
}
