internal import FoundationEssentials
internal import Localization
internal import Tracing

/// The body of an OTLP request: `ExportTraceServiceRequest` of opentelemetry-proto, in JSON, where 64-bit numbers are strings.
struct TraceDocument: Encodable {
  /// The longest text of an attribute or of a status, in characters.
  static let textLimit = 1000

  private var resourceSpans: [ResourceSpans]

  private struct ResourceSpans: Encodable {
    var resource: Resource
    var scopeSpans: [ScopeSpans]
  }
  private struct Resource: Encodable { var attributes: [Attribute] }
  private struct ScopeSpans: Encodable {
    var scope: Scope
    var spans: [Span]
  }
  private struct Scope: Encodable { var name: String }

  private struct Span: Encodable {
    var traceId: String
    var spanId: String
    var parentSpanId: String?
    var name: String
    var kind: Int
    var startTimeUnixNano: String
    var endTimeUnixNano: String
    var attributes: [Attribute]
    var status: Status
  }

  private struct Status: Encodable {
    var code: Int
    var message: String?
  }

  private struct Attribute: Encodable {
    var key: String
    var value: Value
  }

  private struct Value: Encodable {
    var stringValue: String?
    var intValue: String?
    var boolValue: Bool?
  }

  init(_ spans: [FinishedSpan], version: String) {
    let resource = Resource(attributes: [
      Attribute(key: "service.name", value: Value(stringValue: "dragoman")),
      Attribute(key: "service.version", value: Value(stringValue: version)),
    ])
    resourceSpans = [
      ResourceSpans(
        resource: resource, scopeSpans: [ScopeSpans(scope: Scope(name: "dragoman"), spans: spans.map(Self.span))])
    ]
  }

  func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(self))
  }

  private static func span(_ span: FinishedSpan) -> Span {
    var attributes: [Attribute] = []
    span.attributes.forEach { attributes.append(Attribute(key: $0, value: value($1))) }
    let code = span.status.map { $0.code == .error ? 2 : 1 } ?? 0
    return Span(
      traceId: span.place.trace, spanId: span.place.span, parentSpanId: span.parent, name: span.name,
      kind: kind(span.kind), startTimeUnixNano: String(span.start), endTimeUnixNano: String(span.end),
      attributes: attributes.sorted { $0.key < $1.key },
      status: Status(code: code, message: span.status?.message.map(text)))
  }

  private static func kind(_ kind: SpanKind) -> Int {
    switch kind {
    case .internal: 1
    case .server: 2
    case .client: 3
    case .producer: 4
    case .consumer: 5
    }
  }

  private static func value(_ attribute: SpanAttribute) -> Value {
    switch attribute {
    case .int32(let number): Value(intValue: String(number))
    case .int64(let number): Value(intValue: String(number))
    case .bool(let flag): Value(boolValue: flag)
    case .string(let words): Value(stringValue: text(words))
    default: Value(stringValue: text("\(attribute)"))
    }
  }

  private static func text(_ words: String) -> String { String(words.prefix(textLimit)).withVisibleControls }
}
