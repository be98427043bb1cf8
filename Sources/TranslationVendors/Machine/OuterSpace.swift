internal import Localization

extension String {
  /// Returns the text with the leading and trailing white space of the source text, because engines add or drop white space. If the source text is
  /// only white space, the text is returned unchanged.
  func withOuterSpace(of source: String) -> String {
    guard !source.allSatisfy(\.isWhitespace) else { return self }
    let start = source.prefix(while: \.isWhitespace)
    let end = String(source.reversed().prefix(while: \.isWhitespace).reversed())
    return start + withoutOuterSpace + end
  }
}
