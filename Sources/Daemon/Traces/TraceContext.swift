internal import Tracing

/// The ids of a trace and of a span in it, as in W3C Trace Context.
struct TracePlace: Hashable, Sendable {
  /// The trace id, 32 hexadecimal digits.
  var trace: String
  /// The span id, 16 hexadecimal digits.
  var span: String
}

private enum TracePlaceKey: InstrumentationContextKey {
  typealias Value = TracePlace
  static var nameOverride: String? { "trace" }
}

extension InstrumentationContext {
  /// The ids of the current span; `nil` outside recorded spans.
  var tracePlace: TracePlace? {
    get { self[TracePlaceKey.self] }
    set { self[TracePlaceKey.self] = newValue }
  }
}
