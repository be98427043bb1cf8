@_spi(RawSyntax) import SwiftSyntax

extension FactCompiler {
  /// Lowers an expression.
  /// - Parameter chained: the base of a member access without a written base, inside `#if` in a chain of modifiers.
  func expression(_ node: RawNode?, chained: Expression? = nil) -> Expression {
    guard let node else { return .parts([]) }
    switch node.kind {
    case .stringLiteralExpr, .simpleStringLiteralExpr: return literal(node)
    case .integerLiteralExpr: return .integer
    case .floatLiteralExpr: return .float
    case .booleanLiteralExpr: return .boolean
    case .nilLiteralExpr: return .null
    case .declReferenceExpr: return .name(text(node.child(1)), [])
    case .superExpr: return .name("super", [])
    case .genericSpecializationExpr: return specialized(node, chained: chained)
    case .memberAccessExpr:
      if chained == nil, let use = symbolUse(node) { return use }
      let name = text(node.child(2)?.child(1))
      guard let base = node.child(0) else { return chained.map { .member($0, name, []) } ?? .implicitMember(name) }
      return .member(expression(base, chained: chained), name, [])
    case .functionCallExpr:
      if symbol != nil, let callee = node.child(0), callee.kind == .memberAccessExpr,
        let use = symbolUse(callee, arguments: arguments(node.child(2)))
      {
        return use
      }
      return .call(
        CallFact(
          callee: expression(node.child(0), chained: chained),
          arguments: arguments(node.child(2), trailing: node.child(4), further: node.child(5)), isSubscript: false))
    case .subscriptCallExpr:
      return .call(
        CallFact(
          callee: expression(node.child(0), chained: chained),
          arguments: arguments(node.child(2), trailing: node.child(4), further: node.child(5)), isSubscript: true))
    case .arrayExpr:
      return .array(node.child(1)?.elements.map { expression($0.child(0)) } ?? [])
    case .dictionaryExpr:
      guard let content = node.child(1), content.kind == .dictionaryElementList else { return .dictionary([]) }
      return .dictionary(content.elements.map { (expression($0.child(0)), expression($0.child(2))) })
    case .tupleExpr:
      let elements = arguments(node.child(1))
      if elements.count == 1, let only = elements.first, only.label == nil { return only.value }
      return .tuple(elements)
    case .closureExpr: return .closure(closure(node))
    case .sequenceExpr: return sequence(node)
    case .ternaryExpr:
      return .ternary(expression(node.child(0)), expression(node.child(2)), expression(node.child(4)))
    case .prefixOperatorExpr:
      return .prefix(text(node.elements.first { $0.raw.isToken }), expression(node.child(1)))
    case .postfixOperatorExpr: return .parts([expression(node.child(0), chained: chained)])
    case .forceUnwrapExpr: return .unwrap(expression(node.child(0), chained: chained))
    case .optionalChainingExpr: return .chain(expression(node.child(0), chained: chained))
    case .tryExpr:
      let inner = expression(node.child(2))
      return node.child(1)?.isText("?") == true ? .optionalTry(inner) : inner
    case .awaitExpr, .unsafeExpr, .inOutExpr, .copyExpr, .consumeExpr, .borrowExpr, .packExpansionExpr,
      .packElementExpr:
      return expression(node.child(1))
    case .asExpr:
      return .cast(expression(node.child(0)), type(node.child(3)), isOptional: node.child(2)?.isText("?") == true)
    case .isExpr: return .test(expression(node.child(0)))
    case .typeExpr: return .type(type(node.child(0)))
    case .ifExpr, .switchExpr:
      var statements: [Statement] = []
      statement(node, into: &statements, keepAll: true)
      return statements.first.map { .statement($0) } ?? .parts([])
    case .macroExpansionExpr:
      let name = text(node.child(2))
      if name == "Preview" { return .parts([]) }
      return .macro(name, arguments(node.child(5), trailing: node.child(7), further: node.child(8)))
    case .keyPathExpr: return keyPath(node)
    case .postfixIfConfigExpr: return conditionalChain(node, chained: chained)
    case .patternExpr, .missingExpr, .discardAssignmentExpr, .regexLiteralExpr: return .parts([])
    default:
      guard holdsQuote(node) else { return .parts([]) }
      return .parts(node.elements.filter { !$0.raw.isToken }.map { expression($0) })
    }
  }

