@_spi(RawSyntax) import SwiftSyntax

extension FactCompiler {
  /// The statements of a body that matter: those with a literal, and those that bind a name.
  /// - Parameter keepSingle: whether to keep the expression of a body with a single expression, for its type.
  func body(_ list: RawNode?, keepSingle: Bool = false) -> Body {
    guard let list else { return .empty }
    var statements: [Statement] = []
    var isSingle = false
    var count = 0
    for _ in list.elements { count += 1 }
    if count == 1, let item = list.elements.first(where: { _ in true })?.child(0) {
      if item.kind == .ifConfigDecl { return alternatives(item, keepSingle: keepSingle) }
      isSingle = Self.isExpression(item)
      statement(item, into: &statements, keepAll: keepSingle)
    } else {
      guard holdsQuote(list) else { return .empty }
      for node in usedStatements(list.elements.compactMap { $0.child(0) }) { statement(node, into: &statements) }
    }
    return Body(statements: statements, isSingleExpression: isSingle)
  }

  /// Lowers a body that consists of one `#if`. Each clause can provide its value.
  private func alternatives(_ node: RawNode, keepSingle: Bool) -> Body {
    guard keepSingle || holdsQuote(node) else { return .empty }
    let clauses = liveClauses(node).compactMap { $0.child(2) }.filter { $0.kind == .codeBlockItemList }
    let bodies = clauses.map { body($0, keepSingle: keepSingle) }
    return Body(statements: bodies.map { .condition([], $0, nil) }, isSingleExpression: true)
  }

  private static func isExpression(_ node: RawNode) -> Bool {
    switch node.kind {
    case .returnStmt, .throwStmt, .guardStmt, .whileStmt, .forStmt, .repeatStmt, .deferStmt, .doStmt, .labeledStmt,
      .breakStmt, .continueStmt, .fallThroughStmt, .yieldStmt, .discardStmt, .ifConfigDecl, .variableDecl,
      .functionDecl, .structDecl, .classDecl, .enumDecl, .typeAliasDecl, .macroExpansionDecl:
      false
    default: true
    }
  }

  func block(_ node: RawNode?) -> Body { body(node?.child(1)) }

  /// - Parameter keepAll: whether to keep statements without a literal too, because their type matters.
  func statement(_ node: RawNode, into statements: inout [Statement], keepAll: Bool = false) {
    let keeps = keepAll || holdsQuote(node)
    switch node.kind {
    case .variableDecl, .functionDecl, .structDecl, .classDecl, .enumDecl, .actorDecl, .protocolDecl, .extensionDecl,
      .typeAliasDecl, .initializerDecl, .subscriptDecl, .macroDecl, .deinitializerDecl, .enumCaseDecl,
      .associatedTypeDecl:
      declaration(node) { statements.append(.declaration($0)) }
    case .ifConfigDecl:
      guard keeps else { return }
      for clause in liveClauses(node) {
        guard let items = clause.child(2) else { continue }
        for item in items.elements {
          if let inner = item.child(0) { statement(inner, into: &statements, keepAll: keepAll) }
        }
      }
    case .guardStmt:
      let conditions = conditions(node.child(1))
      let binds = conditions.contains { if case .expression = $0 { false } else { true } }
      if keeps || binds { statements.append(.guarding(conditions, keeps ? block(node.child(3)) : .empty)) }
    case .expressionStmt:
      if let inner = node.child(0) { statement(inner, into: &statements, keepAll: keepAll) }
    case .labeledStmt:
      if let inner = node.child(2) { statement(inner, into: &statements, keepAll: keepAll) }
    case _ where !keeps: return
    case .returnStmt: statements.append(.returning(node.child(1).map { expression($0) }))
    case .throwStmt: statements.append(.throwing(expression(node.child(1))))
    case .ifExpr: statements.append(conditional(node, keepAll: keepAll))
    case .switchExpr: statements.append(selection(node, keepAll: keepAll))
    case .whileStmt: statements.append(.loop(conditions(node.child(1)), block(node.child(2))))
    case .repeatStmt:
      statements.append(.block([block(node.child(1))]))
      statements.append(.expression(expression(node.child(3))))
    case .forStmt:
      statements.append(
        .forEach(
          pattern(node.child(5)), node.child(6).map { type($0.child(1)) }, expression(node.child(8)),
          node.child(9).map { expression($0.child(1)) }, block(node.child(10))))
    case .deferStmt: statements.append(.block([block(node.child(1))]))
    case .doStmt:
      statements.append(.block([block(node.child(2))]))
      if let clauses = node.child(3), holdsQuote(clauses) { statements.append(catching(clauses)) }
    case .macroExpansionDecl:
      let name = text(node.child(4))
      guard name != "Preview" else { return }
      let arguments = arguments(node.child(7), trailing: node.child(9), further: node.child(10))
      statements.append(.expression(.macro(name, arguments)))
    case .yieldStmt, .discardStmt: statements.append(.expression(expression(node.child(1))))
    case .breakStmt, .continueStmt, .fallThroughStmt, .importDecl, .operatorDecl, .precedenceGroupDecl,
      .poundSourceLocation,
      .missingDecl, .missingStmt, .unexpectedNodes, .editorPlaceholderDecl:
      return
    default:
      let value = expression(node)
      if case .parts(let parts) = value, parts.isEmpty { return }
      statements.append(.expression(value))
    }
  }

