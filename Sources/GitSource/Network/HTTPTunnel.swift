import CLibGit2
import HTTPTransport
import Localization

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
  let report: (GitProgress) -> Void

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
  func exchange(_ service: git_smart_service_t) -> HTTPExchange {
    let isFetch = service == GIT_SERVICE_UPLOADPACK_LS || service == GIT_SERVICE_UPLOADPACK
    let name = isFetch ? "git-upload-pack" : "git-receive-pack"
    let isList = service == GIT_SERVICE_UPLOADPACK_LS || service == GIT_SERVICE_RECEIVEPACK_LS
    return HTTPExchange(self, service: name, isList: isList)
  }

  /// Sends a request and delivers its body to the exchange as it comes.
  func start(_ exchange: HTTPExchange) {
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

  func note(_ error: GitError) { if fault == nil { fault = error } }
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
