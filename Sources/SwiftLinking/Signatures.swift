import SwiftFacts

extension TypeResolver {
  /// Returns the parameters and result of a callable member; `nil` for a variable, for an enum case without a payload, and while the signature is
  /// being resolved.
  func signature(of member: Member) -> Signature? {
    if let known = member.signature { return known }
    // In `struct A { var b = A() }`, the signature of `A.init` is needed while it is being resolved. It is then unknown.
    guard !member.isResolvingSignature else { return nil }
    member.isResolvingSignature = true
    defer { member.isResolvingSignature = false }
    // The signature is resolved once for all modules, in the scope of the declaring module.
    let resolver = member.scope.module === module ? self : TypeResolver(module: member.scope.module)
    let made: Signature
    switch member.kind {
    case .function(let function): made = resolver.signature(of: function, member: member)
    case .enumCase(let enumCase):
      guard let payload = enumCase.payload, let nominal = member.nominal else { return nil }
      made = Signature(
        parameters: payload.map { resolver.parameter($0, in: member.scope) }, result: nominal.instanceType,
        generics: [], sameTypes: [], isDisfavored: false)
    case .memberwise(let stored): made = resolver.memberwise(stored, member: member)
    case .variable: return nil
    }
    member.signature = made
    return made
  }

  private func parameter(_ fact: ParameterFact, in scope: TypeScope) -> Signature.Parameter {
    Signature.Parameter(
      label: fact.label, type: resolve(fact.type, in: scope), isVariadic: fact.isVariadic, hasDefault: fact.hasDefault,
      builder: builder(fact.attributes.map { .named($0, []) }, in: scope))
  }

  /// Returns the result builder among these attributes, if the declaration of a build function is known; otherwise `nil`. `ViewBuilder` is ignored.
  func builder(_ attributes: [TypeFact], in scope: TypeScope) -> Nominal? {
    for attribute in attributes where attribute != .named("ViewBuilder", []) {
      guard let nominal = resolve(attribute, in: scope).nominal else { continue }
      if !members("buildExpression", of: nominal).isEmpty || !members("buildBlock", of: nominal).isEmpty
        || !members("buildPartialBlock", of: nominal).isEmpty
      {
        return nominal
      }
    }
    return nil
  }

  /// Returns the scope of a function's signature and body, which includes its generic parameters with their bounds.
  func scope(of function: FunctionDeclaration, in outer: TypeScope) -> TypeScope {
    guard !function.generics.isEmpty else { return outer }
    var scope = outer
    var made: [GenericParameter] = []
    for generic in function.generics {
      let parameter = GenericParameter(name: generic.name)
      scope.generics[generic.name] = parameter
      made.append(parameter)
    }
    for (index, generic) in function.generics.enumerated() {
      made[index].bounds = generic.bounds.map { resolve($0, in: scope) }
    }
    for requirement in function.requirements where !requirement.isSameType {
      if case .named(let name, _) = requirement.left, let parameter = scope.generics[name] {
        parameter.bounds.append(resolve(requirement.right, in: scope))
      }
    }
    return scope
  }

  private func signature(of function: FunctionDeclaration, member: Member) -> Signature {
    let scope = scope(of: function, in: member.scope)
    var generics = function.generics.compactMap { scope.generics[$0.name] }
    var parameters: [Signature.Parameter] = []
    for fact in function.parameters {
      var parameter = parameter(fact, in: scope)
      if case .opaque(let bound) = fact.type {
        // A parameter of type `some P` is an unnamed generic parameter.
        let generic = GenericParameter(name: "some")
        generic.bounds = [resolve(bound, in: scope)]
        generics.append(generic)
        parameter.type = .generic(generic)
      }
      parameters.append(parameter)
    }
    let result: LinkedType
    if function.kind == .initializer {
      let own = member.nominal?.selfType ?? .unknown
      result = function.isFailable ? optional(own) : own
    } else {
      result = function.result.map { resolve($0, in: scope) } ?? .void
    }
    let sameTypes = (function.requirements + member.requirements).filter(\.isSameType).map {
      (resolve($0.left, in: scope), resolve($0.right, in: scope))
    }
    return Signature(
      parameters: parameters, result: result, generics: generics, sameTypes: sameTypes,
      isDisfavored: function.isDisfavored,
      isInAnyOrder: member.scope.module.isStub && function.attributes.contains { $0.name == "_anyOrder" })
  }

