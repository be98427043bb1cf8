internal import Foundation

/// The JSON object that the prompt requests from the model. The same id may occur several times. Entries without an id or a text are skipped.
struct LLMTranslations: Hashable, Sendable {
  struct Fault: Error {
    let words: String
  }

  var texts: [String: [String]]

  /// Reads the requested object from a model's text. Other text around the object is ignored. A text with several different objects is a fault.
  static func read(_ text: String) -> Result<LLMTranslations, Fault> {
    guard text.utf8.count <= 4 << 20 else { return .failure(Fault(words: "the answer is too large")) }
    if let whole = decoded(Array(text.utf8)[...]) { return .success(whole) }
    let bytes = Array(text.utf8)
    var found: [LLMTranslations] = []
    var at = 0
    var tries = 0
    while let start = bytes[at...].firstIndex(of: UInt8(ascii: "{")), tries < 32 {
      tries += 1
      at = start + 1
      guard let end = end(of: bytes, from: start), let object = decoded(bytes[start...end]) else { continue }
      found.append(object)
      at = end + 1
    }
    switch Set(found).count {
    case 0: return .failure(Fault(words: "the answer is not the requested JSON object"))
    case 1: return .success(found[0])
    default: return .failure(Fault(words: "the answer has several JSON objects"))
    }
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> LLMTranslations? {
    try? JSONDecoder().decode(LLMTranslations.self, from: Data(bytes))
  }

  /// Returns the position of the brace that closes the brace at `start`; `nil` if there is none. Braces in strings are ignored.
  private static func end(of bytes: [UInt8], from start: Int) -> Int? {
    var depth = 0
    var isString = false
    var at = start
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\\") where isString: at += 1
      case UInt8(ascii: "\""): isString.toggle()
      case UInt8(ascii: "{") where !isString: depth += 1
      case UInt8(ascii: "}") where !isString:
        depth -= 1
        if depth == 0 { return at }
      default: break
      }
      at += 1
    }
    return nil
  }
}

extension LLMTranslations: Decodable {
  private enum Key: String, CodingKey { case translations }

  /// An entry whose members may be missing or invalid.
  private struct Entry: Decodable {
    enum Key: String, CodingKey { case id, text }
    var id: String?
    var text: String?

    init(from decoder: any Decoder) throws {
      guard let entry = try? decoder.container(keyedBy: Key.self) else { return }
      // Some models return the id as a number instead of a string.
      id = (try? entry.decode(String.self, forKey: .id)) ?? (try? entry.decode(Int.self, forKey: .id)).map(String.init)
      text = try? entry.decode(String.self, forKey: .text)
    }
  }

  init(from decoder: any Decoder) throws {
    let entries = try decoder.container(keyedBy: Key.self).decode([Entry].self, forKey: .translations)
    texts = [:]
    for entry in entries {
      guard let id = entry.id, let text = entry.text else { continue }
      texts[id, default: []].append(text)
    }
  }

  /// The schema of the object, for endpoints that enforce a schema. Every object forbids additional members and requires all of its members, as
  /// strict schemas must.
  static let schema = LLMSchema.object([
    "translations": .array(.object(["id": .string, "text": .string]))
  ])
}

/// The part of JSON Schema that our schema needs.
indirect enum LLMSchema: Encodable, Sendable {
  case object([String: LLMSchema])
  case array(LLMSchema)
  case string

  private enum Key: String, CodingKey { case type, properties, required, additionalProperties, items }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .string: try container.encode("string", forKey: .type)
    case .array(let element):
      try container.encode("array", forKey: .type)
      try container.encode(element, forKey: .items)
    case .object(let members):
      try container.encode("object", forKey: .type)
      try container.encode(members, forKey: .properties)
      try container.encode(members.keys.sorted(), forKey: .required)
      try container.encode(false, forKey: .additionalProperties)
    }
  }
}
