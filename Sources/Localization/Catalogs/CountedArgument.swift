/// The argument that selects the plural form of a whole text. In `%lld birds in %@`, it is the first argument.
package struct CountedArgument: Hashable, Sendable {
  /// The number of the argument, counted from 1.
  package var number: Int
  /// The specifier without `%`: `lld`.
  package var specifier: String

  /// Finds the first numeric argument in the forms of the text, or else in the source text's forms, or else in the key, because code passes
  /// the key's arguments. Returns `nil` if there is no numeric argument.
  ///
  /// Xcode's compiler finds the argument in the same way (observed in its output, which contains the argument's position and type).
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

  /// Returns whether a form of the text contains a placeholder for a number. `%@` is no such placeholder.
  package static func isShown(in text: VariedText) -> Bool { counted(in: VariedText.pluralTexts(of: text)) != nil }

  /// Returns whether another argument is a number with the same specifier. If so, the counted argument cannot be identified.
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

extension Translation {
  /// Returns whether Xcode refuses to compile the plural forms of the text because none of them shows the number. If the source text has
  /// plural forms, these are checked instead.
  package func lacksNumber(of source: SourceForms) -> Bool {
    let own = text.pluralNodes
    guard !own.isEmpty else { return false }
    let originals = source.translation.text.pluralNodes
    return !(originals.isEmpty ? own : originals).contains(where: CountedArgument.isShown)
  }
}

extension VariedText {
  /// Every plural in the text: the text itself, or the plurals of its devices.
  package var pluralNodes: [VariedText] {
    switch self {
    case .plural: [self]
    case .device(let forms): forms.sorted { $0.key < $1.key }.flatMap { $0.value.pluralNodes }
    case .text, .phrases: []
    }
  }

  /// Returns all texts except phrases: the text itself, or the texts of all devices and plural forms, with the plural form `other` first.
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

extension Substitution {
  /// The specifier without `%`; `lld` if the substitution has none (observed in the output of Xcode's compiler for forms with `%lld`).
  package var plainSpecifier: String {
    guard let formatSpecifier, !formatSpecifier.isEmpty else { return "lld" }
    return formatSpecifier.utf8.first == UInt8(ascii: "%") ? String(formatSpecifier.dropFirst()) : formatSpecifier
  }
}
