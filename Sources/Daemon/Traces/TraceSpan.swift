internal import Synchronization
package import Tracing

/// A finished span, as it is sent to the collector.
struct FinishedSpan: Sendable {
  var place: TracePlace
  /// The id of the span that contains this span; `nil` for a stage.
  var parent: String?
  var name: String
  var kind: SpanKind
  /// The start of the span, in nanoseconds since 1970.
  var start: UInt64
  var end: UInt64
  var attributes: SpanAttributes
  var status: SpanStatus?
}

/// A span that is passed to the exporter when it ends.
package final class TraceSpan: Span {
  private struct State {
    var name: String
    var attributes: SpanAttributes = [:]
    var status: SpanStatus?
    var isEnded = false
  }

  package let context: InstrumentationContext
  private let parent: String?
  private let kind: SpanKind
  private let start: UInt64
  /// Passes the finished span to the exporter; `nil` for a span that is not recorded.
  private let finish: (@Sendable (FinishedSpan) -> Void)?
  private let state: Mutex<State>

  init(
    _ name: String, _ context: InstrumentationContext, parent: String?, kind: SpanKind, start: UInt64,
    finish: (@Sendable (FinishedSpan) -> Void)?
  ) {
    self.context = context
    self.parent = parent
    self.kind = kind
    self.start = start
    self.finish = finish
    state = Mutex(State(name: name))
  }

  package var isRecording: Bool { finish != nil }

  package var operationName: String {
    get { state.withLock { $0.name } }
    set { state.withLock { $0.name = newValue } }
  }

  package var attributes: SpanAttributes {
    get { state.withLock { $0.attributes } }
    set { state.withLock { $0.attributes = newValue } }
  }

  package func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }

  package func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) {
    setStatus(SpanStatus(code: .error, message: "\(error)"))
  }

  /// Does nothing: Dragoman writes events to its log and not to spans.
  package func addEvent(_ event: SpanEvent) {}
  package func addLink(_ link: SpanLink) {}

  package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    guard let finish, let place = context.tracePlace else { return }
    let end = instant().nanosecondsSinceEpoch
    let last: State? = state.withLock { state in
      guard !state.isEnded else { return nil }
      state.isEnded = true
      return state
    }
    guard let last else { return }
    finish(
      FinishedSpan(
        place: place, parent: parent, name: last.name, kind: kind, start: start, end: max(start, end),
        attributes: last.attributes, status: last.status))
  }
}
