extension Checker {
  // MARK: bodies

  /// - Parameter frame: names that hold in the body: parameters.
  /// - Returns: the type of the one expression that the body is, if it is one.
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
      // More than one where `#if` leaves the choice.
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

  /// Local types and functions hold in the whole body, also before their place.
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

  private func bind(_ pattern: Pattern, to type: LinkedType) {
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

  /// An expression as a statement of a result builder: the argument of `buildExpression`, else of `buildBlock`.
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

  // MARK: declarations

  /// Visits the code of a declaration, in whatever scope it stands.
  func visit(_ declaration: Declaration) {
    switch declaration {
    case .type(let type): visit(type)
    case .function(let function): visit(function)
    case .variable(let variable): visit(variable)
    case .enumCase, .alias, .associatedType: break
    }
  }

  private func visit(_ type: TypeDeclaration) {
    let nominal: Nominal?
    if let fact = type.extended {
      nominal = resolver.resolve(fact, in: scope).nominal
    } else if case .nominal(let local)? = scope.locals[type.name] {
      nominal = local
    } else {
      nominal = resolver.resolve(.named(type.name, []), in: scope).nominal
    }
    let kept = (scope, selfType, locals, localFunctions)
    defer { (scope, selfType, locals, localFunctions) = kept }
    scope.nominal = nominal
    let own = nominal?.selfType ?? .unknown
    for attribute in type.attributes { visit(attribute) }
    for member in type.members {
      switch member {
      case .function(let function):
        selfType = function.isStatic ? .metatype(own) : own
        visit(function)
      case .variable(let variable):
        selfType = variable.isStatic ? .metatype(own) : own
        visit(variable)
      case .type(let inner):
        selfType = own
        visit(inner)
      case .enumCase(let enumCase): visit(enumCase, of: nominal)
      case .alias, .associatedType: break
      }
    }
  }

  private func visit(_ enumCase: EnumCaseDeclaration, of nominal: Nominal?) {
    if let value = enumCase.rawValue {
      let raw = nominal.flatMap { resolver.inherited($0).first } ?? .unknown
      check(value, raw, LiteralContext(api: "case"))
    }
    for parameter in enumCase.payload ?? [] {
      if let value = parameter.defaultValue {
        check(value, resolver.resolve(parameter.type, in: scope), LiteralContext(api: "default"))
      }
    }
  }

  private func visit(_ function: FunctionDeclaration) {
    if locals.count <= 1 { foresight = Self.foresightOfDeclaration }
    let isEmpty = function.body == nil && function.parameters.allSatisfy { $0.defaultValue == nil }
    if isEmpty, function.attributes.allSatisfy({ $0.arguments?.isEmpty ?? true }) { return }
    let kept = (scope, returnType, builder)
    defer { (scope, returnType, builder) = kept }
    builder = resolver.builder(function.attributes.map(\.type), in: scope)
    for attribute in function.attributes { visit(attribute) }
    scope = resolver.scope(of: function, in: scope)
    var frame: [String: LinkedType] = [:]
    for parameter in function.parameters {
      let type = resolver.resolve(parameter.type, in: scope)
      if let value = parameter.defaultValue { check(value, type, LiteralContext(api: "default")) }
      frame[parameter.name] = parameter.isVariadic ? resolver.standard("Array", [type]) : type
    }
    guard let body = function.body else { return }
    returnType = function.result.map { resolver.resolve($0, in: scope) } ?? .void
    visit(body, frame: frame, expecting: returnType)
  }

  private func visit(_ variable: VariableDeclaration) {
    if locals.count <= 1 { foresight = Self.foresightOfDeclaration }
    let declared = variable.type.map { resolver.resolve($0, in: scope) } ?? .unknown
    for attribute in variable.attributes { visit(attribute, value: declared, isInitialized: variable.hasInitializer) }
    let kept = (returnType, builder)
    builder = nil
    var type = declared
    // The type of a member's initial value is found where someone asks for it; here only its literals matter.
    let isLocal = locals.count > 1
    let isNeeded = isLocal || variable.initializerHoldsLiteral || !variable.observers.isEmpty
    if let value = variable.initializer, isNeeded {
      let found = check(value, declared.isUnknown ? wrapped(variable) : declared, LiteralContext(api: "="))
      if declared.isUnknown { type = found }
    }
    if let getter = variable.getter {
      returnType = declared
      builder = resolver.builder(variable.attributes.map(\.type), in: scope)
      visit(getter, expecting: declared)
    }
    returnType = .void
    builder = nil
    for observer in variable.observers { visit(observer, frame: ["newValue": type, "oldValue": type, "value": type]) }
    (returnType, builder) = kept
    if isLocal || scope.nominal == nil && !type.isUnknown { bind(variable.pattern, to: type) }
  }

  /// What the wrapper of a variable wraps, where its declaration alone tells it.
  private func wrapped(_ variable: VariableDeclaration) -> LinkedType {
    guard !variable.attributes.isEmpty, let wrapper = resolver.wrapper(of: variable, in: scope) else { return .unknown }
    let value = memberType("wrappedValue", of: wrapper)
    return value.isGeneric ? .unknown : value
  }

  /// The arguments of an attribute: of a property wrapper's initialiser, or of a macro.
  /// - Parameter isInitialized: whether the variable has a value, which the wrapper's initialiser takes first.
  private func visit(_ attribute: AttributeFact, value: LinkedType = .unknown, isInitialized: Bool = false) {
    guard let arguments = attribute.arguments, !arguments.isEmpty, sink != nil else { return }
    if case .nominal(let nominal, let own) = resolver.resolve(attribute.type, in: scope) {
      let isOpen = own.allSatisfy { $0.isUnknown }
      let type = LinkedType.nominal(
        nominal, isOpen && !value.isUnknown && nominal.generics.count == 1 ? [value] : own)
      _ = initialized(type, arguments, isInitialized: isInitialized)
      return
    }
    _ = macro(attribute.name, arguments, .unknown, LiteralContext(api: "@" + attribute.name))
  }
}
