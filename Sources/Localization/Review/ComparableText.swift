extension ExchangeText {
  /// The text as shown to people. Phrases are separated by slashes.
  package var summary: String {
    switch self {
    case .text(let text): text
    case .phrases(let phrases): phrases.joined(separator: " / ")
    }
  }

  /// Whether the text is a harmless format without substitutions or named parameters.
  var isPlainFormat: Bool {
    guard case .text(let text) = self else { return false }
    let format = FormatString(text)
    return format.references.isEmpty && format.names.isEmpty && format.substitutionArguments == 0
      && PlaceholderCheck.isHarmless(text)
  }

  /// The text in the form that is compared with other source texts; phrases are unchanged. Argument numbers are removed, because Xcode adds them.
  /// Characters that XML does not allow are replaced. Surrounding white space is removed and line breaks become line feeds, because XML writers
  /// change both.
  package var comparable: ExchangeText {
    guard case .text(let text) = unnumbered else { return self }
    let lines = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    let trimmed = lines.drop(while: \.isWhitespace)
    guard let end = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return .text("") }
    return .text(String(trimmed[...end]))
  }

  var unnumbered: ExchangeText {
    switch self {
    case .text(let text): .text(FormatString(text.carriedByXML).unnumbered)
    case .phrases: self
    }
  }
}
