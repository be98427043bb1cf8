import CLibGit2
import HTTPTransport
import Localization

/// A transport for libgit2 in the child process: git's protocol over http(s), with libcurl.
///
/// libgit2's own HTTP client supports neither client certificates nor `no_proxy`. Each step of the protocol is one request. The body of a request is
/// everything that libgit2 writes before it reads the response, and is held in memory. All calls may block until the parent kills the process.
@safe final class HTTPTunnel {
  /// The maximum size in bytes of a response. It is effectively unlimited, because the fetch limit applies instead.
  private static let largest = 1 << 50

  private let transport: HTTPTransport
  private let connection: HTTPConnection
  private let base: HTTPURL
  private let credentials: HTTPCredentials
  /// The first fault of all requests; `nil` if there was none.
  private(set) var fault: GitError?
  var responses = ServerResponses()
  private let operation: String
  let report: (GitProgress) -> Void

  /// - Parameter report: called on libgit2's thread while a request is running.
  init(
    _ request: NetworkRequest, _ invocation: HTTPInvocation, report: @escaping (GitProgress) -> Void
  ) throws(GitError) {
    self.report = report
    operation = "connect to \(request.url)"
    do {
      connection = try invocation.connection()
      transport = connection.transport(keptConnections: 2)
      base = try HTTPURL(request.url)
    } catch { throw GitError(.unsupported, operation, error.detail) }
    credentials = HTTPCredentials(user: request.user, secret: request.password.map { Secret($0) })
  }

  /// Creates libgit2's transport, which holds a reference to this object.
  func makeTransport(
    _ out: UnsafeMutablePointer<UnsafeMutablePointer<git_transport>?>?, _ remote: OpaquePointer?
  ) -> Int32 {
    var definition = unsafe git_smart_subtransport_definition(
      callback: openTransport, rpc: 1, param: Unmanaged.passUnretained(self).toOpaque())
    return unsafe git_transport_smart(out, remote, &definition)
  }

  /// Returns a new exchange for a step of the protocol.
  func exchange(_ service: git_smart_service_t) -> HTTPExchange {
    let isFetch = service == GIT_SERVICE_UPLOADPACK_LS || service == GIT_SERVICE_UPLOADPACK
    let name = isFetch ? "git-upload-pack" : "git-receive-pack"
    let isList = service == GIT_SERVICE_UPLOADPACK_LS || service == GIT_SERVICE_RECEIVEPACK_LS
    return HTTPExchange(self, service: name, isList: isList)
  }

  /// Sends a request and passes the response body to the exchange as it arrives. A failure, a status other than 200 or a wrong content type ends the
  /// exchange with a fault.
  func start(_ exchange: HTTPExchange) {
    responses.begin()
    let (name, isList) = (exchange.service, exchange.isList)
    let request: HTTPRequest
    // These limits are never reached, because the parent's limits are much shorter.
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
          credentials: credentials, body: exchange.takeBody(), deadlines: deadlines, responseLimit: Self.largest,
          isRepeatable: name == "git-upload-pack")
    } catch { return exchange.end(GitError(.unsupported, operation, error.detail)) }
    let wanted = "application/x-\(name)-\(isList ? "advertisement" : "result")"
    let (transport, connection, operation) = (transport, connection, operation)
    let hasCredentials = credentials != .none
    // The request runs on Swift's thread pool while libgit2's thread waits.
    Task.detached {
      do {
        try await transport.withResponse(to: request) { head, body in
          if head.status != 200 {
            var words: [UInt8] = []
            for try await chunk in body where words.count < 1000 { words += chunk }
            return exchange.end(
              GitError(
                head, body: words, hasCredentials: hasCredentials, pushes: name == "git-receive-pack",
                over: connection, operation))
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
        exchange.end(GitError(error, operation, over: connection))
      } catch {
        exchange.end(GitError(.failed, operation, "\(error)"))
      }
    }
  }

  func note(_ error: GitError) { if fault == nil { fault = error } }

  /// Checks bytes of a response, and records the fault if they exceed the limit.
  /// - Returns: whether the bytes may be passed to libgit2.
  func admit(_ bytes: [UInt8]) -> Bool {
    if responses.admit(bytes) { return true }
    if let fault = responses.limitFault(operation) { note(fault) }
    return false
  }
}

// The functions that libgit2 calls.

private let failure = "the request failed"

private func exchange(_ pointer: UnsafeMutablePointer<git_smart_subtransport_stream>?) -> HTTPExchange? {
  unsafe owner(stream(pointer)?.pointee.owner, HTTPExchange.self)
}

private let openTransport: git_smart_subtransport_cb = { out, _, parameter in
  guard let found = unsafe owner(parameter, HTTPTunnel.self) else { return -1 }
  return unsafe makeSubtransport(
    out, of: found, git_smart_subtransport(action: openStream, close: closeTransport, free: freeTransport))
}

private let openStream:
  @convention(c) (
    UnsafeMutablePointer<UnsafeMutablePointer<git_smart_subtransport_stream>?>?,
    UnsafeMutablePointer<git_smart_subtransport>?, UnsafePointer<CChar>?, git_smart_service_t
  ) -> Int32 = { out, transport, _, service in
    guard let transport = unsafe transport,
      let found = unsafe owner(subtransport(transport)?.pointee.owner, HTTPTunnel.self)
    else { return transportFailure(failure) }
    let made = unsafe makeStream(
      of: found.exchange(service),
      git_smart_subtransport_stream(
        subtransport: transport, read: readStream, write: writeStream, free: closeStream))
    unsafe out?.pointee = unsafe UnsafeMutableRawPointer(made).assumingMemoryBound(
      to: git_smart_subtransport_stream.self)
    return 0
  }

private let closeTransport: @convention(c) (UnsafeMutablePointer<git_smart_subtransport>?) -> Int32 = { _ in 0 }

private let freeTransport: @convention(c) (UnsafeMutablePointer<git_smart_subtransport>?) -> Void = { transport in
  unsafe freeSubtransport(transport, HTTPTunnel.self)
}

private let readStream:
  @convention(c) (
    UnsafeMutablePointer<git_smart_subtransport_stream>?, UnsafeMutablePointer<CChar>?, Int,
    UnsafeMutablePointer<Int>?
  ) -> Int32 = { pointer, buffer, size, count in
    guard let bytes = unsafe exchange(pointer)?.read(size) else { return transportFailure(failure) }
    return unsafe hand(bytes, to: buffer, size, count)
  }

private let writeStream:
  @convention(c) (UnsafeMutablePointer<git_smart_subtransport_stream>?, UnsafePointer<CChar>?, Int) -> Int32 = {
    pointer, buffer, count in
    guard let found = unsafe exchange(pointer) else { return transportFailure(failure) }
    unsafe found.write(Array(UnsafeRawBufferPointer(start: buffer, count: count)))
    return 0
  }

private let closeStream: @convention(c) (UnsafeMutablePointer<git_smart_subtransport_stream>?) -> Void = { pointer in
  unsafe freeStream(pointer, HTTPExchange.self) { $0.close() }
}
