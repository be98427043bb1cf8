internal import Foundation

/// Messages about responses that cannot be decoded.
enum JSONFault {
  /// Returns a message about a response that cannot be decoded.
  /// - Parameter error: the error that `JSONDecoder` has thrown.
  static func words(for error: any Error, in body: [UInt8]) -> String {
    guard body.contains(where: { !" \t\r\n".utf8.contains($0) }) else { return "the response is empty instead of JSON" }
    return words(for: error)
  }

  /// Returns a message about a part of a response that cannot be decoded.
  /// - Parameter error: the error that was thrown for the part.
  static func words(for error: any Error) -> String {
    let context: DecodingError.Context
    let what: String
    switch error {
    case DecodingError.keyNotFound(let key, let found): (what, context) = ("\(key.stringValue) is missing", found)
    case DecodingError.typeMismatch(let type, let found): (what, context) = ("\(name(of: type)) is expected", found)
    case DecodingError.valueNotFound(let type, let found):
      (what, context) = ("\(name(of: type)) is expected instead of null", found)
    // If the whole response is not JSON, the decoder's error has no path. If a single value is invalid, the error has the value's path.
    case DecodingError.dataCorrupted(let found) where found.codingPath.isEmpty: return "the response is not valid JSON"
    case DecodingError.dataCorrupted(let found): (what, context) = ("a value is invalid", found)
    default: return "the response is not the expected JSON"
    }
    let place = place(of: context.codingPath)
    return "the response is not the expected JSON: \(what)" + (place.isEmpty ? "" : " at \(place)")
  }

  /// Returns a path in the form `items[3].name`.
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
