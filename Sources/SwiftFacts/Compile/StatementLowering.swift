@_spi(RawSyntax) import SwiftSyntax

extension FactCompiler {
  /// Returns the relevant statements of a body: those with a literal, the returns to keep, and those that declare or bind names for these statements.
  /// - Parameter keepSingle: whether to keep the expression of a body with a single expression, for its type.
  func body(_ list: RawNode?, keepSingle: Bool = false) -> Body {
    guard let list else { return .empty }
    var statements: [Statement] = []
    var isSingle = false
    var count = 0
    for _ in list.elements { count += 1 }
    if count == 1, let item = list.elements.first(where: { _ in true })?[CodeBlockItem.item] {
      if item.kind == .ifConfigDecl { return alternatives(item, keepSingle: keepSingle) }
      isSingle = Self.isExpression(item)
      statement(item, into: &statements, keepAll: keepSingle)
    } else {
      guard isRelevant(list) else { return .empty }
      for node in usedStatements(list.elements.compactMap { $0[CodeBlockItem.item] }) {
        statement(node, into: &statements)
      }
    }
    return Body(statements: statements, isSingleExpression: isSingle)
  }

  /// Lowers a body that consists of one `#if`. Each clause can provide the body's value.
  private func alternatives(_ node: RawNode, keepSingle: Bool) -> Body {
    guard keepSingle || isRelevant(node) else { return .empty }
    let clauses = liveClauses(node).compactMap { $0[IfConfigClause.elements] }.filter { $0.kind == .codeBlockItemList }
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

  func block(_ node: RawNode?) -> Body { body(node?[CodeBlock.statements]) }

  /// Lowers a statement if it is relevant, declares something, or is a `guard` that binds a name.
  /// - Parameter keepAll: whether to also keep statements without a literal, because their type is needed.
  func statement(_ node: RawNode, into statements: inout [Statement], keepAll: Bool = false) {
    let keeps = keepAll || isRelevant(node)
    switch node.kind {
    case .variableDecl, .functionDecl, .structDecl, .classDecl, .enumDecl, .actorDecl, .protocolDecl, .extensionDecl,
      .typeAliasDecl, .initializerDecl, .subscriptDecl, .macroDecl, .deinitializerDecl, .enumCaseDecl,
      .associatedTypeDecl:
      declaration(node) { statements.append(.declaration($0)) }
    case .ifConfigDecl:
      guard keeps else { return }
      for clause in liveClauses(node) {
        guard let items = clause[IfConfigClause.elements] else { continue }
        for item in items.elements {
          if let inner = item[CodeBlockItem.item] { statement(inner, into: &statements, keepAll: keepAll) }
        }
      }
    case .guardStmt:
      let conditions = conditions(node[GuardStmt.conditions])
      let binds = conditions.contains { if case .expression = $0 { false } else { true } }
      if keeps || binds { statements.append(.guarding(conditions, keeps ? block(node[GuardStmt.body]) : .empty)) }
    case .expressionStmt:
      if let inner = node[ExpressionStmt.expression] { statement(inner, into: &statements, keepAll: keepAll) }
    case .labeledStmt:
      if let inner = node[LabeledStmt.statement] { statement(inner, into: &statements, keepAll: keepAll) }
    case _ where !keeps: return
    case .returnStmt: statements.append(.returning(node[ReturnStmt.expression].map { expression($0) }))
    case .throwStmt: statements.append(.throwing(expression(node[ThrowStmt.expression])))
    case .ifExpr: statements.append(conditional(node, keepAll: keepAll))
    case .switchExpr: statements.append(selection(node, keepAll: keepAll))
    case .whileStmt: statements.append(.loop(conditions(node[WhileStmt.conditions]), block(node[WhileStmt.body])))
    case .repeatStmt:
      statements.append(.block([block(node[RepeatStmt.body])]))
      statements.append(.expression(expression(node[RepeatStmt.condition])))
    case .forStmt:
      statements.append(
        .forEach(
          pattern(node[ForStmt.pattern]), node[ForStmt.typeAnnotation].map { type($0[TypeAnnotation.type]) },
          expression(node[ForStmt.sequence]),
          node[ForStmt.whereClause].map { expression($0[WhereClause.condition]) }, block(node[ForStmt.body])))
    case .deferStmt: statements.append(.block([block(node[DeferStmt.body])]))
    case .doStmt:
      statements.append(.block([block(node[DoStmt.body])]))
      if let clauses = node[DoStmt.catchClauses], isRelevant(clauses) { statements.append(catching(clauses)) }
    case .macroExpansionDecl:
      let name = text(node[MacroExpansionDecl.macroName])
      guard name != "Preview" else { return }
      let arguments = arguments(
        node[MacroExpansionDecl.arguments], trailing: node[MacroExpansionDecl.trailingClosure],
        further: node[MacroExpansionDecl.additionalTrailingClosures])
      statements.append(.expression(.macro(name, arguments)))
    case .yieldStmt, .discardStmt: statements.append(.expression(expression(node[DiscardStmt.expression])))
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
      let items = clause[CatchClause.catchItems]?.elements.map { $0 } ?? []
      var guards: [Expression] = []
      for item in items {
        if let condition = item[CatchItem.whereClause], holdsQuote(condition) {
          guards.append(expression(condition[WhereClause.condition]))
        }
      }
      let patterns = items.map { pattern($0[CatchItem.pattern]) }
      cases.append(
        SwitchCaseFact(
          patterns: patterns.isEmpty ? [.name("error")] : patterns, guards: guards,
          body: block(clause[CatchClause.body])))
    }
    return .selection(.cast(.parts([]), .named("Error", []), isOptional: false), cases)
  }

  /// Returns whether the condition of an `if` is the literal `false`.
  func isNever(_ node: RawNode) -> Bool {
    guard let list = node[IfExpr.conditions], list.elements.count == 1,
      let only = list.elements.first(where: { _ in true })?[ConditionElement.condition],
      only.kind == .booleanLiteralExpr
    else { return false }
    return only[BooleanLiteralExpr.literal]?.isText("false") == true
  }

  private func conditional(_ node: RawNode, keepAll: Bool) -> Statement {
    var otherwise: Body?
    if let alternative = node[IfExpr.elseBody] {
      if alternative.kind == .ifExpr {
        var inner: [Statement] = []
        statement(alternative, into: &inner, keepAll: keepAll)
        otherwise = Body(statements: inner, isSingleExpression: true)
      } else {
        otherwise = body(alternative[CodeBlock.statements], keepSingle: keepAll)
      }
    }
    var branch = self
    branch.isUnreachable = isUnreachable || isNever(node)
    var then = branch.body(node[IfExpr.body]?[CodeBlock.statements], keepSingle: keepAll)
    // The body of `if false` has no value, because its literals are missing.
    if branch.isUnreachable { then.isSingleExpression = false }
    return .condition(conditions(node[IfExpr.conditions]), then, otherwise)
  }

  private func selection(_ node: RawNode, keepAll: Bool) -> Statement {
    var cases: [SwitchCaseFact] = []
    func add(_ list: RawNode) {
      for element in list.elements {
        if element.kind == .ifConfigDecl {
          for clause in liveClauses(element) { clause[IfConfigClause.elements].map(add) }
          continue
        }
        var patterns: [Pattern] = []
        var guards: [Expression] = []
        if let label = element[SwitchCase.label], label.kind == .switchCaseLabel,
          let items = label[SwitchCaseLabel.caseItems]
        {
          for item in items.elements {
            patterns.append(pattern(item[SwitchCaseItem.pattern]))
            if let clause = item[SwitchCaseItem.whereClause], holdsQuote(clause) {
              guards.append(expression(clause[WhereClause.condition]))
            }
          }
        }
        cases.append(
          SwitchCaseFact(
            patterns: patterns, guards: guards, body: body(element[SwitchCase.statements], keepSingle: keepAll)))
      }
    }
    node[SwitchExpr.cases].map(add)
    return .selection(expression(node[SwitchExpr.subject]), cases)
  }

  private func conditions(_ list: RawNode?) -> [Condition] {
    guard let list else { return [] }
    var found: [Condition] = []
    for element in list.elements {
      guard let condition = element[ConditionElement.condition] else { continue }
      switch condition.kind {
      case .optionalBindingCondition:
        found.append(
          .binding(
            pattern(condition[OptionalBindingCondition.pattern]),
            condition[OptionalBindingCondition.typeAnnotation].map { type($0[TypeAnnotation.type]) },
            condition[OptionalBindingCondition.initializer].map { expression($0[InitializerClause.value]) }))
      case .matchingPatternCondition:
        found.append(
          .match(
            pattern(condition[MatchingPatternCondition.pattern]),
            expression(condition[MatchingPatternCondition.initializer]?[InitializerClause.value])))
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
    case .identifierPattern: return .name(text(node[IdentifierPattern.identifier]))
    case .tuplePattern:
      let elements = node[TuplePattern.elements]?.elements.map {
        (label: $0[TuplePatternElement.label].map { text($0) }, pattern: pattern($0[TuplePatternElement.pattern]))
      }
      if let elements, elements.count == 1, let only = elements.first, only.label == nil { return only.pattern }
      return .tuple(elements ?? [])
    case .valueBindingPattern: return pattern(node[ValueBindingPattern.pattern])
    case .expressionPattern: return expressionPattern(node[ExpressionPattern.expression])
    default: return .wildcard
    }
  }

  /// Lowers a pattern that is an expression. In the raw tree, `.some(let x)` is a call with patterns as arguments.
  private func expressionPattern(_ node: RawNode?) -> Pattern {
    guard let node else { return .wildcard }
    switch node.kind {
    case .patternExpr: return pattern(node[PatternExpr.pattern])
    case .discardAssignmentExpr: return .wildcard
    case .declReferenceExpr: return .name(text(node[DeclReferenceExpr.baseName]))
    case .optionalChainingExpr: return .optional(expressionPattern(node[OptionalChainingExpr.expression]))
    case .memberAccessExpr:
      return .enumCase(
        node[MemberAccessExpr.base].flatMap { typeName($0) },
        text(node[MemberAccessExpr.declName]?[DeclReferenceExpr.baseName]), [])
    case .functionCallExpr:
      guard let callee = node[FunctionCallExpr.calledExpression], callee.kind == .memberAccessExpr else {
        return .wildcard
      }
      let elements = node[FunctionCallExpr.arguments]?.elements.map {
        (label: $0[LabeledExpr.label].map { text($0) }, pattern: expressionPattern($0[LabeledExpr.expression]))
      }
      return .enumCase(
        callee[MemberAccessExpr.base].flatMap { typeName($0) },
        text(callee[MemberAccessExpr.declName]?[DeclReferenceExpr.baseName]), elements ?? [])
    case .tupleExpr:
      let elements = node[TupleExpr.elements]?.elements.map {
        (label: $0[LabeledExpr.label].map { text($0) }, pattern: expressionPattern($0[LabeledExpr.expression]))
      }
      if let elements, elements.count == 1, let only = elements.first { return only.pattern }
      return .tuple(elements ?? [])
    case .sequenceExpr:
      // `let x as T`
      guard let parts = node[SequenceExpr.elements]?.elements.map({ $0 }), parts.count == 3,
        parts[1].kind == .unresolvedAsExpr
      else {
        return .wildcard
      }
      return .typed(expressionPattern(parts[0]), type(parts[2][TypeExpr.type]))
    default:
      return holdsQuote(node) ? .expression(expression(node)) : .wildcard
    }
  }

  private func typeName(_ node: RawNode) -> TypeFact? {
    switch node.kind {
    case .declReferenceExpr: return .named(text(node[DeclReferenceExpr.baseName]), [])
    case .memberAccessExpr:
      return node[MemberAccessExpr.base].flatMap { typeName($0) }.map {
        .member($0, text(node[MemberAccessExpr.declName]?[DeclReferenceExpr.baseName]), [])
      }
    default: return nil
    }
  }
}
