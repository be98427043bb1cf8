/// A declaration that a call may mean.
struct Candidate {
  var signature: Signature
  var substitution: Substitution
  /// Parameters that the arguments may bind.
  var open: [GenericParameter]
  var result: LinkedType
  /// Whether it is declared in a stub, so that its labels are those of Apple's localizing calls.
  var isStub: Bool
}

extension Checker {
  // MARK: calls

  func call(_ fact: CallFact, _ expected: LinkedType, _ context: LiteralContext) -> LinkedType {
    if fact.isSubscript { return subscriptAccess(fact) }
    if let name = fact.callee.lastName, macros.contains(name) || name == "NSLocalizedString" && !declares(name) {
      return macroCall(name, fact.arguments)
    }
    let candidates: [Candidate]
    switch fact.callee {
    case .name(let name, let generics):
      candidates = named(name, generics)
      if candidates.isEmpty { return callValue(check(fact.callee), fact.arguments, expected) }
      if let literal = coercion(candidates, fact.arguments) { return literal }
    case .member(let base, let name, let generics):
      let baseType = check(base)
      candidates = memberCandidates(name, generics, base: base, baseType)
      if candidates.isEmpty {
        return callValue(baseType.isUnknown ? .unknown : memberType(name, of: baseType), fact.arguments, expected)
      }
      if let literal = coercion(candidates, fact.arguments) { return literal }
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
        return callValue(callee, fact.arguments, expected)
      }
      candidates = callables("init", of: .metatype(type))
      if candidates.isEmpty { return callValue(callee, fact.arguments, expected) }
    }
    return resolve(candidates, fact.arguments, expected, api: fact.callee.sketch)
      ?? {
        visitLoose(fact.arguments)
        return expected.isGeneric ? .unknown : .unknown
      }()
  }

  /// What `.name( … )` can mean where a type is expected; in a builder of a list, where its elements are.
  private func implicitCandidates(_ name: String, _ arguments: [Argument], _ expected: LinkedType) -> [Candidate] {
    var bases = implicitBases(expected)
    if case .nominal(let nominal, let elements) = expected, nominal.name == "Array", let element = elements.first {
      bases.append(element)
    }
    if bases.isEmpty, name == "init", arguments.first?.label == "localized" {
      // Only `String` and `AttributedString` are made so, and both take the same key.
      bases = [resolver.standard("String")]
    }
    for base in bases {
      let found = callables(name, of: .metatype(base))
      if found.contains(where: { fits(arguments, $0) }) { return found }
    }
    return []
  }

  func fits(_ arguments: [Argument], _ candidate: Candidate) -> Bool {
    match(arguments, candidate) != nil
  }

  private func match(_ arguments: [Argument], _ candidate: Candidate) -> [Int]? {
    ArgumentMatching.match(
      arguments, to: candidate.signature.parameters, inAnyOrder: candidate.signature.isInAnyOrder, resolver: resolver)
  }

  /// Whether the project itself declares a function of that name.
  private func declares(_ name: String) -> Bool {
    guard let member = globalMembers(name).first else { return false }
    return !member.scope.module.isStub
  }

  /// `T("…")` of a type that literals can be is the literal as `T` (SE-0213).
  private func coercion(_ candidates: [Candidate], _ arguments: [Argument]) -> LinkedType? {
    guard arguments.count == 1, let only = arguments.first, only.label == nil, case .string = only.value,
      let first = candidates.first, case .nominal(let nominal, _) = first.result,
      first.isInitializer, localizable(first.result) != nil
    else { return nil }
    return check(only.value, first.result, LiteralContext(api: nominal.name))
  }

  /// The functions and types that a name alone can mean, the innermost scope first.
  private func named(_ name: String, _ generics: [TypeFact]) -> [Candidate] {
    for (index, frame) in localFunctions.enumerated().reversed() {
      if let functions = frame[name] { return functions.compactMap { candidate($0, [:]) } }
      if index < locals.count, locals[index][name] != nil { return [] }
    }
    if name == "self" || name == "Self" {
      if case .metatype = selfType { return callables("init", of: selfType) }
      return name == "Self" ? callables("init", of: .metatype(selfType)) : []
    }
    var owner: LinkedType? = selfType
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
    if !functions.isEmpty { return functions }
    return type.isUnknown ? [] : callables("init", of: .metatype(type))
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
    let found = callables(name, of: baseType)
    if !found.isEmpty || !baseType.isUnknown && !hasUnknownAncestor(baseType) { return found }
    // A base of which not all is known (a view of a package that is not here): a modifier of every view, or nothing.
    let view = resolver.resolve(.named("View", []), in: TypeScope(module: scope.module))
    return callables(name, of: view)
  }

  /// Whether a type of the project stands on something that is not here.
  private func hasUnknownAncestor(_ type: LinkedType) -> Bool {
    guard case .nominal(let nominal, _) = type, !nominal.module.isStub else { return false }
    return resolver.ancestry(nominal).contains { resolver.inherited($0).contains(.unknown) }
  }

  /// What can be called as `base.name( … )`.
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

  private func candidate(_ member: Member, _ substitution: Substitution, owner: LinkedType? = nil) -> Candidate? {
    guard let signature = resolver.signature(of: member) else {
      guard
        case .function(let inputs, let output) = resolver.substitute(
          substitution, in: resolver.variableType(of: member))
      else { return nil }
      let parameters = inputs.map {
        Signature.Parameter(label: nil, type: $0, isVariadic: false, hasDefault: false)
      }
      let made = Signature(parameters: parameters, result: output, generics: [], sameTypes: [], isDisfavored: false)
      return Candidate(signature: made, substitution: [:], open: [], result: output, isStub: false)
    }
    var open = signature.generics
    if case .nominal(let nominal, _)? = owner { open += nominal.generics.filter { substitution[$0] == nil } }
    return Candidate(
      signature: signature, substitution: substitution, open: open, result: signature.result,
      isStub: member.scope.module.isStub)
  }

  /// A call of a value of function type, or of something unknown.
  private func callValue(_ type: LinkedType, _ arguments: [Argument], _ expected: LinkedType) -> LinkedType {
    let callee = resolver.unwrapped(type) ?? type
    if case .function(let inputs, let output) = callee {
      for (index, argument) in arguments.enumerated() {
        check(argument.value, index < inputs.count ? inputs[index] : .unknown, LiteralContext(api: "closure"))
      }
      return output
    }
    if case .metatype(let instance) = callee {
      visitLoose(arguments)
      return instance
    }
    visitLoose(arguments)
    return .unknown
  }

  private func visitLoose(_ arguments: [Argument]) {
    guard sink != nil else { return }
    for argument in arguments { check(argument.value) }
  }

  /// An initialiser call whose type is given: an attribute's arguments.
  func initialized(_ type: LinkedType, _ arguments: [Argument]) -> LinkedType {
    let found = resolve(initializers(of: type), arguments, .unknown, api: "@" + (type.nominal?.name ?? ""))
    if found == nil { visitLoose(arguments) }
    return found ?? .unknown
  }

  func macro(_ name: String, _ arguments: [Argument], _ expected: LinkedType, _ context: LiteralContext) -> LinkedType {
    let candidates = globalMembers(name).compactMap { member -> Candidate? in
      guard case .function(let function) = member.kind, function.kind == .macro else { return nil }
      return candidate(member, [:])
    }
    if let type = resolve(candidates, arguments, expected, api: "#" + name) { return type }
    visitLoose(arguments)
    return .unknown
  }

  // MARK: overloads

  /// Chooses the overload as the compiler would, visits the arguments with the types it gives them.
  /// - Returns: `nil` where none fits.
  func resolve(_ candidates: [Candidate], _ arguments: [Argument], _ expected: LinkedType, api: String) -> LinkedType? {
    var types: [LinkedType?] = Array(repeating: nil, count: arguments.count)
    var best: (candidate: Candidate, matching: [Int], score: Int)?
    let fitting = candidates.compactMap { candidate in
      match(arguments, candidate).map { (candidate, $0) }
    }
    for (candidate, matching) in fitting {
      var score = candidate.signature.isDisfavored ? 40 : 0
      if fitting.count > 1 {
        for (index, argument) in arguments.enumerated() {
          let parameter = resolver.substitute(
            candidate.substitution, in: candidate.signature.parameters[matching[index]].type)
          score += self.score(argument.value, parameter) {
            if let known = types[index] { return known }
            let made = type(of: argument.value)
            types[index] = made
            return made
          }
        }
        if !expected.isUnknown, !expected.isGeneric {
          score += conversion(resolver.substitute(candidate.substitution, in: candidate.result), to: expected) / 2
        }
        // Of two that fit the one that leaves less to defaults is the more special.
        score = score * 8 + min(7, candidate.signature.parameters.count - arguments.count)
      }
      if score < best?.score ?? .max { best = (candidate, matching, score) }
    }
    guard let best else { return nil }
    return apply(best.candidate, best.matching, arguments, expected, types, api: api)
  }

  private func apply(
    _ candidate: Candidate, _ matching: [Int], _ arguments: [Argument], _ expected: LinkedType, _ known: [LinkedType?],
    api: String
  ) -> LinkedType {
    let signature = candidate.signature
    guard sink != nil || !candidate.open.isEmpty && candidate.result.isGeneric else {
      return resolver.closing(
        resolver.substitute(candidate.substitution, in: candidate.result), over: candidate.open)
    }
    var binding = candidate.substitution
    let open = Set(candidate.open)
    if !open.isEmpty, !expected.isUnknown, !expected.isGeneric {
      unify(
        candidate.result,
        resolver.unwrapped(expected).flatMap {
          resolver.unwrapped(candidate.result) == nil ? $0 : nil
        } ?? expected, open, &binding, onlyIfSame: true)
    }
    if !open.isEmpty {
      for (index, argument) in arguments.enumerated() {
        let parameter = signature.parameters[matching[index]].type
        guard parameter.isGeneric else { continue }
        if case .closure(let closure) = argument.value {
          bindAnnotations(of: closure, parameter, open, &binding)
          continue
        }
        let type =
          known[index]
          ?? self.type(
            of: argument.value,
            expecting: resolver.closing(resolver.substitute(binding, in: parameter), over: candidate.open))
        unify(parameter, type, open, &binding)
      }
      for (left, right) in signature.sameTypes {
        unify(resolver.substitute(binding, in: left), resolver.substitute(binding, in: right), open, &binding)
        unify(resolver.substitute(binding, in: right), resolver.substitute(binding, in: left), open, &binding)
      }
    }
    let contexts = literalContexts(candidate, matching, arguments, api: api)
    for (index, argument) in arguments.enumerated() {
      let parameter = signature.parameters[matching[index]].type
      let wanted = resolver.substitute(binding, in: parameter)
      let isClosure = if case .closure = argument.value { true } else { false }
      guard sink != nil || isClosure && candidate.result.isGeneric else { continue }
      let type = check(argument.value, wanted, contexts[index])
      if isClosure, !open.isEmpty { unify(parameter, type, open, &binding) }
    }
    return resolver.closing(resolver.substitute(binding, in: candidate.result), over: candidate.open)
  }

  /// What Apple's own localizing calls say beside the key: table, comment and default value.
  private func literalContexts(_ candidate: Candidate, _ matching: [Int], _ arguments: [Argument], api: String)
    -> [LiteralContext]
  {
    var context = LiteralContext(api: api)
    guard candidate.isStub else { return arguments.map { _ in context } }
    for argument in arguments {
      switch argument.label {
      case "comment":
        if case .string(let literal) = argument.value { context.comment = literal.plainText }
      case "table", "tableName":
        switch argument.value {
        case .string(let literal): context.table = literal.plainText.map { .named($0) } ?? .computed
        case .null: break
        default: context.table = .computed
        }
      case "defaultValue", "value": context.value = argument.value
      default: break
      }
    }
    return arguments.map { argument in
      var own = context
      if argument.label == "defaultValue" || argument.label == "value" { own.isValue = true }
      return own
    }
  }

  /// `NSLocalizedString` and the functions that settings name: matched by name, the key first.
  private func macroCall(_ name: String, _ arguments: [Argument]) -> LinkedType {
    var context = LiteralContext(api: name)
    for argument in arguments.dropFirst() {
      switch (argument.label, argument.value) {
      case ("comment"?, .string(let literal)): context.comment = literal.plainText
      case ("tableName"?, .string(let literal)), ("table"?, .string(let literal)):
        context.table = literal.plainText.map { .named($0) } ?? .computed
      case ("tableName"?, .null), ("table"?, .null): break
      case ("tableName"?, _), ("table"?, _): context.table = .computed
      case ("value"?, .string(let literal)), ("defaultValue"?, .string(let literal)):
        // An empty value is none: `NSLocalizedString` has it as its default.
        if literal.plainText != "" { context.value = argument.value }
      default: check(argument.value)
      }
    }
    if let first = arguments.first {
      let key = resolver.resolve(.named("_LocalizationKey", []), in: TypeScope(module: scope.module))
      check(first.value, key, context)
    }
    return resolver.standard("String")
  }

  // MARK: subscripts

  private func subscriptAccess(_ fact: CallFact) -> LinkedType {
    let base = check(fact.callee)
    if case .metatype = base, fact.arguments.isEmpty { return base }
    let candidates = callables("subscript", of: base).filter {
      $0.signature.parameters.first?.label != "dynamicMember" || fact.arguments.first?.label == "dynamicMember"
    }
    if let type = resolve(candidates, fact.arguments, .unknown, api: "subscript") { return type }
    visitLoose(fact.arguments)
    return .unknown
  }
}

extension Candidate {
  var isInitializer: Bool { result.nominal != nil && signature.result == result }
}

extension Expression {
  /// The last name of a callee.
  var lastName: String? {
    switch self {
    case .name(let name, _), .member(_, let name, _): name
    default: nil
    }
  }

  /// A callee for people.
  var sketch: String {
    switch self {
    case .name(let name, _): name
    case .member(let base, let name, _):
      switch base {
      case .name(let first, _): "\(first).\(name)"
      default: ".\(name)"
      }
    case .implicitMember(let name): ".\(name)"
    case .array(_): "Array"
    default: "call"
    }
  }
}
