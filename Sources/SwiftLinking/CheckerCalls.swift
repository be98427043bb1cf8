import SwiftFacts

/// A declaration that a call may refer to.
struct Candidate {
  var signature: Signature
  var substitution: Substitution
  /// The generic parameters that arguments may bind.
  var open: [GenericParameter]
  var result: LinkedType
  /// Whether a stub declares the candidate. If so, its argument labels have the same meaning as in Apple's localizing calls.
  var isStub: Bool
  /// The called declaration, or the variable if a value of function type is called.
  var member: Member?
}

extension Checker {
  // MARK: calls

  func call(_ fact: CallFact, _ expected: LinkedType, _ context: LiteralContext) -> LinkedType {
    if fact.isSubscript { return subscriptAccess(fact, expected) }
    if let name = fact.callee.lastName, macros.contains(name) || name == "NSLocalizedString" && !declares(name) {
      return macroCall(name, fact.arguments)
    }
    let candidates: [Candidate]
    switch fact.callee {
    case .name(let name, let generics):
      candidates = named(name, generics)
      if candidates.isEmpty { return callValue(check(fact.callee), fact, expected) }
      if let literal = coercion(candidates, fact.arguments) { return literal }
    case .member(let base, let name, let generics):
      let baseType = check(base)
      candidates = memberCandidates(name, generics, base: base, baseType)
      if candidates.isEmpty {
        let type = callValue(baseType.isUnknown ? .unknown : memberType(name, of: baseType), fact, expected)
        return type.isUnknown ? modified(baseType) : type
      }
      if let literal = coercion(candidates, fact.arguments) { return literal }
      if let type = resolve(candidates, fact.arguments, expected, api: fact.callee.sketch) { return type }
      visitLoose(fact, declarations: candidates.count)
      let type = typeOfUnfit(candidates)
      return type.isUnknown ? modified(baseType) : type
    case .implicitMember(let name):
      candidates = implicitCandidates(name, fact.arguments, expected)
    default:
      let callee: LinkedType
      if case .closure(let closure) = fact.callee {
        callee = self.closure(closure, .function([], expected))
      } else {
        callee = check(fact.callee)
      }
      guard case .metatype(let type) = callee else {
        return callValue(callee, fact, expected)
      }
      candidates = callables("init", of: .metatype(type))
      if candidates.isEmpty { return callValue(callee, fact, expected) }
    }
    if let type = resolve(candidates, fact.arguments, expected, api: fact.callee.sketch) { return type }
    visitLoose(fact, declarations: candidates.count)
    return typeOfUnfit(candidates)
  }

  /// Returns the type of a modifier call that matches no declaration. A modifier of a widget, a control, a chart mark or a scene returns a value of
  /// the same kind. Views need no rule, because the modifiers of views are also looked up on unknown types.
  private func modified(_ base: LinkedType) -> LinkedType {
    guard let nominal = base.nominal, nominal.module.isStub,
      let chained = resolver.ancestry(nominal).first(where: { Self.chained.contains($0.name) })
    else { return .unknown }
    return .nominal(chained, [])
  }

  /// Apple's protocols for values that are configured by chains of modifiers.
  private static let chained: Set = ["WidgetConfiguration", "ControlWidgetConfiguration", "ChartContent", "Scene"]

  /// Returns the type of a call that matches no declaration: `T( … )` is a `T`, whichever initializer it calls. The type of any other call is
  /// unknown.
  private func typeOfUnfit(_ candidates: [Candidate]) -> LinkedType {
    guard let first = candidates.first, first.isInitializer, case .nominal(let nominal, _) = first.result,
      candidates.allSatisfy({ $0.isInitializer && $0.result.nominal === nominal })
    else { return .unknown }
    return .nominal(nominal, nominal.generics.map { _ in .unknown })
  }

  /// Returns the candidates for `.name( … )` in the first of these types that has a candidate for the arguments: the type that an expected optional
  /// wraps, the expected type, and the element type of an expected array, because a list builder makes arrays from elements.
  private func implicitCandidates(_ name: String, _ arguments: [Argument], _ expected: LinkedType) -> [Candidate] {
    var bases = implicitBases(expected)
    if case .nominal(let nominal, let elements) = expected, nominal.name == "Array", let element = elements.first {
      bases.append(element)
    }
    if bases.isEmpty, name == "init", arguments.first?.label == "localized" {
      // Only `String` and `AttributedString` have this initializer, and the key is the same for both.
      bases = [resolver.standard("String")]
    }
    for base in bases {
      let found = callables(name, of: .metatype(base))
      if found.contains(where: { fits(arguments, $0) }) { return found }
    }
    return []
  }

