internal import Foundation

/// Why an answer cannot be decoded, in the terms of JSON.
enum JSONFault {
  /// - Parameter error: thrown by `JSONDecoder`.
  static func words(for error: any Error, in body: [UInt8]) -> String {
    guard body.contains(where: { !" \t\r\n".utf8.contains($0) }) else { return "the answer is empty instead of JSON" }
    return words(for: error)
  }

  /// - Parameter error: thrown for a part of an answer.
  static func words(for error: any Error) -> String {
    let context: DecodingError.Context
    let what: String
    switch error {
    case DecodingError.keyNotFound(let key, let found): (what, context) = ("\(key.stringValue) is missing", found)
    case DecodingError.typeMismatch(let type, let found): (what, context) = ("\(name(of: type)) is wanted", found)
    case DecodingError.valueNotFound(let type, let found):
      (what, context) = ("\(name(of: type)) is wanted instead of null", found)
    // The decoder gives no place for a text that is not JSON, and one for a text that is not a value of the type.
    case DecodingError.dataCorrupted(let found) where found.codingPath.isEmpty: return "the answer is not valid JSON"
    case DecodingError.dataCorrupted(let found): (what, context) = ("a value is not understood", found)
    default: return "the answer is not the JSON that was expected"
    }
    let place = place(of: context.codingPath)
    return "the answer is not the JSON that was expected: \(what)" + (place.isEmpty ? "" : " at \(place)")
  }

  /// `items[3].name`.
  private static func place(of path: [any CodingKey]) -> String {
    path.reduce("") { place, key in
      if let index = key.intValue { return "\(place)[\(index)]" }
      return place.isEmpty ? key.stringValue : "\(place).\(key.stringValue)"
    }
  }

  private static func name(of type: Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is any BinaryInteger.Type, is any BinaryFloatingPoint.Type: "a number"
    case is [String: Any].Type: "an object"
    case is [Any].Type: "a list"
    default: "another value"
    }
  }
}