  private func memberwise(_ stored: [VariableDeclaration], member: Member) -> Signature {
    var parameters: [Signature.Parameter] = []
    for variable in stored {
      guard !(variable.isLet && variable.hasInitializer), case .name(let name) = variable.pattern else { continue }
      let declared = storedType(of: variable, in: member.scope)
      var type = declared
      if let wrapper = wrapper(of: variable, in: member.scope), case .nominal(let nominal, _) = wrapper {
        // If a wrapper, such as `@Binding`, has no initializer from the wrapped value, the argument is the wrapper itself.
        let takesWrapped = members("init", of: nominal).contains { member in
          guard case .function(let function) = member.kind else { return false }
          return function.parameters.first?.label == "wrappedValue"
        }
        if variable.attributes.contains(where: { $0.arguments != nil }) && !takesWrapped { continue }
        // Some wrappers are created without an argument, such as `@Namespace` and `@FocusState`.
        let isSelfMade = members("init", of: nominal).contains { member in
          guard case .function(let function) = member.kind else { return false }
          return function.parameters.isEmpty
        }
        if isSelfMade && !takesWrapped { continue }
        if !takesWrapped { type = .nominal(nominal, nominal.generics.isEmpty ? [] : [declared]) }
      }
      let builder = builder(variable.attributes.map(\.type), in: member.scope)
      if builder != nil || variable.attributes.contains(where: { $0.name == "ViewBuilder" }) {
        // For `@ViewBuilder let content: Content`, the argument is a closure that returns the content.
        if case .function = type {} else { type = .function([], type) }
      }
      let isOptional = type.nominal?.name == "Optional" && !variable.isLet
      parameters.append(
        Signature.Parameter(
          label: name, type: type, isVariadic: false,
          hasDefault: variable.hasInitializer || isOptional
            || variable.attributes.contains { $0.arguments != nil }, builder: builder))
    }
    return Signature(
      parameters: parameters, result: member.nominal?.selfType ?? .unknown, generics: [], sameTypes: [],
      isDisfavored: false)
  }

  /// Returns the type of a variable's property wrapper; `nil` if the variable has none.
  func wrapper(of variable: VariableDeclaration, in scope: TypeScope) -> LinkedType? {
    for attribute in variable.attributes {
      let type = resolve(attribute.type, in: scope)
      guard case .nominal(let nominal, _) = type else { continue }
      if !ownMembers("wrappedValue", of: nominal).isEmpty || conforms(type, to: "DynamicProperty") { return type }
    }
    return nil
  }

  /// Returns the type of a variable, from its declaration or from its initial value.
  func storedType(of variable: VariableDeclaration, in scope: TypeScope) -> LinkedType {
    if let fact = variable.type { return resolve(fact, in: scope) }
    guard let value = variable.initializer else { return .unknown }
    return Checker.pure(module: module, scope: scope).type(of: value)
  }

  /// Returns the type of a member as a value. For a variable, this is the variable's type.
  func variableType(of member: Member) -> LinkedType {
    if let known = member.variableType { return known }
    guard !member.isResolving else { return .unknown }
    member.isResolving = true
    defer { member.isResolving = false }
    let resolver = member.scope.module === module ? self : TypeResolver(module: member.scope.module)
    let type: LinkedType
    switch member.kind {
    case .variable(let variable, let name):
      let whole = resolver.wrappedType(of: variable, in: member.scope)
      type = resolver.bindings(of: variable.pattern, to: whole).first { $0.name == name }?.type ?? .unknown
    case .enumCase(let enumCase):
      if enumCase.payload == nil {
        type = member.nominal?.instanceType ?? .unknown
      } else {
        type = signature(of: member).map { .function($0.parameters.map(\.type), $0.result) } ?? .unknown
      }
    case .function, .memberwise:
      type = signature(of: member).map { .function($0.parameters.map(\.type), $0.result) } ?? .unknown
    }
    member.variableType = type
    return type
  }