  /// Returns whether the project itself declares a function or variable outside types with this name.
  private func declares(_ name: String) -> Bool {
    guard let member = globalMembers(name).first else { return false }
    return !member.scope.module.isStub
  }

  /// Returns the type of a coercion to a localizable type: `T("…")` is the literal as a `T` (SE-0213). `.init("…")` is not a coercion, but a call of
  /// an initializer (xcode-extraction.md R6). Returns `nil` for every other call.
  private func coercion(_ candidates: [Candidate], _ arguments: [Argument]) -> LinkedType? {
    guard arguments.count == 1, let only = arguments.first, only.label == nil, case .string = only.value,
      let first = candidates.first, case .nominal(let nominal, _) = first.result,
      first.isInitializer, localizable(first.result) != nil
    else { return nil }
    return check(only.value, first.result, LiteralContext(api: nominal.name))
  }

  /// Returns the functions, and the initializers of the types, to which a name without a base can refer, innermost scope first.
  private func named(_ name: String, _ generics: [TypeFact]) -> [Candidate] {
    for (index, frame) in localFunctions.enumerated().reversed() {
      if let functions = frame[name] { return functions.compactMap { candidate($0, [:]) } }
      if index < locals.count, locals[index][name] != nil { return [] }
    }
    if name == "self" || name == "Self" {
      if case .metatype = selfType { return callables("init", of: selfType) }
      return name == "Self" ? callables("init", of: .metatype(selfType)) : []
    }
    // In a call, only the name of a type has generic arguments. They are resolved with the type below.
    let hasArguments = !generics.isEmpty && !resolver.resolve(.named(name, generics), in: scope).isUnknown
    var owner: LinkedType? = hasArguments ? nil : selfType
    var isOuter = false
    while let current = owner, !current.isUnknown {
      var found = callables(name, of: current)
      let inner: LinkedType
      if case .metatype(let type) = current { inner = type } else { inner = current }
      if found.isEmpty, !isOuter, case .metatype = current {
      } else if found.isEmpty {
        found = callables(name, of: .metatype(inner))
      }
      if !found.isEmpty { return found }
      isOuter = true
      owner = inner.nominal?.parent.map { .metatype($0.selfType) }
    }
    let type = resolver.resolve(.named(name, generics), in: scope)
    let functions = globalMembers(name).compactMap { candidate($0, [:]) }
    guard !type.isUnknown else { return functions }
    // A function with the name of a type overloads the type's initializers and does not hide them (xcode-extraction.md R3).
    return functions + typesMeant(by: type).flatMap { callables("init", of: .metatype($0)) }
  }

  /// Returns the types that the name of a type can refer to in an initializer call. If several modules declare the name, all their types are
  /// returned, and the type with a matching initializer is then used. Types of modules that the file does not import are excluded,
  /// unless all the types are of such modules (xcode-extraction.md R4).
  private func typesMeant(by type: LinkedType) -> [LinkedType] {
    guard let nominal = type.nominal else { return [type] }
    let namesakes = resolver.namesakes(of: nominal)
    guard !namesakes.isEmpty else { return [type] }
    let others = namesakes.map { LinkedType.nominal($0, $0.generics.map { _ in .unknown }) }
    let imported = ([type] + others).filter { isImported($0.nominal) }
    return imported.isEmpty ? [type] + others : imported
  }

  private func isImported(_ nominal: Nominal?) -> Bool {
    guard let module = nominal?.module, let imports else { return true }
    return module.isStub || imports.contains(module.name)
  }

  private func memberCandidates(_ name: String, _ generics: [TypeFact], base: Expression, _ baseType: LinkedType)
    -> [Candidate]
  {
    if case .name(let moduleName, _) = base, baseType.isUnknown,
      let other = scope.module.visible.first(where: { $0.name == moduleName })
    {
      if let functions = other.members[name] { return functions.compactMap { candidate($0, [:]) } }
      let type = resolver.resolve(.member(.named(moduleName, []), name, generics), in: scope)
      return type.isUnknown ? [] : callables("init", of: .metatype(type))
    }
    if !generics.isEmpty, case .metatype(let outer) = baseType {
      let nested = resolver.memberType(name, of: outer, arguments: generics.map { resolver.resolve($0, in: scope) })
      if !nested.isUnknown { return callables("init", of: .metatype(nested)) }
    }
    let found = callables(name, of: baseType)
    if !found.isEmpty || !baseType.isUnknown && !hasUnknownAncestor(baseType) { return found }
    // The type of the base is unknown, or inherits from an unknown type of a missing package. Only the modifiers of all views are looked up.
    let view = resolver.resolve(.named("View", []), in: TypeScope(module: scope.module))
    return callables(name, of: view)
  }

