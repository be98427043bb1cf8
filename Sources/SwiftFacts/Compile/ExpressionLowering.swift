@_spi(RawSyntax) import SwiftSyntax

extension FactCompiler {
  /// Lowers an expression.
  /// - Parameter chained: the base of a member access that has no base in the source, inside `#if` in a chain of modifiers.
  func expression(_ node: RawNode?, chained: Expression? = nil) -> Expression {
    guard let node else { return .parts([]) }
    switch node.kind {
    case .stringLiteralExpr, .simpleStringLiteralExpr: return literal(node)
    case .integerLiteralExpr: return .integer
    case .floatLiteralExpr: return .float
    case .booleanLiteralExpr: return .boolean
    case .nilLiteralExpr: return .null
    case .declReferenceExpr: return .name(text(node[DeclReferenceExpr.baseName]), [])
    case .superExpr: return .name("super", [])
    case .genericSpecializationExpr: return specialized(node, chained: chained)
    case .memberAccessExpr:
      if chained == nil, let use = symbolUse(node) { return use }
      let name = text(node[MemberAccessExpr.declName]?[DeclReferenceExpr.baseName])
      guard let base = node[MemberAccessExpr.base] else {
        return chained.map { .member($0, name, []) } ?? .implicitMember(name)
      }
      return .member(expression(base, chained: chained), name, [])
    case .functionCallExpr:
      if symbol != nil, let callee = node[FunctionCallExpr.calledExpression], callee.kind == .memberAccessExpr,
        let use = symbolUse(callee, arguments: arguments(node[FunctionCallExpr.arguments]))
      {
        return use
      }
      return .call(
        CallFact(
          callee: callee(node[FunctionCallExpr.calledExpression], chained: chained),
          arguments: arguments(
            node[FunctionCallExpr.arguments], trailing: node[FunctionCallExpr.trailingClosure],
            further: node[FunctionCallExpr.additionalTrailingClosures]), isSubscript: false))
    case .subscriptCallExpr:
      return .call(
        CallFact(
          callee: expression(node[SubscriptCallExpr.calledExpression], chained: chained),
          arguments: arguments(
            node[SubscriptCallExpr.arguments], trailing: node[SubscriptCallExpr.trailingClosure],
            further: node[SubscriptCallExpr.additionalTrailingClosures]), isSubscript: true))
    case .arrayExpr:
      return .array(node[ArrayExpr.elements]?.elements.map { expression($0[ArrayElement.expression]) } ?? [])
    case .dictionaryExpr:
      guard let content = node[DictionaryExpr.content], content.kind == .dictionaryElementList else {
        return .dictionary([])
      }
      return .dictionary(
        content.elements.map { (expression($0[DictionaryElement.key]), expression($0[DictionaryElement.value])) })
    case .tupleExpr:
      let elements = arguments(node[TupleExpr.elements])
      if elements.count == 1, let only = elements.first, only.label == nil { return only.value }
      return .tuple(elements)
    case .closureExpr: return .closure(closure(node))
    case .sequenceExpr: return sequence(node)
    case .ternaryExpr:
      return .ternary(
        expression(node[TernaryExpr.condition]), expression(node[TernaryExpr.thenExpression]),
        expression(node[TernaryExpr.elseExpression]))
    case .prefixOperatorExpr:
      return .prefix(text(node.elements.first { $0.raw.isToken }), expression(node[PrefixOperatorExpr.expression]))
    case .postfixOperatorExpr: return .parts([expression(node[PostfixOperatorExpr.expression], chained: chained)])
    case .forceUnwrapExpr: return .unwrap(expression(node[ForceUnwrapExpr.expression], chained: chained))
    case .optionalChainingExpr: return .chain(expression(node[OptionalChainingExpr.expression], chained: chained))
    case .tryExpr:
      let inner = expression(node[TryExpr.expression])
      return node[TryExpr.questionOrExclamationMark]?.isText("?") == true ? .optionalTry(inner) : inner
    case .awaitExpr, .unsafeExpr, .inOutExpr, .copyExpr, .consumeExpr, .borrowExpr, .packExpansionExpr,
      .packElementExpr:
      return expression(node[MarkedExpr.expression])
    case .asExpr:
      return .cast(
        expression(node[AsExpr.expression]), type(node[AsExpr.type]),
        isOptional: node[AsExpr.questionOrExclamationMark]?.isText("?") == true)
    case .isExpr: return .test(expression(node[IsExpr.expression]))
    case .typeExpr: return .type(type(node[TypeExpr.type]))
    case .ifExpr, .switchExpr:
      var statements: [Statement] = []
      statement(node, into: &statements, keepAll: true)
      return statements.first.map { .statement($0) } ?? .parts([])
    case .macroExpansionExpr:
      let name = text(node[MacroExpansionExpr.macroName])
      if name == "Preview" { return .parts([]) }
      return .macro(
        name,
        arguments(
          node[MacroExpansionExpr.arguments], trailing: node[MacroExpansionExpr.trailingClosure],
          further: node[MacroExpansionExpr.additionalTrailingClosures]))
    case .keyPathExpr: return keyPath(node)
    case .postfixIfConfigExpr: return conditionalChain(node, chained: chained)
    case .patternExpr, .missingExpr, .discardAssignmentExpr, .regexLiteralExpr: return .parts([])
    default:
      guard holdsQuote(node) else { return .parts([]) }
      return .parts(node.elements.filter { !$0.raw.isToken }.map { expression($0) })
    }
  }

