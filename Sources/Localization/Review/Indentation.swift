/// Support for tools that reformat XML. Such tools put the texts of `<source>` and `<target>` on separate lines and indent them.
extension GroupReview {
  /// Returns the unit without the line breaks and indentation that a tool added at the ends of the translation. The white space at an end is replaced
  /// with that of the catalog's source text if the translation and the returned `<source>` have line breaks there, and if the white space of
  /// `<source>` differs from the catalog's.
  func withoutIndentation(_ unit: ExchangeUnit) -> ExchangeUnit {
    guard case .text(let given)? = unit.source, given.first?.isNewline == true || given.last?.isNewline == true,
      case .text(let text)? = unit.target?.text, case .text(let original) = source.text(at: unit.path)
    else { return unit }
    var unit = unit
    var result = text[...]
    let (sent, wanted, own) = (given.outerSpace, original.outerSpace, text.outerSpace)
    if sent.leading.contains(where: \.isNewline), !sent.leading.elementsEqual(wanted.leading),
      own.leading.contains(where: \.isNewline)
    {
      result = wanted.leading + result.dropFirst(own.leading.count)
    }
    if sent.trailing.contains(where: \.isNewline), !sent.trailing.elementsEqual(wanted.trailing),
      own.trailing.contains(where: \.isNewline)
    {
      result = result.dropLast(own.trailing.count) + wanted.trailing
    }
    unit.target?.text = .text(String(result))
    return unit
  }
}

extension String {
  /// The white space at both ends. If the text is only white space, all of it is `leading`.
  fileprivate var outerSpace: (leading: Substring, trailing: Substring) {
    let leading = prefix { $0.isWhitespace }
    let rest = self[leading.endIndex...]
    return (leading, rest.suffix(rest.reversed().prefix { $0.isWhitespace }.count))
  }
}