  /// Lowers `catch` clauses to a selection over an error. A clause without a pattern binds `error`.
  private func catching(_ clauses: RawNode) -> Statement {
    var cases: [SwitchCaseFact] = []
    for clause in clauses.elements {
      let items = clause.child(1)?.elements.map { $0 } ?? []
      var guards: [Expression] = []
      for item in items {
        if let condition = item.child(1), holdsQuote(condition) { guards.append(expression(condition.child(1))) }
      }
      let patterns = items.map { pattern($0.child(0)) }
      cases.append(
        SwitchCaseFact(
          patterns: patterns.isEmpty ? [.name("error")] : patterns, guards: guards, body: block(clause.child(2))))
    }
    return .selection(.cast(.parts([]), .named("Error", []), isOptional: false), cases)
  }

  /// Whether the condition of an `if` is `false`.
  func isNever(_ node: RawNode) -> Bool {
    guard let list = node.child(1), list.elements.count == 1,
      let only = list.elements.first(where: { _ in true })?.child(0), only.kind == .booleanLiteralExpr
    else { return false }
    return only.child(0)?.isText("false") == true
  }

  private func conditional(_ node: RawNode, keepAll: Bool) -> Statement {
    var otherwise: Body?
    if let alternative = node.child(4) {
      if alternative.kind == .ifExpr {
        var inner: [Statement] = []
        statement(alternative, into: &inner, keepAll: keepAll)
        otherwise = Body(statements: inner, isSingleExpression: true)
      } else {
        otherwise = body(alternative.child(1), keepSingle: keepAll)
      }
    }
    // Xcode extracts nothing from the body of `if false`.
    let then = isNever(node) ? .empty : body(node.child(2)?.child(1), keepSingle: keepAll)
    return .condition(conditions(node.child(1)), then, otherwise)
  }

  private func selection(_ node: RawNode, keepAll: Bool) -> Statement {
    var cases: [SwitchCaseFact] = []
    func add(_ list: RawNode) {
      for element in list.elements {
        if element.kind == .ifConfigDecl {
          for clause in liveClauses(element) { clause.child(2).map(add) }
          continue
        }
        var patterns: [Pattern] = []
        var guards: [Expression] = []
        if let label = element.child(1), label.kind == .switchCaseLabel, let items = label.child(1) {
          for item in items.elements {
            patterns.append(pattern(item.child(0)))
            if let clause = item.child(1), holdsQuote(clause) { guards.append(expression(clause.child(1))) }
          }
        }
        cases.append(
          SwitchCaseFact(patterns: patterns, guards: guards, body: body(element.child(2), keepSingle: keepAll)))
      }
    }
    node.child(3).map(add)
    return .selection(expression(node.child(1)), cases)
  }

  private func conditions(_ list: RawNode?) -> [Condition] {
    guard let list else { return [] }
    var found: [Condition] = []
    for element in list.elements {
      guard let condition = element.child(0) else { continue }
      switch condition.kind {
      case .optionalBindingCondition:
        found.append(
          .binding(
            pattern(condition.child(1)), condition.child(2).map { type($0.child(1)) },
            condition.child(3).map { expression($0.child(1)) }))
      case .matchingPatternCondition:
        found.append(.match(pattern(condition.child(1)), expression(condition.child(3)?.child(1))))
      case .availabilityCondition: continue
      default:
        if holdsQuote(condition) { found.append(.expression(expression(condition))) }
      }
    }
    return found
  }

  // MARK: patterns

  func pattern(_ node: RawNode?) -> Pattern {
    guard let node else { return .wildcard }
    switch node.kind {
    case .identifierPattern: return .name(text(node.child(0)))
    case .tuplePattern:
      let elements = node.child(1)?.elements.map {
        (label: $0.child(0).map { text($0) }, pattern: pattern($0.child(2)))
      }
      if let elements, elements.count == 1, let only = elements.first, only.label == nil { return only.pattern }
      return .tuple(elements ?? [])
    case .valueBindingPattern: return pattern(node.child(1))
    case .expressionPattern: return expressionPattern(node.child(0))
    default: return .wildcard
    }
  }

  /// In the raw tree, `.some(let x)` is a call with patterns as arguments.
  private func expressionPattern(_ node: RawNode?) -> Pattern {
    guard let node else { return .wildcard }
    switch node.kind {
    case .patternExpr: return pattern(node.child(0))
    case .discardAssignmentExpr: return .wildcard
    case .declReferenceExpr: return .name(text(node.child(1)))
    case .optionalChainingExpr: return .optional(expressionPattern(node.child(0)))
    case .memberAccessExpr:
      return .enumCase(node.child(0).flatMap { typeName($0) }, text(node.child(2)?.child(1)), [])
    case .functionCallExpr:
      guard let callee = node.child(0), callee.kind == .memberAccessExpr else { return .wildcard }
      let elements = node.child(2)?.elements.map {
        (label: $0.child(0).map { text($0) }, pattern: expressionPattern($0.child(2)))
      }
      return .enumCase(
        callee.child(0).flatMap { typeName($0) }, text(callee.child(2)?.child(1)), elements ?? [])
    case .tupleExpr:
      let elements = node.child(1)?.elements.map {
        (label: $0.child(0).map { text($0) }, pattern: expressionPattern($0.child(2)))
      }
      if let elements, elements.count == 1, let only = elements.first { return only.pattern }
      return .tuple(elements ?? [])
    case .sequenceExpr:
      // `let x as T`
      guard let parts = node.child(0)?.elements.map({ $0 }), parts.count == 3, parts[1].kind == .unresolvedAsExpr else {
        return .wildcard
      }
      return .typed(expressionPattern(parts[0]), type(parts[2].child(0)))
    default:
      return holdsQuote(node) ? .expression(expression(node)) : .wildcard
    }
  }

  private func typeName(_ node: RawNode) -> TypeFact? {
    switch node.kind {
    case .declReferenceExpr: return .named(text(node.child(1)), [])
    case .memberAccessExpr:
      return node.child(0).flatMap { typeName($0) }.map { .member($0, text(node.child(2)?.child(1)), []) }
    default: return nil
    }
  }
}