  /// Returns whether a type is declared in the project and inherits from an unknown type.
  private func hasUnknownAncestor(_ type: LinkedType) -> Bool {
    guard case .nominal(let nominal, _) = type, !nominal.module.isStub else { return false }
    return resolver.ancestry(nominal).contains { resolver.inherited($0).contains(.unknown) }
  }

  /// Returns the candidates for a call `base.name( … )`.
  func callables(_ name: String, of type: LinkedType) -> [Candidate] {
    switch type {
    case .metatype(let instance):
      if name == "init" || name == "self" { return initializers(of: instance) }
      let found = members(name, of: instance).filter(\.member.isStatic)
      let functions = found.compactMap { candidate($0.member, staticSubstitution($0), owner: instance) }
      if !functions.isEmpty { return functions }
      let nested = resolver.memberType(name, of: instance)
      return nested.isUnknown || nested.isGeneric ? [] : initializers(of: nested)
    case .unknown: return []
    case _ where name == "init": return initializers(of: type)
    default:
      return members(name, of: type).filter { !$0.member.isStatic }.compactMap { candidate($0.member, $0.substitution) }
    }
  }

  private func initializers(of type: LinkedType) -> [Candidate] {
    members("init", of: type).compactMap { found in
      guard var made = candidate(found.member, found.substitution, owner: type) else { return nil }
      if case .nominal(let nominal, _) = type, made.result.nominal !== nominal {
        if let wrapped = resolver.unwrapped(made.result), wrapped.nominal === nominal { return made }
        made.result = .nominal(nominal, nominal.generics.map { .generic($0) })
      }
      return made
    }
  }

  func candidate(_ member: Member, _ substitution: Substitution, owner: LinkedType? = nil) -> Candidate? {
    guard resolver.module.progress.spend() else { return nil }
    guard let signature = resolver.signature(of: member) else {
      guard
        case .function(let inputs, let output) = resolver.substitute(
          substitution, in: resolver.variableType(of: member))
      else { return nil }
      let parameters = inputs.map {
        Signature.Parameter(label: nil, type: $0, isVariadic: false, hasDefault: false)
      }
      let made = Signature(parameters: parameters, result: output, generics: [], sameTypes: [], isDisfavored: false)
      return Candidate(signature: made, substitution: [:], open: [], result: output, isStub: false, member: member)
    }
    var open = signature.generics
    if case .nominal(let nominal, _)? = owner { open += nominal.generics.filter { substitution[$0] == nil } }
    return Candidate(
      signature: signature, substitution: substitution, open: open, result: signature.result,
      isStub: member.scope.module.isStub, member: member)
  }

  /// Checks a call of a value: a function, a type (an initializer is then called), or a value of unknown type.
  private func callValue(_ type: LinkedType, _ fact: CallFact, _ expected: LinkedType) -> LinkedType {
    let callee = resolver.unwrapped(type) ?? type
    if case .function(let inputs, let output) = callee {
      for (index, argument) in fact.arguments.enumerated() {
        check(argument.value, index < inputs.count ? inputs[index] : .unknown, LiteralContext(api: "closure"))
      }
      return output
    }
    visitLoose(fact, declarations: 0)
    if case .metatype(let instance) = callee { return instance }
    return .unknown
  }

  /// Visits the arguments of a call whose parameters are unknown.
  func visitLoose(_ fact: CallFact, declarations: Int) {
    visitLoose(fact.arguments, api: fact.callee.sketch, declarations: declarations)
  }

  func visitLoose(_ arguments: [Argument], api: String, declarations: Int) {
    guard sink != nil else { return }
    var context = LiteralContext(api: api)
    context.origin = declarations == 0 ? .undeclared : .unfit(declarations: declarations)
    for argument in arguments { check(argument.value, .unknown, context) }
  }

  /// Checks a call of an initializer of a type with the arguments of an attribute.
  /// - Parameter isInitialized: whether the wrapped property has an initial value, which can be the first argument of the initializer.
  func initialized(_ type: LinkedType, _ arguments: [Argument], isInitialized: Bool = false) -> LinkedType {
    let candidates = initializers(of: type)
    let api = "@" + (type.nominal?.name ?? "")
    if isInitialized {
      // The initial value itself is visited at its own place in the code.
      let whole = [Argument(label: "wrappedValue", value: .parts([]))] + arguments
      if let found = resolve(candidates, whole, .unknown, api: api) { return found }
    }
    if let found = resolve(candidates, arguments, .unknown, api: api) { return found }
    visitLoose(arguments, api: api, declarations: candidates.count)
    return .unknown
  }
}

extension Candidate {
  var isInitializer: Bool { result.nominal != nil && signature.result == result }
}
