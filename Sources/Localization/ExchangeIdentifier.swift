/// The id of a form as XLIFF writes it: the key, and `|==|` with the path where the text varies (formats.md B2.5).
package enum ExchangeIdentifier {
  package static let separator = "|==|"

  package static func text(key: UnitKey, path: VariationPath) -> String {
    path.isRoot ? key.text : key.text + separator + path.text
  }

  /// Splits at the last `|==|`, and only if what follows is a path: keys may hold `|==|` themselves.
  package static func parse(_ id: String) -> (key: UnitKey, path: VariationPath) {
    // Most keys hold no mark, and imports ask for many thousand.
    guard id.utf8.contains(UInt8(ascii: "|")) else { return (UnitKey(id), .root) }
    let bytes = Array(id.utf8)
    guard let start = marks(in: bytes).last, let reading = split(bytes, at: start) else { return (UnitKey(id), .root) }
    return reading
  }

  /// All that an id may mean, the likeliest first: a form of a key by each `|==|` in it, from the last, then a key.
  package static func readings(of id: String) -> [(key: UnitKey, path: VariationPath)] {
    let bytes = Array(id.utf8)
    // Beyond some marks it is no key that anybody wrote.
    return marks(in: bytes).suffix(16).reversed().compactMap { split(bytes, at: $0) } + [(UnitKey(id), .root)]
  }

  private static func marks(in bytes: [UInt8]) -> [Int] {
    let mark = Array(separator.utf8)
    guard bytes.count >= mark.count else { return [] }
    return (0...(bytes.count - mark.count)).filter { bytes[$0] == mark[0] && bytes[$0..<$0 + mark.count] == mark[...] }
  }

  private static func split(_ bytes: [UInt8], at start: Int) -> (key: UnitKey, path: VariationPath)? {
    let rest = String(decoding: bytes[(start + separator.utf8.count)...], as: UTF8.self)
    guard let path = VariationPath(text: rest), !path.isRoot else { return nil }
    return (UnitKey(String(decoding: bytes[..<start], as: UTF8.self)), path)
  }
}
