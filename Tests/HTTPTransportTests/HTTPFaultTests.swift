import HTTPTransport
import Localization
import Synchronization
import TestSupport
import Testing

/// Deadlines and failures of requests.
extension HTTPTransportTests {
  @Test(
    "a request fails at the stall deadline if the server sends nothing or stops midway",
    arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
  func stall(_ start: String) async throws {
    let server = try LoopbackHTTPServer { _, _ in .stall(after: Array(start.utf8)) }
    let error = try await #require(throws: TransportError.self) {
      try await transport().send(get(server, deadlines: Deadlines(stall: .milliseconds(150))))
    }
    #expect(error.kind == .stalled)
    #expect(error.disposition == .retry)
    #expect("\(error)" == "GET \(server.url)/: no data was sent or received for 0.15 seconds")
  }

  @Test("a request fails at the total deadline even if it still makes progress")
  func whole() async throws {
    let server = try LoopbackHTTPServer { _, _ in .stall(after: Array("HTTP/1.1 200 OK\r\n\r\n".utf8)) }
    let error = try await #require(throws: TransportError.self) {
      try await transport().send(get(server, deadlines: Deadlines(stall: .seconds(20), whole: .milliseconds(150))))
    }
    #expect(error.kind == .timedOut)
    // The message omits libcurl's counts of milliseconds and bytes, which differ each time.
    #expect("\(error)".hasSuffix(" after 0 s (libcurl code 28)"), "\(error)")
  }

  @Test("a request fails at the connect deadline if the peer never completes the connection")
  func connect() async throws {
    // The client uses TLS, but the server waits for a plain request, so the handshake never ends.
    let server = try LoopbackHTTPServer { _, _ in .stall() }
    let error = try await #require(throws: TransportError.self) {
      try await transport().send(
        HTTPRequest(
          "GET", try HTTPURL("https://127.0.0.1:\(server.port)/"), deadlines: Deadlines(connect: .milliseconds(200))))
    }
    #expect(error.kind == .connectTimedOut)
  }

  @Test("a closed port, a dropped connection and a truncated body are temporary errors")
  func lost() async throws {
    let server = try LoopbackHTTPServer { _, number in
      number == 0 ? .close : .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc".utf8))
    }
    for _ in 0..<2 {
      let error = try await #require(throws: TransportError.self) { try await transport().send(get(server)) }
      #expect(error.kind == .connectionLost)
      #expect(error.disposition == .retry)
      #expect(!error.detail.contains("Empty reply"))
    }
    server.stop()
    let error = try await #require(throws: TransportError.self) { try await transport().send(get(server)) }
    #expect(error.kind == .connectionFailed)
    #expect(error.isUnreachable)
  }

  @Test(
    "a request lost on a reused connection is resent only if allowed, and its error never has libcurl's message")
  func withoutResponse() async throws {
    let server = try LoopbackHTTPServer { _, number in number.isMultiple(of: 2) ? .respond(status: 200) : .close }
    let client = transport()
    func post(isRepeatable: Bool) throws -> HTTPRequest {
      HTTPRequest("POST", try HTTPURL(server.url), body: .bytes(Array("a bird".utf8)), isRepeatable: isRepeatable)
    }
    _ = try await client.send(get(server))
    let error = try await #require(throws: TransportError.self) {
      try await client.send(try post(isRepeatable: false))
    }
    #expect(error.kind == .connectionLost && error.disposition == .retry)
    #expect(
      error.detail
        == "the server closed the connection without a response. It may have received the request, so the "
        + "request is not sent again until the next attempt")
    #expect(server.requests.count == 2)
    _ = try await client.send(get(server))
    #expect(try await client.send(try post(isRepeatable: true)).status == 200)
    #expect(server.requests.map(\.body.count) == [0, 6, 0, 6, 6])
  }

  @Test("a request that must not be repeated does not use a connection that the server may be closing")
  func idle() async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 200) }
    let silent = try LoopbackHTTPServer { _, _ in .stall() }
    let client = transport()
    _ = try await client.send(get(server))
    // The first connection stays idle while this request waits.
    let error = await #expect(throws: TransportError.self) {
      try await client.send(get(silent, deadlines: Deadlines(stall: .seconds(20), whole: .milliseconds(3100))))
    }
    #expect(error?.kind == .timedOut)
    let post = HTTPRequest("POST", try HTTPURL(server.url), body: .bytes(Array("a bird".utf8)))
    #expect(try await client.send(post).status == 200)
    #expect(server.accepted == 2)
  }

  @Test("an unknown host is named in the error")
  func noHost() async throws {
    let error = try await #require(throws: TransportError.self) {
      try await transport().send(HTTPRequest("GET", try HTTPURL("http://nowhere.invalid/")))
    }
    #expect(error.kind == .hostNotFound)
    #expect("\(error)".contains("nowhere.invalid"))
  }

  @Test("a cancelled request ends immediately")
  func cancellation() async throws {
    let asked = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackHTTPServer { _, _ in
      asked.continuation.yield()
      return .stall()
    }
    let transport = transport()
    try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      group.addTask { try await transport.send(get(server, deadlines: Deadlines(stall: .seconds(50)))) }
      for await _ in asked.stream { break }
      group.cancelAll()
      let error = try await #require(throws: TransportError.self) { _ = try await group.next() }
      #expect(error.kind == .cancelled)
    }
  }

  @Test(
    "the address of a sign-in page is recognized; a repository with a similar name is not",
    arguments: [
      ("/_signin", true), ("/users/sign_in", true), ("/gitlab/users/sign_in", true), ("/user/login", true),
      ("/git/user/login", true), ("/login", true), ("/bitbucket/login", true), ("/Login", true), ("/", false),
      ("/acme/login/info/refs", false), ("/repos/acme/login", false), ("/api/v1/repos/acme/login", false),
      ("/users/ada/sign_in", false), ("/login/oauth", false),
    ])
  func signInPage(_ path: String, _ isOne: Bool) throws {
    #expect(SignInPage.isAt(try HTTPURL("https://git.example.com" + path)) == isOne)
  }
}
