import Localization
import SwiftSyntax

/// The pattern `Text("Sent by") + Text(" ") + Text("the team")`. Translators see each part of the sentence separately.
enum JoinedTexts {
  private static let texts: Set<String> = ["Text", "String", "AttributedString", "NSLocalizedString"]

  static func find(in sequence: SequenceExprSyntax, of source: ReviewedSource) -> CodePattern? {
    let elements = Array(sequence.elements)
    guard elements.contains(where: { $0.as(BinaryOperatorExprSyntax.self)?.operator.text == "+" }) else { return nil }
    var first: StringLiteralExprSyntax?
    for element in elements {
      if let sign = element.as(BinaryOperatorExprSyntax.self) {
        // Any other operator, such as `==`, ends the joined text.
        if sign.operator.text != "+" { first = nil }
        continue
      }
      let operand = element.withoutModifiers
      guard let literal = operand.ownLiteral else { continue }
      // A line break ends the sentence.
      if ["\n", "\\n"].contains(where: { literal.shownText.contains($0) }) {
        first = nil
        continue
      }
      let isText = operand.as(FunctionCallExprSyntax.self).map { texts.contains($0.calledName ?? "") } ?? false
      guard isText, source.isLocalized(literal) else { continue }
      let text = literal.shownText
      guard !Prose.words(of: text).isEmpty else { continue }
      if beginsAnew(text) { first = nil }
      if let first { return source.pattern(.joinedTexts, at: first, first.shownText) }
      first = endsSentence(text) ? nil : literal
    }
    return nil
  }

  /// Returns whether a text ends with a mark after which a separate text begins, such as a period, a colon or a dash.
  private static func endsSentence(_ text: String) -> Bool {
    guard let last = text.last(where: { !$0.isWhitespace }) else { return false }
    return ".!?:–—。！？".contains(last) || text.hasSuffix(" - ") || text.hasSuffix(" -")
  }

  /// Returns whether a text does not continue the preceding sentence. Such a text is, for example, a definition after its term, as “ – finds birds”
  /// after “Scout”, or a part in parentheses.
  private static func beginsAnew(_ text: String) -> Bool {
    let start = text.drop(while: \.isWhitespace)
    guard let mark = start.first else { return false }
    return ":–—•·|(（".contains(mark) || start.hasPrefix("- ")
  }
}
