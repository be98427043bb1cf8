import Localization
import SwiftSyntax

/// `Text("Settings").frame(width: 80)`: a translation, or a pseudolanguage of double length, is cut off.
enum FixedWidth {
  /// In a wider frame texts wrap.
  private static let mostPoints = 150.0
  /// The width of a letter in the longer translations of a text, at the size of controls.
  private static let pointsOfLetter = 12.0

  static func find(in call: FunctionCallExprSyntax, of source: ReviewedSource) -> CodePattern? {
    guard call.calledName == "frame", let width = call.argument("width")?.expression,
      let points = Double(width.trimmedDescription), points < mostPoints,
      let literal = text(under: call), source.isLocalized(literal),
      Prose.words(of: literal.shownText).contains(where: { $0.count > 3 }),
      points < pointsOfLetter * Double(literal.shownText.count),
      !source.mentions("minimumScaleFactor")
    else { return nil }
    return source.pattern(.fixedWidth, at: literal, literal.shownText)
  }

  /// Returns the literal of the `Text` to which a call of modifiers belongs; `nil` if it belongs to another view.
  private static func text(under call: FunctionCallExprSyntax) -> StringLiteralExprSyntax? {
    var expression = ExprSyntax(call)
    while let next = expression.as(FunctionCallExprSyntax.self),
      let base = next.calledExpression.as(MemberAccessExprSyntax.self)?.base
    {
      expression = base
    }
    guard let view = expression.as(FunctionCallExprSyntax.self), view.calledName == "Text" else { return nil }
    return view.ownLiteral
  }
}
