import SwiftFacts

extension Checker {
  /// Visits the code of a declaration.
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
    // The type of a member's initial value is determined when it is needed. Only the literals in the value are relevant here.
    let isLocal = locals.count > 1
    let isNeeded = isLocal || variable.initializerHoldsLiteral || !variable.observers.isEmpty
    if let value = variable.initializer, isNeeded {
      var context = LiteralContext(api: "=")
      context.hasNoType = variable.type == nil && variable.attributes.isEmpty
      let found = check(value, declared.isUnknown ? wrapped(variable) : declared, context)
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

  /// Returns the type that the wrapper of a variable wraps, if the wrapper's declaration alone determines this type; otherwise `unknown`.
  private func wrapped(_ variable: VariableDeclaration) -> LinkedType {
    guard !variable.attributes.isEmpty, let wrapper = resolver.wrapper(of: variable, in: scope) else { return .unknown }
    let value = memberType("wrappedValue", of: wrapper)
    return value.isGeneric ? .unknown : value
  }

  /// Visits the arguments of an attribute, which are for a property wrapper's initializer or for a macro.
  /// - Parameter isInitialized: whether the variable has an initial value, which can be the first argument of the wrapper's initializer.
  private func visit(_ attribute: AttributeFact, value: LinkedType = .unknown, isInitialized: Bool = false) {
    guard let arguments = attribute.arguments, !arguments.isEmpty, sink != nil else { return }
    // A protocol is not a property wrapper. If an attribute has the name of a protocol, the attribute is a macro.
    if case .nominal(let nominal, let own) = resolver.resolve(attribute.type, in: scope), nominal.kind != .protocolType
    {
      let isOpen = own.allSatisfy { $0.isUnknown }
      let type = LinkedType.nominal(
        nominal, isOpen && !value.isUnknown && nominal.generics.count == 1 ? [value] : own)
      _ = initialized(type, arguments, isInitialized: isInitialized)
      return
    }
    _ = macro(attribute.name, arguments, .unknown, LiteralContext(api: "@" + attribute.name))
  }
}
