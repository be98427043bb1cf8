extension ExchangeText {
  /// The text as an XML file carries it: characters that XML cannot hold (`U+0003`, in catalogs now and then) come out of an export,
  /// and back, as `U+FFFD`. A text that differs in nothing else came back as it was.
  package var carried: ExchangeText {
    switch self {
    case .text(let text): .text(text.carriedByXML)
    case .phrases(let phrases): .phrases(phrases.map(\.carriedByXML))
    }
  }
}

extension String {
  var carriedByXML: String {
    // U+FFFE and U+FFFF begin with this byte.
    guard utf8.contains(where: { $0 < 0x20 || $0 == 0xEF }), unicodeScalars.contains(where: \.isBeyondXML) else {
      return self
    }
    var scalars = UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.map { $0.isBeyondXML ? "\u{FFFD}" : $0 })
    return String(scalars)
  }
}

extension Unicode.Scalar {
  /// XML 1.0, production 2.
  fileprivate var isBeyondXML: Bool {
    value < 0x20 ? value != 0x09 && value != 0x0A && value != 0x0D : value == 0xFFFE || value == 0xFFFF
  }
}
