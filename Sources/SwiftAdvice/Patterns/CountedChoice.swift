import Localization
import SwiftSyntax

/// The pattern `count == 1 ? "1 file" : "\(count) files"`, as a conditional expression, `if` or `switch`. Other languages have more plural forms.
enum CountedChoice {
  static func find(in sequence: SequenceExprSyntax, of source: ReviewedSource) -> CodePattern? {
    let elements = Array(sequence.elements)
    guard let index = elements.firstIndex(where: { $0.is(UnresolvedTernaryExprSyntax.self) }),
      elements.count == index + 2, comparesWithOne(elements[..<index]),
      let one = elements[index].as(UnresolvedTernaryExprSyntax.self)?.thenExpression.ownLiteral,
      let other = elements[index + 1].ownLiteral
    else { return nil }
    let isLocalized = source.isLocalized(one) || source.isLocalized(other) || isInLocalizedText(sequence, of: source)
    guard isLocalized, Prose.isSameInOtherNumber(one.shownText, other.shownText), !saysMore(one, other) else {
      return nil
    }
    // A heading such as “Comment” or “Comments” shows no number.
    let showsNumber = [one, other].contains {
      shows(elements[..<index], $0) || $0.shownText.contains { $0 == "%" || $0.isNumber }
    }
    guard showsNumber || isInLocalizedText(sequence, of: source) else { return nil }
    return source.pattern(.countedChoice, at: one, text(one, other))
  }

  static func find(in node: IfExprSyntax, of source: ReviewedSource) -> CodePattern? {
    guard node.conditions.count == 1, case .expression(let condition)? = node.conditions.first?.condition,
      let sequence = condition.as(SequenceExprSyntax.self), comparesWithOne(Array(sequence.elements)[...]),
      case .codeBlock(let otherwise)? = node.elseBody, let one = onlyText(in: node.body.statements, of: source),
      let other = onlyText(in: otherwise.statements, of: source),
      shows(Array(sequence.elements)[...], other) || other.shownText.contains("%"),
      Prose.isSameInOtherNumber(one.shownText, other.shownText)
    else { return nil }
    return source.pattern(.countedChoice, at: one, text(one, other))
  }

  static func find(in node: SwitchExprSyntax, of source: ReviewedSource) -> CodePattern? {
    var one: StringLiteralExprSyntax?
    var other: StringLiteralExprSyntax?
    for element in node.cases {
      guard let part = element.as(SwitchCaseSyntax.self) else { continue }
      switch part.label {
      case .default: other = onlyText(in: part.statements, of: source)
      case .case(let label):
        let patterns = label.caseItems.map { $0.pattern.trimmedDescription }
        // If there is a case for a number above 1, the numbers are probably identifiers, for example of buttons or weekdays.
        if patterns.contains(where: { (Int($0) ?? 0) > 1 }) { return nil }
        if patterns == ["1"] { one = onlyText(in: part.statements, of: source) }
      }
    }
    // If the default text does not contain the number, the switch most likely distinguishes states instead of counts.
    guard let one, let other, other.hasInterpolation || other.shownText.contains("%"),
      Prose.isSameInOtherNumber(one.shownText, other.shownText)
    else { return nil }
    return source.pattern(.countedChoice, at: one, text(one, other))
  }

  /// Returns whether the text for the number one shows a value that the other text does not show, as in “Remove the folder Birds?” and “Remove 3
  /// folders?”.
  private static func saysMore(_ one: StringLiteralExprSyntax, _ other: StringLiteralExprSyntax) -> Bool {
    let values = { (literal: StringLiteralExprSyntax) in
      Set(literal.segments.compactMap { $0.as(ExpressionSegmentSyntax.self)?.expressions.trimmedDescription })
    }
    return !one.shownText.contains(where: \.isNumber) && !values(one).isSubset(of: values(other))
  }

  /// Returns whether a text interpolates the value that a condition compares, or a value whose name suggests a number.
  private static func shows(_ condition: ArraySlice<ExprSyntax>, _ literal: StringLiteralExprSyntax) -> Bool {
    let compared = condition.dropLast(2).map(\.trimmedDescription).joined()
    return literal.segments.contains { segment in
      guard let value = segment.as(ExpressionSegmentSyntax.self)?.expressions.trimmedDescription else { return false }
      let isCount = ["count", "number", "total"].contains { value.lowercased().contains($0) }
      return !compared.isEmpty && value.contains(compared) || compared.contains(value) || isCount
    }
  }

  private static func text(_ one: StringLiteralExprSyntax, _ other: StringLiteralExprSyntax) -> String {
    one.shownText.isEmpty ? other.shownText : one.shownText
  }

  /// Returns whether a condition ends with `== 1`, `!= 1`, `> 1`, `<= 1`, `< 2` or `>= 2`.
  private static func comparesWithOne(_ elements: ArraySlice<ExprSyntax>) -> Bool {
    guard elements.count >= 3, let number = elements.last?.as(IntegerLiteralExprSyntax.self)?.literal.text,
      let sign = elements.dropLast().last?.as(BinaryOperatorExprSyntax.self)?.operator.text
    else { return false }
    return number == "1" && ["==", "!=", ">", "<="].contains(sign) || number == "2" && ["<", ">="].contains(sign)
  }

  private static func isInLocalizedText(_ node: SequenceExprSyntax, of source: ReviewedSource) -> Bool {
    guard let segment = node.parent?.parent?.parent?.as(ExpressionSegmentSyntax.self),
      let literal = segment.parent?.parent?.as(StringLiteralExprSyntax.self)
    else { return false }
    return source.isLocalized(literal)
  }

  /// Returns the localized literal of a branch that is one statement; `nil` if the branch has several statements, no or several localized literals,
  /// or another condition that decides whether the literal is shown.
  private static func onlyText(
    in statements: CodeBlockItemListSyntax, of source: ReviewedSource
  ) -> StringLiteralExprSyntax? {
    guard statements.count == 1 else { return nil }
    let search = LocalizedLiterals(source)
    search.walk(statements)
    guard let only = search.found.first, search.found.count == 1, !isConditional(only, in: statements) else {
      return nil
    }
    return only
  }

  /// Returns whether a literal is in a branch of an `if`, `switch` or conditional expression inside the statements.
  private static func isConditional(
    _ literal: StringLiteralExprSyntax, in statements: CodeBlockItemListSyntax
  ) -> Bool {
    var next = Syntax(literal).parent
    while let node = next, node.id != statements.id {
      if node.is(IfExprSyntax.self) || node.is(SwitchExprSyntax.self) { return true }
      // The last branch of a conditional expression is an element of the sequence itself.
      if let sequence = node.as(SequenceExprSyntax.self),
        sequence.elements.contains(where: { $0.is(UnresolvedTernaryExprSyntax.self) })
      {
        return true
      }
      next = node.parent
    }
    return false
  }

  private final class LocalizedLiterals: SyntaxVisitor {
    private let source: ReviewedSource
    private(set) var found: [StringLiteralExprSyntax] = []

    init(_ source: ReviewedSource) {
      self.source = source
      super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
      if source.isLocalized(node) { found.append(node) }
      return found.count > 1 ? .skipChildren : .visitChildren
    }
  }
}
