internal import Localization

extension String {
  /// The text with the white space that the source text has around it: engines add and drop it.
  func withOuterSpace(of source: String) -> String {
    guard !source.allSatisfy(\.isWhitespace) else { return self }
    let start = source.prefix(while: \.isWhitespace)
    let end = String(source.reversed().prefix(while: \.isWhitespace).reversed())
    return start + withoutOuterSpace + end
  }
}
