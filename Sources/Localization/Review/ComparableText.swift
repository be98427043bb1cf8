extension ExchangeText {
  /// The words for people; phrases are separated by slashes.
  package var summary: String {
    switch self {
    case .text(let text): text
    case .phrases(let phrases): phrases.joined(separator: " / ")
    }
  }

  /// Whether it could be a format without substitutions and named parameters.
  var isPlainFormat: Bool {
    guard case .text(let text) = self else { return false }
    let format = FormatString(text)
    return format.references.isEmpty && format.names.isEmpty && format.substitutionArguments == 0
      && PlaceholderCheck.isHarmless(text)
  }

  /// Whether it has nothing but white space.
  var isBlank: Bool {
    switch self {
    case .text(let text): text.allSatisfy(\.isWhitespace)
    case .phrases(let phrases): phrases.joined().allSatisfy(\.isWhitespace)
    }
  }

  /// As far as two source texts must agree to be one: arguments may be numbered or not, and line ends and the white space around a text
  /// are what XML writers change.
  var comparable: ExchangeText {
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