  private func specialized(_ node: RawNode, chained: Expression?) -> Expression {
    let generic = genericArguments(node.child(1))
    switch expression(node.child(0), chained: chained) {
    case .name(let name, _): return .name(name, generic)
    case .member(let base, let name, _): return .member(base, name, generic)
    case let other: return other
    }
  }

  private func keyPath(_ node: RawNode) -> Expression {
    let names = node.child(2)?.elements.compactMap { component -> String? in
      guard let property = component.child(1), property.kind == .keyPathPropertyComponent else { return nil }
      return text(property.child(0)?.child(1))
    }
    return .keyPath(node.child(1).map { type($0) }, names ?? [])
  }

  /// Lowers `#if` in a chain of modifiers: applies the modifiers of all branches, one after the other, to the preceding expression.
  private func conditionalChain(_ node: RawNode, chained: Expression?) -> Expression {
    var result = node.child(0).map { expression($0, chained: chained) } ?? chained ?? .parts([])
    guard let config = node.child(1) else { return result }
    for clause in liveClauses(config) {
      if let inner = clause.child(2) { result = expression(inner, chained: result) }
    }
    return result
  }

  func arguments(_ list: RawNode?, trailing: RawNode? = nil, further: RawNode? = nil) -> [Argument] {
    var found: [Argument] = []
    if let list {
      found.reserveCapacity(list.elements.count)
      for element in list.elements where element.kind == .labeledExpr {
        found.append(Argument(label: element.child(0).map { text($0) }, value: expression(element.child(2))))
      }
    }
    if let trailing { found.append(Argument(label: nil, value: .closure(closure(trailing)), isTrailing: true)) }
    if let further {
      for element in further.elements {
        guard let inner = element.child(2) else { continue }
        found.append(Argument(label: text(element.child(0)), value: .closure(closure(inner)), isTrailing: true))
      }
    }
    return found
  }

  private func closure(_ node: RawNode) -> ClosureFact {
    var parameters: [ClosureFact.Parameter]?
    var result: TypeFact?
    if let signature = node.child(1) {
      result = signature.child(4).map { type($0.child(1)) }
      if let clause = signature.child(2) {
        let list = clause.kind == .closureParameterClause ? clause.child(1) : clause
        parameters = list?.elements.map { element in
          if element.kind == .closureShorthandParameter {
            return ClosureFact.Parameter(name: text(element.child(0)), type: nil)
          }
          return ClosureFact.Parameter(
            name: text(element.child(3) ?? element.child(2)), type: element.child(5).map { type($0) })
        }
      } else {
        parameters = nil
      }
    }
    return ClosureFact(parameters: parameters, result: result, body: body(node.child(2), keepSingle: true))
  }

  // MARK: operators

  private func sequence(_ node: RawNode) -> Expression {
    guard let list = node.child(0) else { return .parts([]) }
    var folding = SequenceFolding()
    var pendingCast: (isTest: Bool, isOptional: Bool)?
    for element in list.elements {
      if let cast = pendingCast {
        pendingCast = nil
        let target = element.kind == .typeExpr ? type(element.child(0)) : .unknown
        folding.append(cast: target, isTest: cast.isTest, isOptional: cast.isOptional)
        continue
      }
      switch element.kind {
      case .binaryOperatorExpr: folding.append(operator: text(element.elements.first { $0.raw.isToken }))
      case .assignmentExpr: folding.append(operator: "=")
      case .arrowExpr: folding.append(operator: "->")
      case .unresolvedTernaryExpr: folding.append(ternary: expression(element.child(1)))
      case .unresolvedAsExpr: pendingCast = (false, element.child(1)?.isText("?") == true)
      case .unresolvedIsExpr: pendingCast = (true, false)
      default: folding.append(operand: expression(element))
      }
    }
    return folding.result()
  }
}
