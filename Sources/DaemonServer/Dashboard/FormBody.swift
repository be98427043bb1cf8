internal import Foundation

/// The fields of a form, in order. A field may be repeated.
struct FormBody: Sendable {
  private let fields: [(name: String, value: String)]

  /// - Parameter isTyped: whether a person typed the values, so that line breaks are those of browsers.
  /// - Returns: `nil` if it is not encoded as a form.
  init?(_ bytes: [UInt8], isTyped: Bool = true) {
    var fields: [(name: String, value: String)] = []
    for pair in String(decoding: bytes, as: UTF8.self).split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(parts[0]), let value = Self.decoded(parts.count > 1 ? parts[1] : "") else {
        return nil
      }
      // Browsers send line breaks as CR LF.
      fields.append((name, isTyped ? value.replacing("\r\n", with: "\n") : value))
    }
    self.fields = fields
  }

  subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  private static func decoded(_ text: Substring) -> String? {
    text.replacing("+", with: " ").removingPercentEncoding.flatMap { $0.contains("\0") ? nil : $0 }
  }
}