  /// Returns the type of a variable. If a wrapped property has no declared type, as in `@Environment(\.locale) var locale`, the arguments of the
  /// wrapper determine the type.
  private func wrappedType(of variable: VariableDeclaration, in scope: TypeScope) -> LinkedType {
    let declared = storedType(of: variable, in: scope)
    guard declared.isUnknown, variable.type == nil, let wrapper = wrapper(of: variable, in: scope),
      case .nominal(let nominal, _) = wrapper,
      let attribute = variable.attributes.first(where: { resolve($0.type, in: scope).nominal === nominal }),
      let arguments = attribute.arguments
    else { return declared }
    let made = Checker.pure(module: module, scope: scope)
      .initialized(.nominal(nominal, nominal.generics.map { _ in .unknown }), arguments)
    guard let value = ownMembers("wrappedValue", of: nominal).first, case .nominal(_, let own) = made else {
      return .unknown
    }
    let substitution = Dictionary(zip(nominal.generics, own)) { first, _ in first }
    return closing(substitute(substitution, in: variableType(of: value)), over: nominal.generics)
  }

  /// Returns the names that a pattern binds, with their types.
  func bindings(of pattern: Pattern, to type: LinkedType) -> [(name: String, type: LinkedType)] {
    switch pattern {
    case .name(let name): return [(name, type)]
    case .tuple(let elements):
      guard case .tuple(let types, _) = type, types.count == elements.count else {
        return elements.flatMap { bindings(of: $0.pattern, to: .unknown) }
      }
      return zip(elements, types).flatMap { bindings(of: $0.pattern, to: $1) }
    case .enumCase(_, let name, let elements):
      var subject = type
      if let wrapped = unwrapped(type), type.nominal?.name == "Optional", name != "some", name != "none" {
        subject = wrapped
      }
      guard case .nominal(let nominal, let arguments) = subject,
        let member = ownMembers(name, of: nominal).first(where: {
          if case .enumCase = $0.kind { true } else { false }
        }), let signature = signature(of: member)
      else { return elements.flatMap { bindings(of: $0.pattern, to: .unknown) } }
      let substitution = Dictionary(zip(nominal.generics, arguments)) { first, _ in first }
      let types = signature.parameters.map { substitute(substitution, in: $0.type) }
      if elements.count == 1, types.count > 1, let only = elements.first {
        return bindings(of: only.pattern, to: .tuple(types, labels: signature.parameters.map(\.label)))
      }
      return elements.enumerated().flatMap { index, element in
        bindings(of: element.pattern, to: index < types.count ? types[index] : .unknown)
      }
    case .optional(let inner): return bindings(of: inner, to: unwrapped(type) ?? .unknown)
    case .typed(let inner, _): return bindings(of: inner, to: .unknown)
    case .wildcard, .expression: return []
    }
  }

  // MARK: types of the standard library

  func standard(_ name: String, _ arguments: [LinkedType] = []) -> LinkedType {
    guard case .nominal(let nominal)? = module.standardLibrary?.types[name] else { return .unknown }
    return .nominal(nominal, arguments)
  }

  func optional(_ type: LinkedType) -> LinkedType {
    type.isUnknown ? .unknown : standard("Optional", [type])
  }

  /// Returns the type that an optional wraps; `nil` if the type is not an optional.
  func unwrapped(_ type: LinkedType) -> LinkedType? {
    guard case .nominal(let nominal, let arguments) = type, nominal.name == "Optional", nominal.module.isStub else {
      return nil
    }
    return arguments.first
  }
}
