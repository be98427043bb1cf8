import Localization
import SwiftSyntax

/// `label.textAlignment = .left`: layouts are mirrored in Arabic and Hebrew, but this part is not.
enum FixedDirection {
  private static let alignments: Set<String> = ["textAlignment", "contentHorizontalAlignment", "alignment"]
  private static let directions: Set<String> = ["forceLeftToRight", "forceRightToLeft"]

  static func find(in assignment: Assignment, of source: ReviewedSource) -> CodePattern? {
    guard let value = assignment.value.as(MemberAccessExprSyntax.self) else { return nil }
    let name = value.declName.baseName.text
    if alignments.contains(assignment.member), name == "left" || name == "right" {
      return source.pattern(
        .fixedDirection, at: value, "\(assignment.member) = .\(name)", fix: fix(of: assignment, value, of: source))
    }
    guard assignment.member == "semanticContentAttribute", directions.contains(name) else { return nil }
    return source.pattern(.fixedDirection, at: value, "\(assignment.member) = .\(name)")
  }

  /// Constraints on left and right anchors, symbols such as `chevron.right`, and views with a fixed layout direction.
  static func find(in call: FunctionCallExprSyntax, of source: ReviewedSource) -> CodePattern? {
    if let pattern = symbol(in: call, of: source) ?? environment(in: call, of: source) { return pattern }
    guard call.calledName == "constraint",
      let anchor = call.calledExpression.as(MemberAccessExprSyntax.self)?.base?.as(MemberAccessExprSyntax.self)
    else { return nil }
    let name = anchor.declName.baseName.text
    guard name == "leftAnchor" || name == "rightAnchor" else { return nil }
    return source.pattern(.fixedDirection, at: anchor.declName, name)
  }

  /// `Image(systemName: "chevron.right")`: the symbols with `forward` and `backward` are mirrored, those with a side are not.
  private static func symbol(in call: FunctionCallExprSyntax, of source: ReviewedSource) -> CodePattern? {
    guard call.calledName == "Image" || call.calledName == "UIImage" || call.calledName == "Label",
      let argument = call.argument("systemName") ?? call.argument("systemImage"),
      let literal = argument.expression.as(StringLiteralExprSyntax.self), !literal.hasInterpolation,
      ["chevron.right", "chevron.left"].contains(literal.shownText), !source.mentions("RightToLeft")
    else { return nil }
    return source.pattern(.fixedDirection, at: literal, literal.shownText)
  }

  /// `.environment(\.layoutDirection, .leftToRight)`.
  private static func environment(in call: FunctionCallExprSyntax, of source: ReviewedSource) -> CodePattern? {
    guard call.calledName == "environment", call.arguments.count == 2,
      call.arguments.first?.expression.trimmedDescription == "\\.layoutDirection",
      let value = call.arguments.last?.expression.as(MemberAccessExprSyntax.self),
      ["leftToRight", "rightToLeft"].contains(value.declName.baseName.text)
    else { return nil }
    return source.pattern(.fixedDirection, at: value, "layoutDirection = .\(value.declName.baseName.text)")
  }

  /// `.natural` is `.left` in left-to-right languages. Nothing corresponds to `.right`.
  private static func fix(
    of assignment: Assignment, _ value: MemberAccessExprSyntax, of source: ReviewedSource
  ) -> CodeFix? {
    guard assignment.member == "textAlignment", value.declName.baseName.text == "left" else { return nil }
    let name = value.declName.baseName
    return CodeFix(
      range: name.positionAfterSkippingLeadingTrivia.utf8Offset..<name.endPositionBeforeTrailingTrivia.utf8Offset,
      replacement: "natural")
  }
}
