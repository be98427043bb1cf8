internal import Foundation

/// One request and its response, as a fixture contains them.
package struct RecordedExchange: Codable, Hashable, Sendable {
  package struct Request: Codable, Hashable, Sendable {
    package var method: String
    /// The path relative to the vendor's address, percent-encoded, without the query.
    package var path: String
    /// The query's names and values, in order.
    package var query: [[String]]
    /// The values of the headers, by the headers' names in lower case. Secret values are replaced by ``ExchangeRedaction/mark``.
    package var headers: [String: String]
    package var body: RecordedBody?
  }

  package struct Response: Codable, Hashable, Sendable {
    package var status: Int
    /// The values of the recorded headers, by the headers' names in lower case. Only headers that adapters need are recorded.
    package var headers: [String: String]
    package var body: RecordedBody?
  }

  package var request: Request
  /// The response; `nil` if the server sent none.
  package var response: Response?
}

/// The body of a request or response: JSON, another text, or bytes.
package enum RecordedBody: Codable, Hashable, Sendable {
  case json(RecordedJSON)
  case text(String)
  case base64(String)
  /// A body that is left out because it is too large or contains a secret. The value is the body's length in bytes.
  case omitted(Int)

  /// The maximum size of a recorded body in bytes.
  static let most = 1 << 20

  /// Creates a body from bytes; `nil` if there are none.
  init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return nil }
    if bytes.count > Self.most {
      self = .omitted(bytes.count)
    } else if let json = try? JSONDecoder().decode(RecordedJSON.self, from: Data(bytes)) {
      self = .json(json)
    } else if let text = String(validating: bytes, as: UTF8.self) {
      self = .text(text)
    } else {
      self = .base64(Data(bytes).base64EncodedString())
    }
  }

  /// The bytes of the body; empty if the body was left out. JSON is written with sorted keys.
  package var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return switch self {
    case .json(let json): (try? encoder.encode(json)).map { Array($0) } ?? []
    case .text(let text): Array(text.utf8)
    case .base64(let text): Data(base64Encoded: text).map { Array($0) } ?? []
    case .omitted: []
    }
  }
}

/// Any JSON value.
package indirect enum RecordedJSON: Codable, Hashable, Sendable {
  case null
  case flag(Bool)
  case whole(Int)
  case number(Double)
  case text(String)
  case list([RecordedJSON])
  case object([String: RecordedJSON])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let whole = try? container.decode(Int.self) {
      self = .whole(whole)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([RecordedJSON].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: RecordedJSON].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .whole(let whole): try container.encode(whole)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let object): try container.encode(object)
    }
  }
}
