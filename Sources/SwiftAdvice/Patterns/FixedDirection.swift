import Localization
import SwiftSyntax

/// The pattern `label.textAlignment = .left`, and other fixed directions such as constraints on `leftAnchor`. Layouts are mirrored in Arabic and
/// Hebrew, but a fixed direction is not.
enum FixedDirection {
  private static let alignments: Set<String> = ["textAlignment", "contentHorizontalAlignment", "alignment"]

  static func find(in assignment: Assignment, of source: ReviewedSource) -> CodePattern? {
    guard let value = assignment.value.as(MemberAccessExprSyntax.self) else { return nil }
    let name = value.declName.baseName.text
    if alignments.contains(assignment.member), name == "left" || name == "right", !drawsByItself(source),
      !source.mentions("rightToLeft"), !isDeclared(assignment, in: source),
      !isPlacedBySide(assignment, value)
    {
      return source.pattern(
        .fixedDirection, at: value, "\(assignment.member) = .\(name)", fix: fix(of: assignment, value, of: source))
    }
    // Code that forces left to right is intentional, as for numbers and names of products.
    guard assignment.member == "semanticContentAttribute", name == "forceRightToLeft" else { return nil }
    return source.pattern(.fixedDirection, at: value, "\(assignment.member) = .\(name)")
  }

  private static let sides = [".left,", ".left)", ".leftAnchor", ".right,", ".right)", ".rightAnchor"]

  /// Returns whether the same statements also place the view to the left or right of other views. The alignment then fits the fixed position.
  private static func isPlacedBySide(_ assignment: Assignment, _ value: MemberAccessExprSyntax) -> Bool {
    guard let view = assignment.target.base?.trimmedDescription else { return false }
    var next = Syntax(value).parent
    while let node = next {
      if let statements = node.as(CodeBlockItemListSyntax.self) {
        return statements.contains { statement in
          let text = statement.trimmedDescription
          guard text.hasPrefix("\(view)."), !text.hasPrefix("\(view).\(assignment.member)") else { return false }
          return sides.contains { text.contains($0) }
        }
      }
      next = node.parent
    }
    return false
  }

  /// Returns whether the file draws or places views by their coordinates, which are the same in all languages.
  private static func drawsByItself(_ source: ReviewedSource) -> Bool {
    source.mentions("Rect(x:") || source.mentions("frame.origin.x") || source.mentions("func draw(")
  }

  /// Finds constraints on left and right anchors, symbols such as `chevron.right`, and views with a fixed layout direction.
  static func find(in call: FunctionCallExprSyntax, of source: ReviewedSource) -> CodePattern? {
    if let pattern = symbol(in: call, of: source) ?? environment(in: call, of: source) { return pattern }
    guard call.calledName == "constraint",
      let anchor = call.calledExpression.as(MemberAccessExprSyntax.self)?.base?.as(MemberAccessExprSyntax.self)
    else { return nil }
    let name = anchor.declName.baseName.text
    guard name == "leftAnchor" || name == "rightAnchor", !fills(anchor, beside: call) else { return nil }
    return source.pattern(.fixedDirection, at: anchor.declName, name)
  }

  /// Returns whether the same function also constrains the opposite side. A view that fills another view is the same when it is mirrored.
  private static func fills(_ anchor: MemberAccessExprSyntax, beside call: FunctionCallExprSyntax) -> Bool {
    guard let view = anchor.base?.trimmedDescription else { return false }
    let opposite = anchor.declName.baseName.text == "leftAnchor" ? "rightAnchor" : "leftAnchor"
    var next = Syntax(call).parent
    while let node = next {
      if node.is(ArrayElementListSyntax.self) || node.is(CodeBlockItemListSyntax.self) {
        if node.trimmedDescription.contains("\(view).\(opposite)") { return true }
      }
      if node.is(FunctionDeclSyntax.self) || node.is(InitializerDeclSyntax.self) || node.is(AccessorDeclSyntax.self) {
        return false
      }
      next = node.parent
    }
    return false
  }

  /// Finds `Image(systemName: "chevron.right")`. Symbols named `forward` or `backward` are mirrored; symbols named `left` or `right` are not.
  private static func symbol(in call: FunctionCallExprSyntax, of source: ReviewedSource) -> CodePattern? {
    guard call.calledName == "Image" || call.calledName == "UIImage" || call.calledName == "Label",
      let argument = call.argument("systemName") ?? call.argument("systemImage"),
      let literal = argument.expression.as(StringLiteralExprSyntax.self), !literal.hasInterpolation,
      ["chevron.right", "chevron.left"].contains(literal.shownText), !source.mentions("RightToLeft")
    else { return nil }
    return source.pattern(.fixedDirection, at: literal, literal.shownText)
  }

  /// Finds `.environment(\.layoutDirection, .rightToLeft)`.
  private static func environment(in call: FunctionCallExprSyntax, of source: ReviewedSource) -> CodePattern? {
    guard call.calledName == "environment", call.arguments.count == 2,
      call.arguments.first?.expression.trimmedDescription == "\\.layoutDirection",
      let value = call.arguments.last?.expression.as(MemberAccessExprSyntax.self),
      // Left to right is intentional for code, addresses and numbers.
      value.declName.baseName.text == "rightToLeft",
      // Code that also sets the locale is for one language.
      !source.mentions("\\.locale,")
    else { return nil }
    return source.pattern(.fixedDirection, at: value, "layoutDirection = .\(value.declName.baseName.text)")
  }

  /// Returns whether the file itself declares a property with the name of the assigned member.
  private static func isDeclared(_ assignment: Assignment, in source: ReviewedSource) -> Bool {
    switch assignment.member {
    case "textAlignment": source.mentions("var textAlignment")
    case "contentHorizontalAlignment": source.mentions("var contentHorizontalAlignment")
    default: source.mentions("var alignment")
    }
  }

  /// Properties of UIKit whose values are labels.
  private static let known: Set<String> = ["textLabel", "detailTextLabel", "titleLabel"]

  /// Returns whether the file shows that a name always means a label, text field or text view of UIKit. The property `textAlignment` of another type
  /// may have no value `.natural`.
  private static func isLabel(_ name: String, _ uses: AlignmentUses, in source: ReviewedSource) -> Bool {
    guard let declarations = uses.declarations[name] else {
      return known.contains(name) || source.labelNames.contains(name)
    }
    return declarations.count == 1 ? source.labelNames.contains(name) : declarations.allSatisfy { $0 }
  }

  /// Returns the fix for `.left`, if there is one. `.natural` is `.left` in left-to-right languages. There is no such fix for `.right`.
  ///
  /// Code that chooses between `.left` and `.right`, reads the alignment or forces left to right may need `.left` itself, so it gets no fix.
  private static func fix(
    of assignment: Assignment, _ value: MemberAccessExprSyntax, of source: ReviewedSource
  ) -> CodeFix? {
    guard assignment.member == "textAlignment", value.declName.baseName.text == "left",
      !source.mentions("forceLeftToRight"), let view = AlignmentUses.name(of: assignment.target.base)
    else { return nil }
    let uses = source.alignmentUses(value)
    guard !uses.isRead, !uses.right.contains(view), isLabel(view, uses, in: source) else { return nil }
    let name = value.declName.baseName
    return CodeFix(
      range: name.positionAfterSkippingLeadingTrivia.utf8Offset..<name.endPositionBeforeTrailingTrivia.utf8Offset,
      replacement: "natural")
  }
}
