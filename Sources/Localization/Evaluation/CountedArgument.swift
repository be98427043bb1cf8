/// The argument that the plural forms of a whole text count: `%lld birds in %@` counts its first.
package struct CountedArgument: Hashable, Sendable {
  /// From 1.
  package var number: Int
  /// Its specifier without `%`: `lld`.
  package var specifier: String

  /// The number with the lowest place of all that the forms show; where none shows one, that of the source text's forms,
  /// then of the key, as code passes what the key names. `nil` where nothing tells one.
  ///
  /// As Xcode's compiler infers it (observed in its output: the position and type of the forms' own specifier).
  package init?(countedBy text: VariedText, source: SourceForms?) {
    var texts = [VariedText.pluralTexts(of: text)]
    if let source {
      texts.append(VariedText.pluralTexts(of: source.translation.text))
      texts.append([source.key.text])
    }
    for candidates in texts {
      guard let found = Self.counted(in: candidates) else { continue }
      self = found
      return
    }
    return nil
  }

  /// Whether a form of the text shows a number; `%@` is none.
  package static func isShown(in text: VariedText) -> Bool { counted(in: VariedText.pluralTexts(of: text)) != nil }

  /// The other arguments that are numbers and written as the counted one: then it cannot be told which one counts.
  package func isAmbiguous(in text: VariedText) -> Bool {
    VariedText.pluralTexts(of: text).contains { text in
      Self.numbers(in: text).contains { $0.number != number && $0.specifier.isExactly(specifier) }
    }
  }

  private init(number: Int, specifier: String) {
    self.number = number
    self.specifier = specifier
  }

  private static func counted(in texts: [String]) -> CountedArgument? {
    for text in texts {
      if let first = numbers(in: text).min(by: { $0.number < $1.number }) { return first }
    }
    return nil
  }

  private static func numbers(in text: String) -> [CountedArgument] {
    FormatString(text).parts.compactMap { part in
      guard case .specifier(let argument, let rest) = part, argument.type.isNumber,
        let specifier = FormatSpecifier(rest)
      else { return nil }
      return CountedArgument(
        number: argument.number, specifier: specifier.length + String(Unicode.Scalar(specifier.conversion)))
    }
  }
}

extension VariedText {
  /// The texts of all plural forms, `other` first.
  fileprivate static func pluralTexts(of text: VariedText) -> [String] {
    switch text {
    case .text(let unit): [unit.value]
    case .phrases: []
    case .device(let forms): forms.sorted { $0.key < $1.key }.flatMap { pluralTexts(of: $1) }
    case .plural(let forms):
      forms.sorted { a, b in
        a.key == .other ? b.key != .other : b.key != .other && PluralCategory.precedes(a.key, b.key)
      }.flatMap { pluralTexts(of: $1) }
    }
  }
}
