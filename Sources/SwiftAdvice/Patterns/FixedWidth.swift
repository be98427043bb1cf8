import Localization
import SwiftSyntax

/// The pattern `Text("Settings").frame(width: 80)`. A longer translation is cut off.
enum FixedWidth {
  /// The maximum width in points of frames that are reported. Texts wrap in wider frames.
  private static let mostPoints = 150.0
  /// The width in points that each letter of the source text needs in controls, with space for longer translations.
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

  /// Returns the literal of the `Text` to which a modifier is applied; `nil` for another view.
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