  private func callee(_ node: RawNode?, chained: Expression?) -> Expression {
    guard let node, node.kind == .closureExpr else { return expression(node, chained: chained) }
    var compiler = self
    compiler.keepsReturns = true
    return .closure(compiler.closure(node))
  }

  private func specialized(_ node: RawNode, chained: Expression?) -> Expression {
    let generic = genericArguments(node[GenericSpecializationExpr.genericArgumentClause])
    switch expression(node[GenericSpecializationExpr.expression], chained: chained) {
    case .name(let name, _): return .name(name, generic)
    case .member(let base, let name, _): return .member(base, name, generic)
    case let other: return other
    }
  }

  private func keyPath(_ node: RawNode) -> Expression {
    let names = node[KeyPathExpr.components]?.elements.compactMap { component -> String? in
      guard let property = component[KeyPathComponent.component], property.kind == .keyPathPropertyComponent else {
        return nil
      }
      return text(property[KeyPathPropertyComponent.declName]?[DeclReferenceExpr.baseName])
    }
    return .keyPath(node[KeyPathExpr.root].map { type($0) }, names ?? [])
  }

  /// Lowers `#if` in a chain of modifiers. The modifiers of all branches that some build compiles are applied to the preceding expression, one after
  /// the other.
  private func conditionalChain(_ node: RawNode, chained: Expression?) -> Expression {
    var result = node[PostfixIfConfigExpr.base].map { expression($0, chained: chained) } ?? chained ?? .parts([])
    guard let config = node[PostfixIfConfigExpr.config] else { return result }
    for clause in liveClauses(config) {
      if let inner = clause[IfConfigClause.elements] { result = expression(inner, chained: result) }
    }
    return result
  }

  func arguments(_ list: RawNode?, trailing: RawNode? = nil, further: RawNode? = nil) -> [Argument] {
    var found: [Argument] = []
    if let list {
      found.reserveCapacity(list.elements.count)
      for element in list.elements where element.kind == .labeledExpr {
        found.append(
          Argument(
            label: element[LabeledExpr.label].map { text($0) }, value: expression(element[LabeledExpr.expression])))
      }
    }
    if let trailing { found.append(Argument(label: nil, value: .closure(closure(trailing)), isTrailing: true)) }
    if let further {
      for element in further.elements {
        guard let inner = element[MultipleTrailingClosureElement.closure] else { continue }
        found.append(
          Argument(
            label: text(element[MultipleTrailingClosureElement.label]), value: .closure(closure(inner)),
            isTrailing: true))
      }
    }
    return found
  }

  private func closure(_ node: RawNode) -> ClosureFact {
    var parameters: [ClosureFact.Parameter]?
    var result: TypeFact?
    if let signature = node[ClosureExpr.signature] {
      result = signature[ClosureSignature.returnClause].map { type($0[ReturnClause.type]) }
      if let clause = signature[ClosureSignature.parameterClause] {
        let list = clause.kind == .closureParameterClause ? clause[ClosureParameterClause.parameters] : clause
        parameters = list?.elements.map { element in
          if element.kind == .closureShorthandParameter {
            return ClosureFact.Parameter(name: text(element[ClosureShorthandParameter.name]), type: nil)
          }
          return ClosureFact.Parameter(
            name: text(element[ClosureParameter.secondName] ?? element[ClosureParameter.firstName]),
            type: element[ClosureParameter.type].map { type($0) })
        }
      } else {
        parameters = nil
      }
    }
    var inner = self
    inner.isUnreachable = false
    return ClosureFact(
      parameters: parameters, result: result, body: inner.body(node[ClosureExpr.statements], keepSingle: true))
  }

  // MARK: operators

  private func sequence(_ node: RawNode) -> Expression {
    guard let list = node[SequenceExpr.elements] else { return .parts([]) }
    var folding = SequenceFolding()
    var pendingCast: (isTest: Bool, isOptional: Bool)?
    for element in list.elements {
      if let cast = pendingCast {
        pendingCast = nil
        let target = element.kind == .typeExpr ? type(element[TypeExpr.type]) : .unknown
        folding.append(cast: target, isTest: cast.isTest, isOptional: cast.isOptional)
        continue
      }
      switch element.kind {
      case .binaryOperatorExpr: folding.append(operator: text(element.elements.first { $0.raw.isToken }))
      case .assignmentExpr: folding.append(operator: "=")
      case .arrowExpr: folding.append(operator: "->")
      case .unresolvedTernaryExpr: folding.append(ternary: expression(element[UnresolvedTernaryExpr.thenExpression]))
      case .unresolvedAsExpr:
        pendingCast = (false, element[UnresolvedAsExpr.questionOrExclamationMark]?.isText("?") == true)
      case .unresolvedIsExpr: pendingCast = (true, false)
      default: folding.append(operand: expression(element))
      }
    }
    return folding.result()
  }
}
