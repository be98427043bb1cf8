import Synchronization

/// A translator of the statements of `LedgerStore` from SQLite's dialect to PostgreSQL's. Each statement is translated only once.
final class StatementTranslation: Sendable {
  static let shared = StatementTranslation()

  private let known = Mutex<[String: String]>([:])

  func translate(_ sql: String) -> String {
    if let found = known.withLock({ $0[sql] }) { return found }
    let translated = Self.translation(of: sql)
    known.withLock { $0[sql] = translated }
    return translated
  }

  static func translation(of sql: String) -> String {
    var text = withNumberedParameters(sql)
    text = replaced("json_each($", in: text) { rest in
      // `json_each($1)` is translated to a table with a column `value`. The table gets the alias that may follow.
      guard let end = rest.firstIndex(of: ")") else { return nil }
      let number = rest[..<end]
      let after = rest[rest.index(after: end)...]
      guard after.hasPrefix(" AS ") else { return ("unnest($\(number)) AS json_each(value)", after) }
      let name = after.dropFirst(4).prefix { $0.isLetter }
      return ("unnest($\(number)) AS \(name)(value)", after.dropFirst(4 + name.count))
    }
    text = replaced(" INDEXED BY ", in: text) { rest in ("", rest.drop { $0.isLetter || $0 == "_" }) }
    text = replaced("CROSS JOIN", in: text) { ("JOIN", $0) }
    // The unique indexes of long texts are defined on the digests of the texts.
    for (columns, digests) in [
      ("(pipeline, catalog, key, pin) DO", "(pipeline, text_digest(catalog), text_digest(key), pin) DO"),
      ("(bundle_id, catalog, key, language) DO", "(bundle_id, text_digest(catalog), text_digest(key), language) DO"),
    ] { text = replaced(columns, in: text) { (digests, $0) } }
    return replaced("instr(", in: text) { ("strpos(", $0) }
  }

  /// Returns the statement with numbered parameters. As in SQLite, `?` gets the number that follows the highest earlier number.
  private static func withNumberedParameters(_ sql: String) -> String {
    var text = ""
    var highest = 0
    var rest = sql[...]
    var isQuoted = false
    while let character = rest.popFirst() {
      if character == "'" { isQuoted.toggle() }
      guard character == "?", !isQuoted else {
        text.append(character)
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      let number = Int(digits) ?? highest + 1
      highest = max(highest, number)
      text += "$\(number)"
    }
    return text
  }

  private static func replaced(
    _ pattern: String, in text: String, by replacement: (Substring) -> (String, Substring)?
  ) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: pattern) {
      result += rest[..<range.lowerBound]
      guard let (new, after) = replacement(rest[range.upperBound...]) else {
        result += pattern
        rest = rest[range.upperBound...]
        continue
      }
      result += new
      rest = after
    }
    return result + rest
  }
}
