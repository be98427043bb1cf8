import SwiftSyntax

extension ManifestInterpreter {
  /// Returns the clauses of an `#if` to evaluate: one clause or none if the conditions can be decided, otherwise all.
  func chosenClauses(of block: IfConfigDeclSyntax) -> (clauses: [IfConfigClauseSyntax], isCertain: Bool) {
    for clause in block.clauses {
      guard let condition = clause.condition else { return ([clause], true) }
      switch holds(condition) {
      case true?: return ([clause], true)
      case false?: continue
      case nil: return (Array(block.clauses), false)
      }
    }
    return ([], true)
  }

  /// Returns whether a condition holds for Xcode's manifest compiler: on macOS, with a current compiler, without user-defined flags. Returns `nil` if
  /// this is unknown.
  private func holds(_ condition: ExprSyntax) -> Bool? {
    if let name = condition.as(DeclReferenceExprSyntax.self)?.baseName.text {
      return name == "SWIFT_PACKAGE" ? nil : false
    }
    if let literal = condition.as(BooleanLiteralExprSyntax.self) { return literal.literal.tokenKind == .keyword(.true) }
    if let negation = condition.as(PrefixOperatorExprSyntax.self), negation.operator.text == "!" {
      return holds(negation.expression).map { !$0 }
    }
    if let tuple = condition.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
      return holds(only.expression)
    }
    if let sequence = condition.as(SequenceExprSyntax.self) { return holds(Array(sequence.elements)) }
    guard let call = condition.as(FunctionCallExprSyntax.self), let argument = call.arguments.first?.expression,
      let function = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
    else { return nil }
    switch function {
    case "os": return ["macOS", "OSX"].contains(argument.trimmedDescription)
    case "canImport":
      switch argument.trimmedDescription {
      case "Darwin", "Foundation", "ObjectiveC", "PackageDescription", "AppKit", "SwiftUI", "Combine": return true
      case "Glibc", "Musl", "WinSDK", "Android", "Bionic", "WASILibc", "FoundationNetworking", "UIKit": return false
      default: return nil
      }
    case "swift", "compiler":
      guard let sign = argument.as(PrefixOperatorExprSyntax.self) else { return nil }
      let major = sign.expression.trimmedDescription.split(separator: ".").first.flatMap { Int($0) }
      guard let major, major < 6 else { return nil }
      return sign.operator.text == ">=" ? true : sign.operator.text == "<" ? false : nil
    default: return nil
    }
  }

  private func holds(_ parts: [ExprSyntax]) -> Bool? {
    if parts.count == 1 { return holds(parts[0]) }
    for sign in ["||", "&&"] {
      guard let index = parts.lastIndex(where: { $0.as(BinaryOperatorExprSyntax.self)?.operator.text == sign }),
        index > 0, index + 1 < parts.count
      else { continue }
      let (left, right) = (holds(Array(parts[..<index])), holds(Array(parts[(index + 1)...])))
      let decisive = sign == "||"
      if left == decisive || right == decisive { return decisive }
      return left == nil || right == nil ? nil : !decisive
    }
    return nil
  }
}
