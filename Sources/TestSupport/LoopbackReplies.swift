internal import Foundation
internal import HTTPTransport

extension LoopbackReply {
  /// Returns a response in JSON.
  package static func json(
    _ object: Any, status: Int = 200, type: String = "application/json", headers: [(String, String)] = []
  ) -> LoopbackReply {
    let data =
      (try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .fragmentsAllowed])) ?? Data()
    return .respond(status: status, headers: [("Content-Type", type)] + headers, body: Array(data))
  }
}

extension RecordedRequest {
  /// The decoded components of the path, without the query.
  package var path: [String] {
    String(target.prefix { $0 != "?" }).split(separator: "/").map { HTTPURL.decode($0) ?? String($0) }
  }

  /// The query's values by name.
  package var query: [String: String] {
    Self.fields(String(target.drop { $0 != "?" }.dropFirst()))
  }

  /// The values of a form, by the names of their fields; `nil` if the body's type is not `application/x-www-form-urlencoded`.
  package var form: [String: String]? {
    guard header("Content-Type") == "application/x-www-form-urlencoded" else { return nil }
    return Self.fields(String(decoding: body, as: UTF8.self))
  }

  /// The body as a JSON object; empty for anything else.
  package var object: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:] }

  private static func fields(_ text: String) -> [String: String] {
    var fields: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      fields[HTTPURL.decode(parts[0]) ?? ""] = parts.count > 1 ? HTTPURL.decode(parts[1]) ?? "" : ""
    }
    return fields
  }
}
