import HTTPTransport
import Localization
import Synchronization
import TestSupport
import Testing

let quick = Deadlines(connect: .seconds(5), stall: .seconds(5), whole: .seconds(20))

func transport() -> HTTPTransport {
  HTTPTransport(TransportSettings(usesEnvironmentProxy: false), now: { 1_770_091_500 })
}

func get(_ server: LoopbackHTTPServer, _ path: String = "/", deadlines: Deadlines = quick) throws -> HTTPRequest {
  HTTPRequest("GET", try HTTPURL(server.url + path), deadlines: deadlines)
}

@Suite(.timeLimit(.minutes(10))) struct HTTPTransportTests {
  @Test("a request is sent with exactly the expected bytes")
  func wholeRequest() async throws {
    let server = try LoopbackHTTPServer { _, _ in
      .respond(status: 201, headers: [("X-Seen", " yes ")], body: [1, 2, 3])
    }
    var request = HTTPRequest(
      "PUT", try HTTPURL(server.url + "/a%20b?q=1"), headers: [("Content-Type", "text/plain"), ("X-Empty", "")])
    request.secretHeaders = [("X-Key", Secret("k-123"))]
    request.credentials = .basic(user: "bot", password: Secret("pa:ss"))
    request.body = .bytes(Array("hello".utf8))
    let response = try await transport().send(request)
    #expect(response.status == 201)
    #expect(response.head.header("x-seen") == "yes")
    #expect(response.body == [1, 2, 3])
    #expect(
      server.requests == [
        RecordedRequest(
          head: """
            PUT /a%20b?q=1 HTTP/1.1
            Host: 127.0.0.1:\(server.port)
            Authorization: Basic Ym90OnBhOnNz
            User-Agent: dragoman
            Accept: */*
            Content-Type: text/plain
            X-Empty:
            X-Key: k-123
            Content-Length: 5
            """, body: Array("hello".utf8))
      ])
  }

  @Test("bearer tokens, other methods and their bodies are sent", arguments: ["PROPFIND", "POST", "MKCOL", "REPORT"])
  func methods(_ method: String) async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 207) }
    var request = HTTPRequest(method, try HTTPURL(server.url), credentials: .bearer(Secret("tok")))
    if method != "MKCOL" { request.body = .bytes([1]) }
    #expect(try await transport().send(request).status == 207)
    let seen = try #require(server.requests.first)
    #expect(seen.method == method)
    #expect(seen.body == (method == "MKCOL" ? [] : [1]))
    #expect(seen.header("Authorization") == "Bearer tok")
  }

  @Test("an empty PUT has a length, and HEAD does not wait for a body")
  func emptyBodies() async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 200, body: [9]) }
    _ = try await transport().send(HTTPRequest("PUT", try HTTPURL(server.url)))
    #expect(server.requests[0].header("Content-Length") == "0")
    #expect(try await transport().send(HTTPRequest("HEAD", try HTTPURL(server.url))).body.isEmpty)
  }

  @Test("many concurrent requests share one event loop, and all complete")
  func concurrent() async throws {
    let server = try LoopbackHTTPServer { request, _ in .respond(status: 200, body: Array(request.target.utf8)) }
    let transport = transport()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<50 {
        group.addTask { try await transport.send(get(server, "/\(number)")).body == Array("/\(number)".utf8) }
      }
      for try await right in group { #expect(right) }
    }
  }

  @Test("a thousand transfers and a hundred transports succeed")
  func thousand() async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 204) }
    let shared = transport()
    for _ in 0..<1_000 { #expect(try await shared.send(get(server)).status == 204) }
    for _ in 0..<100 { #expect(try await transport().send(get(server)).status == 204) }
  }

  // MARK: Limits, redirects, hints

  @Test("a body above the limit is rejected whether or not its length is announced")
  func limit() async throws {
    let server = try LoopbackHTTPServer { _, number in
      number == 0
        ? .respond(status: 200, body: [UInt8](repeating: 7, count: 1_001))
        : .raw(Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + [UInt8](repeating: 7, count: 1_001))
    }
    for _ in 0..<2 {
      var request = try get(server)
      request.responseLimit = 1_000
      let error = try await #require(throws: TransportError.self) { try await transport().send(request) }
      #expect(error.kind == .bodyTooLarge)
      #expect(error.disposition == .permanent)
    }
  }

  @Test("a redirect on the same host is followed with the same method, body and credentials")
  func redirect() async throws {
    let server = try LoopbackHTTPServer { request, _ in
      request.target == "/old" ? .respond(status: 308, headers: [("Location", "/new")]) : .respond(status: 200)
    }
    var request = HTTPRequest(
      "PUT", try HTTPURL(server.url + "/old"), credentials: .basic(user: "a", password: Secret("b")))
    request.body = .bytes([1, 2])
    let response = try await transport().send(request)
    #expect(response.head.url.path == "/new")
    #expect(server.requests.map(\.line) == ["PUT /old HTTP/1.1", "PUT /new HTTP/1.1"])
    #expect(server.requests[1].body == [1, 2])
    #expect(server.requests[1].header("Authorization") == "Basic YTpi")
  }

  @Test("a redirect with status 303 is followed with GET")
  func seeOther() async throws {
    let server = try LoopbackHTTPServer { request, _ in
      request.method == "POST" ? .respond(status: 303, headers: [("Location", "/new")]) : .respond(status: 200)
    }
    var request = HTTPRequest("POST", try HTTPURL(server.url + "/old"))
    request.body = .bytes([1])
    _ = try await transport().send(request)
    #expect(server.requests[1].line == "GET /new HTTP/1.1")
    #expect(server.requests[1].body.isEmpty)
  }

  @Test(
    "a redirect to another host is refused and never followed",
    arguments: ["localhost", "port", "file:///etc/passwd", "loop"])
  func redirectRefused(_ place: String) async throws {
    let other = try LoopbackHTTPServer { _, _ in .respond(status: 200) }
    let server = try LoopbackHTTPServer { _, _ in
      let target =
        switch place {
        case "localhost": "http://localhost:\(other.port)/"
        case "port": other.url
        case "loop": "/"
        default: place
        }
      return .respond(status: 302, headers: [("Location", target)])
    }
    let error = try await #require(throws: TransportError.self) { try await transport().send(get(server)) }
    #expect(error.kind == .redirectRefused)
    #expect(error.disposition == .askPerson)
    #expect(other.requests.isEmpty)
    #expect(server.requests.count == (place == "loop" ? HTTPTransport.redirectLimit + 1 : 1))
  }

  @Test(
    "each status is mapped to a disposition",
    arguments: [
      (503, "7", Disposition.retryAfter(.seconds(7))), (429, "0", .retryAfter(.seconds(1))),
      (503, "99999999999999999999999", .retryAfter(.seconds(900))),
      (503, nil, .retry), (500, nil, .retry), (401, nil, .askPerson), (403, nil, .askPerson), (404, nil, .permanent),
      (503, "Tue, 03 Feb 2026 04:05:20 GMT", .retryAfter(.seconds(20))), (503, "soon", .retry),
    ] as [(Int, String?, Disposition)])
  func statuses(_ status: Int, _ hint: String?, _ disposition: Disposition) async throws {
    let server = try LoopbackHTTPServer { _, _ in
      .respond(status: status, headers: hint.map { [("Retry-After", $0)] } ?? [])
    }
    let response = try await transport().send(get(server))
    #expect(response.error("try").disposition == disposition)
  }

  @Test("texts that could end a header are refused before anything is sent")
  func injection() async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 200) }
    for request in [
      HTTPRequest("GET", try HTTPURL(server.url), headers: [("X-A", "b\r\nX-C: d")]),
      HTTPRequest("GET", try HTTPURL(server.url), headers: [("X A", "b")]),
      HTTPRequest("GET / HTTP/1.1\r\nX: y\r\n", try HTTPURL(server.url)),
      HTTPRequest("GET", try HTTPURL(server.url), credentials: .bearer(Secret("s3cret\r\nX: y"))),
      HTTPRequest("GET", try HTTPURL(server.url), secretHeaders: [("X-A", Secret("s3cret\nX: y"))]),
    ] {
      let error = try await #require(throws: TransportError.self) { try await transport().send(request) }
      #expect(error.kind == .invalidRequest && !"\(error)".contains("s3cret"))
    }
    #expect(server.requests.isEmpty)
  }

  @Test(
    "unsupported URLs are refused",
    arguments: [
      "", "nonsense", "file:///etc/passwd", "ftp://a/", "http://u:p@host/", "http://a b/", "http://a/\r\nX: y", "/path",
    ])
  func urls(_ text: String) {
    #expect(throws: TransportError.self) { try HTTPURL(text) }
  }

  @Test("a URL is parsed into the parts used for the connection, and components are encoded")
  func urlParts() throws {
    let url = try HTTPURL("HTTP://Example.COM:80/a/../b")
    #expect(url.text == "http://example.com/b")
    #expect(url.appending(["ü b", "100%/?"], folder: true).text == "http://example.com/b/%C3%BC%20b/100%25%2F%3F/")
    #expect(HTTPURL.decode("%C3%BC%20b") == "ü b")
    #expect(HTTPURL.decode("%C3") == nil)
  }

  @Test("descriptions of a request never show its credentials")
  func secrets() throws {
    let request = HTTPRequest(
      "GET", try HTTPURL("http://a/?token=abc"), secretHeaders: [("X-Key", Secret("hush"))],
      credentials: .basic(user: "u", password: Secret("hush")))
    var text = ""
    dump(request, to: &text)
    #expect(!text.contains("hush") && !"\(request)".contains("hush"))
    #expect(request.operation == "GET http://a/")
  }

  @Test("an untrusted certificate is refused")
  func tls() async throws {
    let apache = try await ApacheServer.start(tls: true)
    guard let apache else { return }
    let request = HTTPRequest(
      "GET", try HTTPURL("https://localhost:\(apache.port)/dav/"), credentials: apache.credentials)
    let error = try await #require(throws: TransportError.self) { try await transport().send(request) }
    #expect(error.kind == .tls)
    #expect(error.disposition == .askPerson)
    let trusting = HTTPTransport(
      TransportSettings(certificateAuthorities: apache.certificate, usesEnvironmentProxy: false))
    #expect(try await trusting.send(request).status == 200)
  }
}
