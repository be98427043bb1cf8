import SwiftSyntax

/// The clauses of `#if` that a build of a Swift package compiles. `Bundle.module` exists only in such a build.
enum PackageBuild {
  /// Returns whether a node is in a clause that no build of a package compiles, such as the `#else` of `#if SWIFT_PACKAGE`.
  static func excludes(_ node: some SyntaxProtocol) -> Bool {
    var next = node.parent
    while let parent = next {
      if let clause = parent.as(IfConfigClauseSyntax.self), !mayCompile(clause) { return true }
      next = parent.parent
    }
    return false
  }

  /// Returns whether a build may compile a clause: the clause's condition may hold, and no earlier clause is certainly compiled.
  private static func mayCompile(_ clause: IfConfigClauseSyntax) -> Bool {
    if let condition = clause.condition, value(of: condition) == false { return false }
    guard let clauses = clause.parent?.as(IfConfigClauseListSyntax.self) else { return true }
    return !clauses.prefix { $0.id != clause.id }.contains { $0.condition.map { value(of: $0) == true } ?? false }
  }

  /// Returns the value of a condition in a build of a package; `nil` if it depends on other settings.
  private static func value(of condition: ExprSyntax) -> Bool? {
    if let literal = condition.as(BooleanLiteralExprSyntax.self) { return literal.literal.text == "true" }
    if let name = condition.as(DeclReferenceExprSyntax.self)?.baseName.text { return flags[name] }
    if let negation = condition.as(PrefixOperatorExprSyntax.self), negation.operator.text == "!" {
      return value(of: negation.expression).map { !$0 }
    }
    if let tuple = condition.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
      return value(of: only.expression)
    }
    if let infix = condition.as(InfixOperatorExprSyntax.self) {
      return value(of: [infix.leftOperand, infix.operator, infix.rightOperand])
    }
    return condition.as(SequenceExprSyntax.self).flatMap { value(of: Array($0.elements)) }
  }

  private static let flags = ["SWIFT_PACKAGE": true, "COCOAPODS": false]

  /// Evaluates alternating operands and operators. `&&` binds tighter than `||`.
  private static func value(of elements: [ExprSyntax]) -> Bool? {
    var alternatives: [Bool?] = []
    var current: Bool? = true
    for element in elements {
      if let sign = element.as(BinaryOperatorExprSyntax.self)?.operator.text {
        guard sign == "||" || sign == "&&" else { return nil }
        guard sign == "||" else { continue }
        alternatives.append(current)
        current = true
      } else {
        current = both(current, value(of: element))
      }
    }
    alternatives.append(current)
    if alternatives.contains(true) { return true }
    return alternatives.allSatisfy { $0 == false } ? false : nil
  }

  private static func both(_ first: Bool?, _ second: Bool?) -> Bool? {
    if first == false || second == false { return false }
    return first == true && second == true ? true : nil
  }
}
