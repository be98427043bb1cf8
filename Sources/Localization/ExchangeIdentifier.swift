/// The id of a form as XLIFF writes it: the key, and `|==|` with the path where the text varies (formats.md B2.5).
package enum ExchangeIdentifier {
  package static let separator = "|==|"

  package static func text(key: UnitKey, path: VariationPath) -> String {
    path.isRoot ? key.text : key.text + separator + path.text
  }

  /// Splits at the last `|==|`, and only if what follows is a path: keys may hold `|==|` themselves.
  package static func parse(_ id: String) -> (key: UnitKey, path: VariationPath) {
    let bytes = Array(id.utf8)
    let mark = Array(separator.utf8)
    var start = bytes.count - mark.count
    while start >= 0 {
      if bytes[start..<start + mark.count].elementsEqual(mark) {
        let rest = String(decoding: bytes[(start + mark.count)...], as: UTF8.self)
        guard let path = VariationPath(text: rest), !path.isRoot else { break }
        return (UnitKey(String(decoding: bytes[..<start], as: UTF8.self)), path)
      }
      start -= 1
    }
    return (UnitKey(id), .root)
  }
}
