extension ExchangeText {
  /// The text after a round trip through XML. Characters that XML does not allow, such as `U+0003`, become `U+FFFD`. Catalogs sometimes contain such
  /// characters. A returned text that differs from the sent text only in these characters counts as unchanged.
  package var carried: ExchangeText {
    switch self {
    case .text(let text): .text(text.carriedByXML)
    case .phrases(let phrases): .phrases(phrases.map(\.carriedByXML))
    }
  }
}

extension String {
  /// The first character that XML does not allow; `nil` if XML allows all characters.
  package var firstBeyondXML: Unicode.Scalar? {
    // U+FFFE and U+FFFF begin with the byte 0xEF.
    guard utf8.contains(where: { $0 < 0x20 || $0 == 0xEF }) else { return nil }
    return unicodeScalars.first(where: \.isBeyondXML)
  }

  var carriedByXML: String {
    guard firstBeyondXML != nil else { return self }
    var scalars = UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.map { $0.isBeyondXML ? "\u{FFFD}" : $0 })
    return String(scalars)
  }
}

extension Unicode.Scalar {
  /// Whether XML 1.0 does not allow the character (production 2).
  fileprivate var isBeyondXML: Bool {
    value < 0x20 ? value != 0x09 && value != 0x0A && value != 0x0D : value == 0xFFFE || value == 0xFFFF
  }
}
