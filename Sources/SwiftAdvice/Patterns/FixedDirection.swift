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

  /// Constraints on left and right anchors.
  static func find(in call: FunctionCallExprSyntax, of source: ReviewedSource) -> CodePattern? {
    guard call.calledName == "constraint",
      let anchor = call.calledExpression.as(MemberAccessExprSyntax.self)?.base?.as(MemberAccessExprSyntax.self)
    else { return nil }
    let name = anchor.declName.baseName.text
    guard name == "leftAnchor" || name == "rightAnchor" else { return nil }
    return source.pattern(.fixedDirection, at: anchor.declName, name)
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
