/// The fields of a form, in order. A field may be repeated.
struct FormBody: Sendable {
  private let fields: [(name: String, value: String)]

  /// Reads the body of a form. In the values, line breaks become LF.
  /// - Returns: `nil` if the body is not encoded as a form.
  init?(_ bytes: [UInt8]) {
    guard let pairs = FormEncoding.pairs(of: String(decoding: bytes, as: UTF8.self)) else { return nil }
    // Browsers send line breaks as CR LF.
    fields = pairs.map { ($0.name, $0.value.replacing("\r\n", with: "\n")) }
  }

  /// Reads the query of a link. Unlike the values of a form, the values of a query are not changed, so a key in a link may contain CR LF.
  /// - Returns: `nil` if the text is not encoded as a query.
  init?(query: String) {
    guard let pairs = FormEncoding.pairs(of: query) else { return nil }
    fields = pairs
  }

  subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}
