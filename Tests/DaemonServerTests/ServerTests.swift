import Daemon
import Foundation
import HTTPTransport
import Localization
import Logging
import Pipeline
import ReadModel
import Synchronization
import TestSupport
import Testing

@testable import DaemonServer

@Suite(.timeLimit(.minutes(10))) struct ServerTests {
  @Test("the probes respond, and /readyz waits for the pipelines")
  func probes() async throws {
    try await ServedDaemon().run { daemon async throws in
      #expect(try await daemon.send("GET", "/healthz").text == "{\"status\":\"ok\"}\n")
      #expect(await daemon.nextLook() == "1 branch, 1 with a new commit")
      // The first check of the pipeline files ends at about the same time.
      let ready = try await daemon.becomeReady()
      #expect(ready == "{\"faultyFiles\":0,\"paused\":0,\"pipelines\":1,\"status\":\"ready\"}\n")
      // The dashboard redirects to its sign-in.
      #expect(try await daemon.send("GET", "/").status == 303)
      #expect(try await daemon.send("GET", "/readyz").head.header("Cache-Control") == "no-store")
    }
  }

  @Test("errors that the HTTP library logs when it is cancelled are dropped, and other errors are logged")
  func cancellation() async {
    let lines = Mutex<[String]>([])
    var logger = Logger(label: "test") { _ in LineHandler { line in lines.withLock { $0.append(line) } } }
    logger.logLevel = .warning
    let filtered = logger.withoutCancellations
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      filtered.error("Waiting on child channel: stopped")
    }.value
    let other = "Waiting on child channel: no descriptors, then \(CancellationError())"
    filtered.error("\(other)")
    filtered.info("started")
    #expect(lines.withLock { $0 } == [other])
  }

  @Test("metrics follow Prometheus's text format and count polls and jobs")
  func metrics() async throws {
    try await ServedDaemon().run { daemon async throws in
      _ = await daemon.nextLook()
      let response = try await daemon.send("GET", "/metrics")
      #expect(response.status == 200)
      #expect(response.head.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
      #expect(MetricsLint.faults(in: response.text) == [])
      #expect(response.text.contains("dragoman_polls_total{pipeline=\"birds\",outcome=\"succeeded\"} 1\n"))
      #expect(response.text.contains("dragoman_pipelines 1\n"))
      #expect(response.text.contains("dragoman_stage_duration_seconds_count{stage=\"watch\"} 1\n"))
      #expect(response.text.contains("dragoman_pipeline_up{pipeline=\"birds\"} 1\n"))
      #expect(response.text.contains("dragoman_mirrors 1\n"))
      #expect(response.text.contains("dragoman_pipeline_files_faulty 0\n"))
      #expect(response.text.contains("dragoman_pipeline_paused{pipeline=\"birds\"} 0\n"))
      let memory = try #require(
        response.text.split(separator: "\n").first { $0.hasPrefix("process_resident_memory_bytes ") })
      #expect(try #require(Int(memory.split(separator: " ")[1])) > 1 << 20)
    }
  }

  @Test("metrics include the completion of each branch and language")
  func completion() async throws {
    let daemon = try ServedDaemon()
    let strings =
      #"{"Hello":{},"Bye":{"localizations":{"de":{"stringUnit":{"state":"translated","value":"Tschüss"}}}}}"#
    try daemon.repository.commit([
      "Package.swift":
        "// swift-tools-version:6.0\nimport PackageDescription\nlet package = Package(name: \"A\", defaultLocalization: \"en\", targets: [.target(name: \"A\")])\n",
      "Sources/A/A.swift":
        "import Foundation\nlet a = String(localized: \"Hello\", bundle: .module)\nlet b = String(localized: \"Bye\", bundle: .module)\n",
      "Sources/A/Resources/Localizable.xcstrings":
        "{\"sourceLanguage\":\"en\",\"strings\":\(strings),\"version\":\"1.0\"}",
    ])
    try await daemon.run { daemon async throws in
      await daemon.nextPull()
      let text = try await daemon.send("GET", "/metrics").text
      #expect(
        text.contains("dragoman_completion_ratio{pipeline=\"birds\",branch=\"main\",language=\"de\"} 0.5\n"), "\(text)")
      #expect(text.contains("dragoman_units_missing{pipeline=\"birds\",branch=\"main\",language=\"de\"} 1\n"))
      #expect(MetricsLint.faults(in: text) == [])
    }
  }

  @Test("the probe, the metrics and the API show a pause and a pipeline file that is not used")
  func outOfForce() async throws {
    let daemon = try ServedDaemon()
    let files = [
      "birds.yaml": "pipeline: birds\nrepository: { url: \"{repository}\" }\nvendors: [{ vendor: pseudo }]\n",
      "cats.yaml": "pipeline: cats\nrepository: { url: \"{repository}\" }\nvendor: []\n",
    ]
    try await daemon.run(files: files) { daemon async throws in
      _ = await daemon.nextLook()
      let token = try await daemon.token(.operator)
      let head = [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")]
      let pause = try await daemon.send(
        "POST", "/api/v1/pipelines/birds/pause", head, Array(#"{"reason":"holiday"}"#.utf8))
      #expect(pause.status == 200)
      let ready = try await daemon.becomeReady()
      #expect(ready == "{\"faultyFiles\":1,\"paused\":1,\"pipelines\":1,\"status\":\"ready\"}\n")
      let metrics = try await daemon.send("GET", "/metrics").text
      #expect(metrics.contains("dragoman_pipeline_files_faulty 1\n"))
      #expect(metrics.contains("dragoman_pipeline_paused{pipeline=\"birds\"} 1\n"))
      let text = try await daemon.send("GET", "/api/v1/problems", head).text
      #expect(text.contains("cats.yaml is not in force: ") && text.contains("vendor: unknown key"), "\(text)")
      #expect(text.contains("paused by operator (holiday); resume it with `dragoman pipelines resume birds`"))
      // A faulty file has no pipeline page, so the dashboard lists the file on its first page.
      let form = [("Content-Type", "application/x-www-form-urlencoded")]
      let signedIn = try await daemon.send("POST", "/signin", form, Array("token=\(token)&next=%2F".utf8))
      let cookie = try #require(signedIn.head.header("Set-Cookie")?.split(separator: ";").first)
      let page = try await daemon.send("GET", "/", [("Cookie", String(cookie)), ("Accept-Language", "en")]).text
      #expect(page.contains("cats.yaml is not in force: ") && page.contains(">Problems</h2>"), "\(page)")
      // The command line shows the same problems while the daemon runs and afterwards.
      let desk = RoundAdministration(store: StoreLocation(folder: daemon.folder.file("store")))
      let problems = try await desk.problems()
      #expect(problems.filter { $0.severity == .error }.map(\.pipeline) == ["cats"], "\(problems)")
      #expect(problems.filter { $0.severity == .note }.map(\.pipeline) == ["birds"], "\(problems)")
    }
  }

  @Test("a request with an unknown host name is refused, even if the name resolves to this machine")
  func hostHeader() async throws {
    try await ServedDaemon().run { daemon async throws in
      for path in ["/metrics", "/healthz", "/readyz", "/"] {
        #expect(try await daemon.send("GET", path, [("Host", "evil.example")]).status == 421)
      }
      #expect(try await daemon.send("GET", "/healthz", [("Host", "localhost:1")]).status == 200)
      #expect(try await daemon.send("GET", "/healthz", [("Host", "127.0.0.1.evil.example")]).status == 421)
      // Webhooks arrive through a proxy and have the proxy's host name.
      try await daemon.becomeReady()
      #expect(try await daemon.send("POST", "/hooks/birds", [("Host", "l10n.example.com")]).status == 401)
    }
  }

  @Test("a request with two host names is refused", arguments: ["localhost", "evil.example"])
  func twoHosts(second: String) async throws {
    try await ServedDaemon().run { daemon async throws in
      for path in ["/healthz", "/metrics", "/hooks/birds"] {
        let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nhost: \(second)\r\nConnection: close\r\n\r\n"
        let response = try await RawConnection.exchange(request, port: daemon.port)
        #expect(response.hasPrefix("HTTP/1.1 400"), "\(response)")
      }
    }
  }

  @Test("a connection is closed if its header or body does not arrive completely")
  func slowRequests() async throws {
    var limits = ServerLimits()
    limits.request = .milliseconds(300)
    limits.idle = .seconds(3600)
    let daemon = try ServedDaemon()
    try await daemon.run(limits: limits) { daemon async throws in
      try await daemon.becomeReady()
      for start in [
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        "POST /hooks/birds HTTP/1.1\r\nHost: localhost\r\nX-Hub-Signature-256: sha256="
          + String(repeating: "0", count: 64) + "\r\nContent-Length: 100\r\n\r\n{",
      ] {
        // The server closed the connection without a response.
        #expect(try await RawConnection.exchange(start, port: daemon.port) == "")
      }
      #expect(try await daemon.send("GET", "/healthz").status == 200)
    }
  }

  @Test(
    "a path or header fields that are too large are refused with the limit, and the server continues",
    arguments: [
      (path: 1, field: 40_000, fields: 1), (path: 100_000, field: 1, fields: 1), (path: 1, field: 1, fields: 201),
    ])
  func largeHeaders(path: Int, field: Int, fields: Int) async throws {
    let fields = String(repeating: "X-Large: \(String(repeating: "a", count: field))\r\n", count: fields)
    let request = "GET /\(String(repeating: "a", count: path)) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    try await ServedDaemon().run { daemon async throws in
      let response = try await RawConnection.exchange(request, port: daemon.port)
      #expect(response.hasPrefix("HTTP/1.1 431 "), "\(response)")
      #expect(response.contains("more than 32768 bytes"), "\(response)")
      #expect(try await daemon.send("GET", "/healthz").status == 200)
    }
  }

  @Test(
    "a request that is not HTTP gets an error, and the connection is closed",
    arguments: [
      "/api/v1/units?catalog=a b", "/api/v1/units?\u{1}", "/api/v1/units?a=\u{7F}", "/api/v1/units?text=ü",
      "/api/v1/units?a=%zz",
    ])
  func malformedRequests(target: String) async throws {
    try await ServedDaemon().run { daemon async throws in
      let request = "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      let response = try await RawConnection.exchange(request, port: daemon.port)
      #expect(response.hasPrefix("HTTP/1.1 40"), "\(response)")
      let parts = response.components(separatedBy: "\r\n\r\n")
      let body = Data(try #require(parts.last).utf8)
      let problem = try JSONDecoder().decode([String: [String: String]].self, from: body)
      #expect(problem["error"]?["code"]?.isEmpty == false && problem["error"]?["message"]?.isEmpty == false)
      #expect(parts[0].lowercased().contains("content-length: \(body.count)"), "\(response)")
      #expect(parts[0].lowercased().contains("content-type: application/json"), "\(response)")
    }
  }

  @Test(
    "only loopback addresses are accepted as listen addresses",
    arguments: [
      ("127.0.0.1:8080", "127.0.0.1:8080"), ("[::1]:0", "[::1]:0"), ("localhost:80", "localhost:80"),
      ("0.0.0.0:80", nil),
      ("[::]:80", nil), ("l10n.example.com:443", nil), (":80", nil), ("127.0.0.1", nil), ("127.0.0.1:70000", nil),
      ("127.0.0.1:", nil), ("", nil),
    ] as [(String, String?)])
  func addresses(_ text: String, _ expected: String?) {
    #expect((try? ListenAddress(text))?.description == expected)
  }

  @Test("a port in use is reported with the next step")
  func portInUse() async throws {
    try await ServedDaemon().run { daemon async throws in
      let address = try ListenAddress("127.0.0.1:\(daemon.port)")
      let fault = await #expect(throws: ServerFault.self) { try await Self.listen(at: address) }
      #expect(fault?.kind == .unavailable)
      #expect(fault?.description.hasPrefix("cannot listen on \(address): Address already in use. Choose") == true)
    }
  }

  private static func listen(at address: ListenAddress) async throws {
    let other = try ServedDaemon()
    try await other.run(at: address)
  }
}

/// A log handler that passes messages to a closure.
private struct LineHandler: LogHandler {
  let write: @Sendable (String) -> Void
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { write("\(event.message)") }
}
