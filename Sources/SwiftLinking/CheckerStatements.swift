import SwiftFacts

extension Checker {
  // MARK: bodies

  /// Visits the statements of a body.
  /// - Parameter frame: names that are visible in the body, such as parameters.
  /// - Returns: the type of the body if it is a single expression; otherwise `unknown`.
  @discardableResult
  func visit(
    _ body: Body, frame: [String: LinkedType] = [:], expecting expected: LinkedType = .unknown,
    _ context: LiteralContext = LiteralContext(api: "return")
  ) -> LinkedType {
    guard !body.statements.isEmpty else { return .unknown }
    locals.append(frame)
    localFunctions.append([:])
    let keptLocals = scope.locals
    defer {
      locals.removeLast()
      localFunctions.removeLast()
      scope.locals = keptLocals
    }
    declareLocals(body.statements)
    if body.isSingleExpression {
      // The body has several alternatives if `#if` is its only statement.
      var found = LinkedType.unknown
      for alternative in body.statements {
        let type = visit(alternative, expecting: expected, context)
        if found.isUnknown { found = type }
      }
      return found
    }
    for statement in body.statements { visit(statement) }
    return .unknown
  }

  /// Declares local types, aliases and functions, which are visible in the whole body, even before their declaration.
  private func declareLocals(_ statements: [Statement]) {
    for case .declaration(let declaration) in statements {
      switch declaration {
      case .type(let type) where type.kind != .extended:
        let nominal = ModuleBuilder.nominal(type, module: scope.module, parent: scope.nominal, outer: scope)
        nominal.isLocal = true
        scope.locals[type.name] = .nominal(nominal)
        resolver.bindBounds(of: nominal, in: scope)
      case .alias(let alias): scope.locals[alias.name] = .alias(alias, scope)
      case .function(let function):
        let member = Member(.function(function), nominal: nil, scope: scope)
        localFunctions[localFunctions.count - 1][function.name, default: []].append(member)
      default: break
      }
    }
  }

  func bind(_ pattern: Pattern, to type: LinkedType) {
    for (name, type) in patternBindings(pattern, type) { locals[locals.count - 1][name] = type }
  }

  private func patternBindings(_ pattern: Pattern, _ type: LinkedType) -> [(name: String, type: LinkedType)] {
    switch pattern {
    case .typed(let inner, let fact): return resolver.bindings(of: inner, to: resolver.resolve(fact, in: scope))
    case .enumCase(let owner?, _, _) where type.isUnknown:
      return resolver.bindings(of: pattern, to: resolver.resolve(owner, in: scope))
    default: return resolver.bindings(of: pattern, to: type)
    }
  }

  // MARK: statements

  @discardableResult
  func visit(
    _ statement: Statement, expecting expected: LinkedType = .unknown,
    _ context: LiteralContext = LiteralContext(api: "return")
  ) -> LinkedType {
    switch statement {
    case .expression(let value):
      if let builder { return built(value, by: builder, expected) }
      return check(value, expected, context)
    case .returning(let value):
      if let value { check(value, returnType, LiteralContext(api: "return")) }
    case .throwing(let value): check(value)
    case .declaration(let declaration): visit(declaration)
    case .condition(let conditions, let then, let otherwise):
      locals.append([:])
      localFunctions.append([:])
      visit(conditions)
      let first = visit(then, expecting: expected, context)
      locals.removeLast()
      localFunctions.removeLast()
      let second = otherwise.map { visit($0, expecting: expected, context) } ?? .unknown
      return first.isUnknown ? second : first
    case .guarding(let conditions, let otherwise):
      visit(conditions)
      visit(otherwise)
    case .loop(let conditions, let body):
      locals.append([:])
      localFunctions.append([:])
      visit(conditions)
      visit(body)
      locals.removeLast()
      localFunctions.removeLast()
    case .forEach(let pattern, let fact, let sequence, let filter, let body):
      let declared = fact.map { resolver.resolve($0, in: scope) }
      let type = check(sequence, declared.map { resolver.standard("Array", [$0]) } ?? .unknown)
      let element = declared ?? elementType(of: type)
      var frame: [String: LinkedType] = [:]
      for (name, type) in patternBindings(pattern, element) { frame[name] = type }
      locals.append(frame)
      localFunctions.append([:])
      if let filter { check(filter) }
      visit(body)
      locals.removeLast()
      localFunctions.removeLast()
    case .selection(let subject, let cases): return visit(subject, cases, expecting: expected, context)
    case .block(let bodies):
      for body in bodies { visit(body) }
    }
    return .unknown
  }

  /// Checks an expression that is a statement in a result builder. It is the argument of
  /// `buildExpression`, or otherwise of `buildBlock` or `buildPartialBlock`.
  private func built(_ value: Expression, by nominal: Nominal, _ expected: LinkedType) -> LinkedType {
    let kept = builder
    builder = nil
    defer { builder = kept }
    if case .statement(let statement) = value {
      builder = kept
      visit(statement)
      return expected
    }
    let type = LinkedType.metatype(nominal.instanceType)
    let arguments = [Argument(label: nil, value: value)]
    let name = nominal.name
    if resolve(callables("buildExpression", of: type), arguments, .unknown, api: name) != nil { return expected }
    let blocks = (callables("buildBlock", of: type) + callables("buildPartialBlock", of: type)).filter {
      $0.signature.parameters.first?.isVariadic == true || $0.signature.parameters.first?.label == "first"
    }
    let first = blocks.first.map { Argument(label: $0.signature.parameters.first?.label, value: value) }
    if let first, resolve(blocks, [first], .unknown, api: name) != nil { return expected }
    check(value)
    return expected
  }

  private func visit(
    _ subject: Expression, _ cases: [SwitchCaseFact], expecting expected: LinkedType, _ context: LiteralContext
  ) -> LinkedType {
    let type = check(subject)
    var found = LinkedType.unknown
    for element in cases {
      var frame: [String: LinkedType] = [:]
      for pattern in element.patterns {
        for (name, type) in patternBindings(pattern, type) where frame[name] == nil { frame[name] = type }
        if case .expression(let value) = pattern {
          check(value, resolver.unwrapped(type) ?? type, LiteralContext(api: "~="))
        }
      }
      locals.append(frame)
      localFunctions.append([:])
      for condition in element.guards { check(condition) }
      let own = visit(element.body, expecting: expected, context)
      locals.removeLast()
      localFunctions.removeLast()
      if found.isUnknown { found = own }
    }
    return found
  }

  private func visit(_ conditions: [Condition]) {
    for condition in conditions {
      switch condition {
      case .expression(let value): check(value)
      case .binding(let pattern, let fact, let value):
        let declared = fact.map { resolver.resolve($0, in: scope) }
        let type: LinkedType
        if let value {
          type = check(value, declared.map { resolver.optional($0) } ?? .unknown)
        } else if case .name(let name) = pattern {
          type = self.value(named: name, [])
        } else {
          type = .unknown
        }
        bind(pattern, to: declared ?? resolver.unwrapped(type) ?? type)
      case .match(let pattern, let value): bind(pattern, to: check(value))
      }
    }
  }

  func elementType(of type: LinkedType) -> LinkedType {
    let element = resolver.memberType("Element", of: type)
    if case .dependent = element { return .unknown }
    return element
  }
}
