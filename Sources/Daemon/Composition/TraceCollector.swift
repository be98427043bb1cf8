internal import Foundation
package import HTTPTransport
package import Localization

/// The collector of traces that OpenTelemetry's variables specify: `OTEL_EXPORTER_OTLP_ENDPOINT` and `OTEL_EXPORTER_OTLP_HEADERS`.
package struct TraceCollector: Hashable, Sendable {
  package struct Header: Hashable, Sendable {
    package var name: String
    package var value: Secret
  }

  /// The URL, with the path for traces.
  package var url: HTTPURL
  package var headers: [Header]

  /// - Returns: `nil` if the endpoint is not set.
  /// - Throws: `SettingsFault` if one of the variables is invalid. The fault names the variable.
  init?(environment: [String: String]) throws(SettingsFault) {
    let name = "OTEL_EXPORTER_OTLP_ENDPOINT"
    guard let text = environment[name], !text.isEmpty else { return nil }
    do { url = try HTTPURL(text).appending(["v1", "traces"]) } catch {
      throw SettingsFault(faults: ["\(name): \(error.detail)"])
    }
    headers = try Self.headers(environment["OTEL_EXPORTER_OTLP_HEADERS"] ?? "")
  }

  /// Reads `name=value` pairs separated by commas. The values are percent-encoded.
  private static func headers(_ text: String) throws(SettingsFault) -> [Header] {
    var headers: [Header] = []
    for pair in text.split(separator: ",") {
      let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2, !parts[0].isEmpty, let value = parts[1].removingPercentEncoding else {
        // The message does not contain the pair, because it may be a secret.
        throw SettingsFault(
          faults: ["OTEL_EXPORTER_OTLP_HEADERS: write name=value pairs with commas between them, such as api-key=abc"])
      }
      headers.append(Header(name: parts[0], value: Secret(value)))
    }
    return headers
  }
}
