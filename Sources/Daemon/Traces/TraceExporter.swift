package import HTTPTransport
internal import Localization
internal import Pipeline
internal import Synchronization
package import Tracing

/// An exporter that sends the spans of stages and of their requests to a collector. It uses OTLP over HTTP, as JSON.
///
/// Requests outside stages, such as polls, are not recorded. Spans are lost if the collector refuses them, or if too many spans wait for a collector
/// that cannot be reached. The number of lost spans is reported when the collector next accepts spans.
package final class TraceExporter: Tracer {
  /// The maximum number of finished spans that wait to be sent. A stage has one span, and one more for each of its requests.
  package static let limit = 4096
  /// The interval at which finished spans are sent.
  static let interval = Duration.seconds(5)
  /// The maximum number of spans in one request.
  private static let batch = 512

  private struct State {
    var finished: [FinishedSpan] = []
    var lost = 0
    /// The last reported failure; `nil` if the collector accepted the last spans.
    var failure: String?
  }

  private let url: HTTPURL
  private let headers: [(name: String, value: Secret)]
  private let version: String
  private let transport: HTTPTransport
  private let report: @Sendable (String) -> Void
  private let random: @Sendable () -> UInt64
  private let state = Mutex(State())

  /// - Parameters:
  ///   - version: the version of this program.
  ///   - transport: a transport that is not used by stages.
  ///   - random: returns 64 random bits.
  ///   - report: receives a message when a failure begins, when its reason changes, and when it ends, and a message about lost spans.
  package init(
    _ collector: TraceCollector, version: String, transport: HTTPTransport = HTTPTransport(),
    random: @escaping @Sendable () -> UInt64 = { .random(in: 1 ... .max) }, report: @escaping @Sendable (String) -> Void
  ) {
    url = collector.url
    headers = collector.headers.map { ($0.name, $0.value) }
    self.version = version
    self.transport = transport
    self.random = random
    self.report = report
  }

  package func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> TraceSpan {
    var own = context()
    let parent = own.tracePlace
    let start = instant().nanosecondsSinceEpoch
    guard parent != nil || kind != .client else {
      return TraceSpan(operationName, own, parent: nil, kind: kind, start: start, finish: nil)
    }
    own.tracePlace = TracePlace(
      trace: parent?.trace ?? Self.hexadecimal(random()) + Self.hexadecimal(random()), span: Self.hexadecimal(random()))
    return TraceSpan(operationName, own, parent: parent?.span, kind: kind, start: start) { [weak self] in self?.add($0)
    }
  }

  /// Does nothing: requests to vendors and git servers contain no trace ids.
  package func inject<Carrier, Inject: Injector>(
    _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {}

  package func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {}

  package func forceFlush() {}

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private func add(_ span: FinishedSpan) {
    state.withLock { state in
      guard state.finished.count < Self.limit else { return state.lost += 1 }
      state.finished.append(span)
    }
  }

  /// Sends spans periodically until the task is cancelled, and then sends the remaining spans.
  package func run(sleep: (Duration) async throws -> Void) async {
    while (try? await sleep(Self.interval)) != nil { await flush() }
    // This task was cancelled, so the remaining spans are sent in another task.
    await Task { await flush() }.value
  }

  /// Sends all finished spans. Spans that the collector cannot accept now are sent again later. Spans that the collector refuses are dropped.
  package func flush() async {
    while true {
      let spans = state.withLock { Array($0.finished.prefix(Self.batch)) }
      guard !spans.isEmpty else { break }
      let failure = await send(spans)
      if failure?.isRetried != true {
        state.withLock {
          $0.finished.removeFirst(spans.count)
          if failure != nil { $0.lost += spans.count }
        }
      }
      note(failure?.text)
      if failure != nil { break }
    }
  }

  private func send(_ spans: [FinishedSpan]) async -> (text: String, isRetried: Bool)? {
    do {
      let body = try TraceDocument(spans, version: version).encoded()
      let request = HTTPRequest(
        "POST", url, headers: [("Content-Type", "application/json")], secretHeaders: headers, body: .bytes(body),
        deadlines: Deadlines(connect: .seconds(5), stall: .seconds(5), whole: .seconds(10)), responseLimit: 1 << 20)
      let response = try await transport.send(request)
      guard !(200..<300).contains(response.status) else { return nil }
      // OTLP requires clients to retry these statuses, and no others.
      return ("the collector returned \(response.status)", [429, 502, 503, 504].contains(response.status))
    } catch {
      return ("\(error)", true)
    }
  }

  /// Reports a new failure, the end of a failure, or lost spans.
  private func note(_ failure: String?) {
    let told: String? = state.withLock { state in
      defer { state.failure = failure }
      if let failure {
        guard failure != state.failure else { return nil }
        return "traces are not sent to \(url.host): \(failure)".withVisibleControls
      }
      guard state.failure != nil || state.lost > 0 else { return nil }
      defer { state.lost = 0 }
      let lost = counted(state.lost, "span") + (state.lost == 1 ? " was lost" : " were lost")
      if state.failure == nil { return "\(lost), because more than \(Self.limit) waited to be sent to \(url.host)" }
      return "traces are sent to \(url.host) again" + (state.lost == 0 ? "" : "; \(lost)")
    }
    if let told { report(told) }
  }
}
