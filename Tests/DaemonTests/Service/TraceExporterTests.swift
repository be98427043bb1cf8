import Foundation
import HTTPTransport
import Localization
import Synchronization
import TestSupport
import Testing
import Tracing

@testable import Daemon

@Suite(.timeLimit(.minutes(10))) struct TraceExporterTests {
  private struct Instant: TracerInstant {
    var nanosecondsSinceEpoch: UInt64
    static func < (a: Self, b: Self) -> Bool { a.nanosecondsSinceEpoch < b.nanosecondsSinceEpoch }
  }

  private final class Reports: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
  }

  private final class Counter: Sendable {
    private let last = Mutex<UInt64>(0)
    func next() -> UInt64 {
      last.withLock {
        $0 += 1
        return $0
      }
    }
  }

  private let reports = Reports()

  private func exporter(_ server: LoopbackHTTPServer, _ headers: String = "") throws -> TraceExporter {
    let collector = try #require(
      try TraceCollector(environment: [
        "OTEL_EXPORTER_OTLP_ENDPOINT": server.url, "OTEL_EXPORTER_OTLP_HEADERS": headers,
      ]))
    let counter = Counter()
    return TraceExporter(
      collector, version: "1.2.3", transport: HTTPTransport(TransportSettings(usesEnvironmentProxy: false)),
      random: { counter.next() }, report: { [reports] in reports.add($0) })
  }

  private func addSpan(_ name: String, to exporter: TraceExporter) {
    exporter.startSpan(name, context: .topLevel, ofKind: .internal, at: at(1), function: "", file: "", line: 0).end(
      at: at(2))
  }

  private func at(_ nanoseconds: UInt64) -> Instant { Instant(nanosecondsSinceEpoch: nanoseconds) }

  @Test("stages and their requests are exported in the documented OTLP format, with the secret header")
  func document() async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 200, body: Array("{}".utf8)) }
    let exporter = try exporter(server, "api-key=a%2Cb")
    let stage = exporter.startSpan(
      "push", context: .topLevel, ofKind: .internal, at: at(1_000), function: "", file: "", line: 0)
    stage.attributes["dragoman.pipeline"] = "kit"
    stage.attributes["dragoman.job"] = 7
    let request = exporter.startSpan(
      "POST", context: stage.context, ofKind: .client, at: at(2_000), function: "", file: "", line: 0)
    request.recordError(CancellationError(), attributes: [:], at: at(3_000))
    request.end(at: at(3_000))
    request.end(at: at(9_000))
    stage.end(at: at(4_000))
    // A request without a stage is a poll.
    exporter.startSpan("GET", context: .topLevel, ofKind: .client, at: at(5), function: "", file: "", line: 0).end(
      at: at(6))
    await exporter.flush()
    let sent = try #require(server.requests.first)
    #expect(server.requests.count == 1 && sent.target == "/v1/traces" && sent.header("api-key") == "a,b")
    #expect(
      String(decoding: sent.body, as: UTF8.self) == """
        {"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"dragoman"}},\
        {"key":"service.version","value":{"stringValue":"1.2.3"}}]},"scopeSpans":[{"scope":{"name":"dragoman"},"spans":[\
        {"attributes":[],"endTimeUnixNano":"3000","kind":3,"name":"POST","parentSpanId":"0000000000000003",\
        "spanId":"0000000000000004","startTimeUnixNano":"2000","status":{"code":2,"message":"CancellationError()"},\
        "traceId":"00000000000000010000000000000002"},\
        {"attributes":[{"key":"dragoman.job","value":{"intValue":"7"}},\
        {"key":"dragoman.pipeline","value":{"stringValue":"kit"}}],"endTimeUnixNano":"4000","kind":1,"name":"push",\
        "spanId":"0000000000000003","startTimeUnixNano":"1000","status":{"code":0},\
        "traceId":"00000000000000010000000000000002"}]}]}]}
        """)
    await exporter.flush()
    #expect(server.requests.count == 1 && reports.all.isEmpty)
  }

  @Test("spans are sent again to a busy collector but not after a refusal, and each case is reported once")
  func failures() async throws {
    let statuses = [503, 503, 400, 200]
    let server = try LoopbackHTTPServer { _, number in .respond(status: statuses[min(number, 3)]) }
    let exporter = try exporter(server)
    addSpan("first", to: exporter)
    for _ in 0..<3 { await exporter.flush() }
    addSpan("second", to: exporter)
    await exporter.flush()
    let names = server.requests.map { String(decoding: $0.body, as: UTF8.self).contains("first") }
    #expect(names == [true, true, true, false])
    #expect(
      reports.all == [
        "traces are not sent to 127.0.0.1: the collector returned 503",
        "traces are not sent to 127.0.0.1: the collector returned 400",
        "traces are sent to 127.0.0.1 again; 1 span was lost",
      ])
  }

  @Test("spans that a collector does not accept are kept up to a limit, and the others are dropped")
  func bound() async throws {
    let server = try LoopbackHTTPServer { _, number in number == 0 ? .respond(status: 503) : .respond(status: 200) }
    let exporter = try exporter(server)
    for _ in 0..<TraceExporter.limit + 5 { addSpan("diff", to: exporter) }
    await exporter.flush()
    await exporter.flush()
    #expect(reports.all.last == "traces are sent to 127.0.0.1 again; 5 spans were lost")
    let sent = server.requests.dropFirst().reduce(0) {
      $0 + String(decoding: $1.body, as: UTF8.self).split(separator: "\"spanId\"").count - 1
    }
    #expect(sent == TraceExporter.limit)
  }

  @Test("spans that were dropped although the collector accepts all spans are reported")
  func dropped() async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 200) }
    let exporter = try exporter(server)
    for _ in 0..<TraceExporter.limit + 2 { addSpan("diff", to: exporter) }
    await exporter.flush()
    await exporter.flush()
    #expect(reports.all == ["2 spans were lost, because more than 4096 waited to be sent to 127.0.0.1"])
  }

  @Test("an invalid endpoint or header is an error without the secret")
  func settings() throws {
    #expect(try TraceCollector(environment: [:]) == nil)
    #expect(throws: SettingsFault.self) {
      try TraceCollector(environment: ["OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4317"])
    }
    let fault = #expect(throws: SettingsFault.self) {
      try TraceCollector(environment: [
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318", "OTEL_EXPORTER_OTLP_HEADERS": "hunter2",
      ])
    }
    #expect(fault?.description.contains("hunter2") == false)
  }
}
