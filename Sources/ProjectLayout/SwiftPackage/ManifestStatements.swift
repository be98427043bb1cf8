import SwiftSyntax

extension ManifestInterpreter {
  enum Flow {
    case went
    case returned(ManifestValue)
  }

  /// Evaluates statements in order until one of them returns.
  func run(_ statements: CodeBlockItemListSyntax, in frame: Frame) -> Flow {
    for statement in statements {
      if spend(at: statement) != nil {
        return .returned(unknown(statement, "the manifest needs too many steps to evaluate"))
      }
      switch statement.item {
      case .decl(let declaration):
        if let flow = run(declaration, in: frame) { return flow }
      case .stmt(let statement):
        if let flow = run(statement, in: frame) { return flow }
      case .expr(let expression):
        if let flow = perform(expression, in: frame) { return flow }
      }
    }
    return .went
  }

  private func run(_ declaration: DeclSyntax, in frame: Frame) -> Flow? {
    if let variable = declaration.as(VariableDeclSyntax.self) {
      for binding in variable.bindings {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { continue }
        if var value = binding.initializer.map({ value(of: $0.value, in: frame) }) {
          let type = binding.typeAnnotation?.type.trimmedDescription.split(separator: ".").last
          if var call = value.call, call.name == "init", let type {
            call.name = String(type)
            value.content = .call(call)
          }
          frame.names[name] = value
        } else if case .getter(let body)? = binding.accessorBlock?.accessors {
          frame.names[name] = nested(body) { result(of: body, in: Frame(parent: frame)) }
        } else {
          frame.names[name] = ManifestValue(.null, at: binding.positionAfterSkippingLeadingTrivia)
        }
      }
    } else if let block = declaration.as(IfConfigDeclSyntax.self) {
      let chosen = chosenClauses(of: block)
      for clause in chosen.clauses {
        guard case .statements(let statements)? = clause.elements else { continue }
        let flow = chosen.isCertain ? run(statements, in: frame) : runInDoubt(statements, in: frame, over: block)
        if case .returned = flow { return flow }
      }
    } else if let function = declaration.as(FunctionDeclSyntax.self), frame !== globals {
      functions[function.name.text, default: []].append(function)
    }
    return nil
  }

  private func run(_ statement: StmtSyntax, in frame: Frame) -> Flow? {
    if let statement = statement.as(ReturnStmtSyntax.self) {
      let value =
        statement.expression.map { self.value(of: $0, in: frame) }
        ?? ManifestValue(.null, at: statement.positionAfterSkippingLeadingTrivia)
      return .returned(value)
    }
    if let statement = statement.as(ExpressionStmtSyntax.self) { return perform(statement.expression, in: frame) }
    if let loop = statement.as(ForStmtSyntax.self) { return run(loop, in: frame) }
    if let block = statement.as(DoStmtSyntax.self), block.catchClauses.isEmpty {
      let flow = run(block.body.statements, in: Frame(parent: frame))
      if case .returned = flow { return flow }
      return nil
    }
    // It is not determined whether the blocks of the remaining statements, such as `guard`, `while` and `defer`, are executed.
    for block in statement.children(viewMode: .sourceAccurate).compactMap({ $0.as(CodeBlockSyntax.self) }) {
      let flow = runInDoubt(block.statements, in: frame, over: statement)
      if case .returned = flow { return flow }
    }
    return nil
  }

  /// Evaluates statements that might not be reached. The variables that these statements assign become unknown, lists to which they add get an
  /// unknown element, and a value that they return is unknown.
  private func runInDoubt(_ statements: CodeBlockItemListSyntax, in frame: Frame, over cause: some SyntaxProtocol)
    -> Flow
  {
    let outer = doubt
    let header = cause.trimmedDescription.prefix { $0 != "{" && $0 != "\n" }.split(separator: " ").joined(
      separator: " ")
    doubt = outer ?? unknown(cause, "`\(header.prefix(60))` cannot be decided without running the manifest")
    defer { doubt = outer }
    let flow = run(statements, in: Frame(parent: frame))
    if case .returned = flow, let doubt { return .returned(doubt) }
    return flow
  }

  private func run(_ loop: ForStmtSyntax, in frame: Frame) -> Flow? {
    let sequence = value(of: loop.sequence, in: frame)
    guard let name = loop.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
      case .list(let elements) = sequence.content
    else {
      let flow = runInDoubt(loop.body.statements, in: frame, over: loop)
      if case .returned = flow { return flow }
      return nil
    }
    var after: [ManifestValue] = []
    for element in elements {
      let inner = Frame(parent: frame)
      inner.names[name] = element
      let isCertain = loop.whereClause.map { value(of: $0.condition, in: inner).truth } ?? true
      var flow = Flow.went
      switch isCertain {
      case true?: flow = run(loop.body.statements, in: inner)
      case false?: break
      case nil: flow = runInDoubt(loop.body.statements, in: inner, over: loop)
      }
      if case .returned = flow { return flow }
      after.append(inner.names[name] ?? element)
    }
    // Targets are objects, so a change to the loop variable also changes the element of the list.
    if loop.sequence.is(MemberAccessExprSyntax.self) || loop.sequence.is(DeclReferenceExprSyntax.self) {
      let outer = doubt
      doubt = nil
      defer { doubt = outer }
      change(loop.sequence, in: frame) { _ in ManifestValue(.list(after), at: sequence.position) }
    }
    return nil
  }

  // MARK: Expressions as statements

