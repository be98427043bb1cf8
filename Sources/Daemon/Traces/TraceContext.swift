internal import Tracing

/// A span's place in its trace: the two numbers of W3C Trace Context.
struct TracePlace: Hashable, Sendable {
  /// 32 hexadecimal digits.
  var trace: String
  /// 16 hexadecimal digits.
  var span: String
}

private enum TracePlaceKey: InstrumentationContextKey {
  typealias Value = TracePlace
  static var nameOverride: String? { "trace" }
}

extension InstrumentationContext {
  /// `nil` outside recorded spans.
  var tracePlace: TracePlace? {
    get { self[TracePlaceKey.self] }
    set { self[TracePlaceKey.self] = newValue }
  }
}
