package import Localization

/// A text with plural forms as ICU's MessageFormat writes it: `{value, plural, one {%lld bird} other {%lld birds}}`.
package enum ICUPlural {
  /// Returns the text with these forms, in CLDR's order of the plural categories. ICU's special characters are quoted. An apostrophe is doubled only
  /// where ICU would otherwise read it as the start of a quotation or as a part of a pair.
  /// - Parameter argument: the name of the argument that holds the number.
  package static func write(_ forms: [PluralCategory: String], argument: String = "value") -> String {
    let parts = forms.sorted { PluralCategory.precedes($0.key, $1.key) }.map { category, form in
      " \(category.rawValue) {\(quoted(form))}"
    }
    return "{\(argument), plural,\(parts.joined())}"
  }

  private static func quoted(_ text: String) -> String {
    var rest = Substring(text).unicodeScalars
    var result = String.UnicodeScalarView()
    while let scalar = rest.first {
      let run = rest.prefix { "{}#'".unicodeScalars.contains($0) }
      guard !run.isEmpty else {
        result.append(scalar)
        rest.removeFirst()
        continue
      }
      rest = rest.dropFirst(run.count)
      // In a run of special characters, apostrophes before the first quoted character stay outside the quotes, and later apostrophes go inside the
      // quotes. ICU always reads two apostrophes in a row as one apostrophe.
      let signs = run.drop { $0 == "'" }
      let before = run.count - signs.count
      // A single apostrophe need not be doubled, except before `|` and at the end, where the closing brace of the form follows.
      let isAlone = before == 1 && signs.isEmpty && !rest.isEmpty && rest.first != "|"
      result.append(contentsOf: repeatElement("'", count: isAlone ? 1 : 2 * before))
      guard !signs.isEmpty else { continue }
      result.append("'")
      for sign in signs { result.append(contentsOf: sign == "'" ? ["'", "'"] : [sign]) }
      result.append("'")
    }
    return String(result)
  }

  /// The reason why a text cannot be read as a plural.
  package enum Fault: Error, Hashable, Sendable {
    /// The text is not exactly one plural.
    case notPlural
    /// The plural has an offset, such as `offset:1`. ICU then determines the category from the number minus the offset, which catalogs do not support.
    case offset(String)
  }

  /// Reads the forms of plural categories. Forms of exact numbers (`=0`) are left out.
  /// - Returns: the forms; `nil` unless the whole text is one plural without an offset.
  package static func read(_ text: String) -> [PluralCategory: String]? { try? forms(text) }

  /// Reads the forms of plural categories, as `read` does.
  package static func forms(_ text: String) throws(Fault) -> [PluralCategory: String] {
    var reader = Reader(text)
    reader.skipSpace()
    guard reader.take("{"), reader.word() != nil, reader.take(","), reader.word() == "plural", reader.take(",") else {
      throw .notPlural
    }
    if let offset = reader.offset() {
      guard let number = Double(offset) else { throw .notPlural }
      guard number == 0 else { throw .offset(offset) }
    }
    var forms: [PluralCategory: String] = [:]
    while !reader.take("}") {
      guard let selector = reader.word(), !selector.contains(":"), reader.take("{"), let form = reader.form() else {
        throw .notPlural
      }
      if !selector.hasPrefix("=") { forms[PluralCategory(rawValue: selector)] = form }
      reader.skipSpace()
    }
    guard reader.isAtEnd else { throw .notPlural }
    return forms
  }

  private struct Reader {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) { rest = Substring(text).unicodeScalars }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skipSpace() { rest = rest.drop { $0.properties.isWhitespace } }

    /// Consumes the given character and the white space after it. White space after an opening brace is kept.
    /// - Returns: whether the next character was this one.
    mutating func take(_ sign: Unicode.Scalar) -> Bool {
      guard rest.first == sign else { return false }
      rest.removeFirst()
      if sign != "{" { skipSpace() }
      return true
    }

    /// Reads a name and the white space around it; returns `nil` if there is no name.
    mutating func word() -> String? {
      skipSpace()
      let word = rest.prefix { !$0.properties.isWhitespace && !"{},".unicodeScalars.contains($0) }
      rest = rest.dropFirst(word.count)
      skipSpace()
      return word.isEmpty ? nil : String(word)
    }

    /// Reads `offset:` with its number, which may precede the first form. Returns the number, or `nil` if there is no offset.
    mutating func offset() -> String? {
      let mark = "offset:".unicodeScalars
      guard rest.starts(with: mark) else { return nil }
      rest = rest.dropFirst(mark.count)
      skipSpace()
      let number = rest.prefix { "+-.0123456789".unicodeScalars.contains($0) }
      rest = rest.dropFirst(number.count)
      skipSpace()
      return String(number)
    }

    /// Reads the text up to the brace that ends the form, and removes the quotes. Returns `nil` if the brace or a closing quote is missing.
    mutating func form() -> String? {
      var text = String.UnicodeScalarView()
      var depth = 0
      while let scalar = rest.popFirst() {
        switch scalar {
        case "'" where rest.first == "'":
          rest.removeFirst()
          text.append("'")
        case "'" where rest.first.map("{}#".unicodeScalars.contains) == true:
          guard takeQuoted(into: &text) else { return nil }
        case "{":
          depth += 1
          text.append(scalar)
        case "}":
          guard depth > 0 else { return String(text) }
          depth -= 1
          text.append(scalar)
        default: text.append(scalar)
        }
      }
      return nil
    }

    private mutating func takeQuoted(into text: inout String.UnicodeScalarView) -> Bool {
      while let scalar = rest.popFirst() {
        guard scalar == "'" else {
          text.append(scalar)
          continue
        }
        guard rest.first == "'" else { return true }
        rest.removeFirst()
        text.append("'")
      }
      return false
    }
  }
}