  private func perform(_ expression: ExprSyntax, in frame: Frame) -> Flow? {
    if let condition = expression.as(IfExprSyntax.self) { return run(condition, in: frame) }
    if let choice = expression.as(SwitchExprSyntax.self) {
      for clause in choice.cases {
        guard let clause = clause.as(SwitchCaseSyntax.self) else { continue }
        let flow = runInDoubt(clause.statements, in: frame, over: choice)
        if case .returned = flow { return flow }
      }
    } else if let sequence = expression.as(SequenceExprSyntax.self) {
      assign(sequence, in: frame)
    } else if let call = expression.as(FunctionCallExprSyntax.self) {
      mutate(by: call, in: frame)
    }
    return nil
  }

  private func run(_ condition: IfExprSyntax, in frame: Frame) -> Flow? {
    switch truth(of: condition.conditions, in: frame) {
    case true?:
      let flow = run(condition.body.statements, in: Frame(parent: frame))
      if case .returned = flow { return flow }
    case false?:
      if let flow = runElse(condition, in: frame, inDoubt: false) { return flow }
    case nil:
      let first = runInDoubt(condition.body.statements, in: frame, over: condition)
      let second = runElse(condition, in: frame, inDoubt: true)
      if case .returned = first { return first }
      return second
    }
    return nil
  }

  private func runElse(_ condition: IfExprSyntax, in frame: Frame, inDoubt: Bool) -> Flow? {
    let flow: Flow?
    switch condition.elseBody {
    case .codeBlock(let block)?:
      flow =
        inDoubt
        ? runInDoubt(block.statements, in: frame, over: condition) : run(block.statements, in: Frame(parent: frame))
    case .ifExpr(let next)?:
      guard inDoubt else { return run(next, in: frame) }
      let outer = doubt
      doubt = outer ?? unknown(condition)
      defer { doubt = outer }
      flow = run(next, in: frame)
    case nil: flow = nil
    }
    if case .returned? = flow { return flow }
    return nil
  }

  private func assign(_ sequence: SequenceExprSyntax, in frame: Frame) {
    let parts = Array(sequence.elements)
    guard parts.count >= 3 else { return }
    let right = Array(parts[2...])
    if parts[1].is(AssignmentExprSyntax.self) {
      let new = value(of: right, in: frame, whole: ExprSyntax(sequence))
      change(parts[0], in: frame) { _ in new }
    } else if parts[1].as(BinaryOperatorExprSyntax.self)?.operator.text == "+=" {
      let more = value(of: right, in: frame, whole: ExprSyntax(sequence))
      add(more, to: parts[0], in: frame)
    }
  }

  private func mutate(by call: FunctionCallExprSyntax, in frame: Frame) {
    guard let method = call.calledExpression.as(MemberAccessExprSyntax.self), let place = method.base else {
      // A function that the manifest declares can change global variables.
      _ = value(of: ExprSyntax(call), in: frame)
      return
    }
    let arguments = self.arguments(of: call, in: frame)
    switch (method.declName.baseName.text, arguments.first) {
    case ("append", let argument?) where argument.label == nil:
      add(ManifestValue(.list([argument.value]), at: argument.value.position), to: place, in: frame)
    case ("append", let argument?) where argument.label == "contentsOf":
      add(argument.value, to: place, in: frame)
    case ("insert", let argument?):
      let isMany = argument.label == "contentsOf"
      let new = isMany ? argument.value : ManifestValue(.list([argument.value]), at: argument.value.position)
      add(new, to: place, in: frame)
    default:
      // Another call can change its variable if it has a trailing closure or its name begins with `remove`, such as `forEach { $0.path = … }`.
      if call.trailingClosure != nil || method.declName.baseName.text.hasPrefix("remove") {
        let gone = unknown(call)
        change(place, in: frame) { old in old.elements == nil ? gone : counted(old + gone) }
      }
    }
  }

  private func add(_ more: ManifestValue, to place: ExprSyntax, in frame: Frame) {
    let doubt = doubt
    change(place, in: frame, isAddition: true) { old in
      let base = old.isNull ? ManifestValue(.list([]), at: more.position) : old
      return counted(base + (doubt ?? more))
    }
  }

  /// Changes the value of a variable or of one of its members. Except for an addition, the value becomes unknown while `doubt` is set. If the member
  /// cannot be determined, the whole variable becomes unknown.
  func change(
    _ place: ExprSyntax, in frame: Frame, isAddition: Bool = false, _ transform: (ManifestValue) -> ManifestValue
  ) {
    if let name = place.as(DeclReferenceExprSyntax.self)?.baseName.text {
      guard let owner = frame.owner(of: name), let old = owner.names[name] else { return }
      let new = transform(old)
      owner.names[name] = isAddition ? new : doubt.map { ManifestValue($0.content, at: $0.position) } ?? new
    } else if let access = place.as(MemberAccessExprSyntax.self), let base = access.base {
      let member = access.declName.baseName.text
      let outer = doubt
      doubt = nil
      change(base, in: frame) { old in
        guard var call = old.call else { return old.isUnknown ? old : unknown(place) }
        let before = call[member] ?? ManifestValue(.null, at: place.positionAfterSkippingLeadingTrivia)
        let after = transform(before)
        call.set(member, to: isAddition ? after : outer ?? after)
        return ManifestValue(.call(call), at: old.position)
      }
      doubt = outer
    } else if let chain = place.as(OptionalChainingExprSyntax.self) {
      change(chain.expression, in: frame, isAddition: isAddition, transform)
    } else if let forced = place.as(ForceUnwrapExprSyntax.self) {
      change(forced.expression, in: frame, isAddition: isAddition, transform)
    } else if let element = place.as(SubscriptCallExprSyntax.self) {
      let gone = unknown(place)
      change(element.calledExpression, in: frame, isAddition: true) { old in
        old.elements == nil ? gone : counted(old + gone)
      }
    }
  }
}
