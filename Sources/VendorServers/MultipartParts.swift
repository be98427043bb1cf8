internal import Foundation
internal import TestSupport

/// The parts of a `multipart/form-data` body by name.
struct MultipartParts {
  private(set) var parts: [String: [UInt8]] = [:]

  /// Reads the parts of a request; returns `nil` if the request's body is not a `multipart/form-data` form.
  init?(_ request: RecordedRequest) {
    guard let type = request.header("Content-Type"), type.hasPrefix("multipart/form-data; boundary=") else {
      return nil
    }
    let mark = Data("--\(type.dropFirst("multipart/form-data; boundary=".count))".utf8)
    var rest = Data(request.body)
    guard let first = rest.range(of: mark) else { return nil }
    rest = rest[first.upperBound...]
    while let next = rest.range(of: Data("\r\n".utf8) + mark) {
      let part = rest[rest.startIndex..<next.lowerBound].dropFirst(2)
      guard let gap = part.range(of: Data("\r\n\r\n".utf8)) else { return nil }
      let head = String(decoding: part[part.startIndex..<gap.lowerBound], as: UTF8.self)
      guard let name = head.firstMatch(of: /; name="([^"]*)"/)?.1 else { return nil }
      parts[String(name)] = Array(part[gap.upperBound...])
      rest = rest[next.upperBound...]
    }
  }

  func text(_ name: String) -> String? { parts[name].map { String(decoding: $0, as: UTF8.self) } }
}
