/// The fields of a form, in order. A field may be repeated.
struct FormBody: Sendable {
  private let fields: [(name: String, value: String)]

  /// - Parameter isTyped: whether a person typed the values, so that line breaks are those of browsers.
  /// - Returns: `nil` if it is not encoded as a form.
  init?(_ bytes: [UInt8], isTyped: Bool = true) {
    guard let pairs = FormEncoding.pairs(of: String(decoding: bytes, as: UTF8.self)) else { return nil }
    // Browsers send line breaks as CR LF.
    fields = isTyped ? pairs.map { ($0.name, $0.value.replacing("\r\n", with: "\n")) } : pairs
  }

  subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}
