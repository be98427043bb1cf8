/// An argument of a message: a text or a whole number.
package protocol MessageArgument: Sendable {
  var messageText: String { get }
  var messageNumber: Int? { get }
}

extension String: MessageArgument {
  package var messageText: String { self }
  package var messageNumber: Int? { nil }
}

extension Int: MessageArgument {
  package var messageText: String { String(self) }
  package var messageNumber: Int? { self }
}

extension Catalog {
  /// Returns a message in a language, with its placeholders filled. The first number selects the plural form.
  /// - Parameter english: the message in English, which is its key.
  /// - Returns: `nil` if the message is not translated, or if its placeholders do not match the arguments.
  package func message(
    _ english: String, in language: LocaleIdentifier, _ arguments: [any MessageArgument]
  ) -> String? {
    guard let translation = entries[UnitKey(english)]?.translations[language] else { return nil }
    switch translation.text {
    case .text(let unit) where unit.state != .new: return MessageText.filled(unit.value, with: arguments)
    case .plural(let forms):
      let number = arguments.lazy.compactMap(\.messageNumber).first ?? 0
      let category = PluralRules.category(of: number, in: language)
      guard case .text(let unit)? = forms[category] ?? forms[.other] else { return nil }
      return MessageText.filled(unit.value, with: arguments)
    default: return nil
    }
  }
}

package enum MessageText {
  /// Returns a text with its placeholders filled: `%@` and `%lld`, with or without positions (`%2$@`). `%%` becomes `%`.
  /// - Returns: `nil` if a placeholder has no argument, or if a `%` does not begin a supported placeholder. Without arguments, the text is returned
  ///   unchanged, including every `%%`.
  package static func filled(_ text: String, with arguments: [any MessageArgument]) -> String? {
    guard !arguments.isEmpty else { return text }
    var result = ""
    var rest = Substring(text)
    var next = 0
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      if rest.first == "%" {
        result += "%"
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      if let position = Int(digits), rest.dropFirst(digits.count).first == "$" {
        next = position - 1
        rest = rest.dropFirst(digits.count + 1)
      }
      guard let specifier = ["@", "lld"].first(where: { rest.hasPrefix($0) }), arguments.indices.contains(next) else {
        return nil
      }
      result += arguments[next].messageText
      next += 1
      rest = rest.dropFirst(specifier.count)
    }
    return result + String(rest)
  }
}
