import SwiftFacts

extension Checker {
  func fits(_ arguments: [Argument], _ candidate: Candidate) -> Bool {
    match(arguments, candidate) != nil
  }

  func match(_ arguments: [Argument], _ candidate: Candidate) -> [Int]? {
    guard resolver.module.progress.spend() else { return nil }
    return ArgumentMatching.match(
      arguments, to: candidate.signature.parameters, inAnyOrder: candidate.signature.isInAnyOrder, resolver: resolver)
  }

  /// Chooses the same overload as the compiler, and visits the arguments with the types of its parameters.
  /// - Returns: the type of the call; `nil` if no candidate matches.
  func resolve(_ candidates: [Candidate], _ arguments: [Argument], _ expected: LinkedType, api: String)
    -> LinkedType?
  {
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
        // Of two matching candidates, the candidate that uses fewer default values is more specific.
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
      // The other arguments determine the type of a numeric literal, as in `max(0, ratio)`.
      let isNumber = arguments.map { $0.value.isNumericLiteral }
      let order = arguments.indices.filter { !isNumber[$0] } + arguments.indices.filter { isNumber[$0] }
      for index in order {
        let argument = arguments[index]
        let parameter = signature.parameters[matching[index]].type
        guard parameter.isGeneric else { continue }
        if argument.value.isOperatorName {
          bindOperator(resolver.substitute(binding, in: parameter), open, &binding)
          continue
        }
        if case .closure(let closure) = argument.value {
          bindAnnotations(of: closure, parameter, open, &binding)
          continue
        }
        if isNumber[index], case .generic(let generic) = parameter, binding[generic] == nil,
          let told = accumulated(generic, candidate, matching, arguments, binding)
        {
          binding[generic] = told
          continue
        }
        // Without a context, the argument's type may be unknown. For example, the parameter determines the root of a key path.
        let type =
          known[index].flatMap { $0.isUnknown || isNumber[index] ? nil : $0 }
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
      let type: LinkedType
      if case .closure(let closure) = argument.value, let builder = signature.parameters[matching[index]].builder {
        type = self.closure(closure, wanted, builder: builder)
      } else {
        type = check(argument.value, wanted, contexts[index])
      }
      if isClosure, !open.isEmpty { unify(parameter, type, open, &binding) }
    }
    return resolver.closing(resolver.substitute(binding, in: candidate.result), over: candidate.open)
  }

  /// Returns the type of a numeric literal that the result of a closure determines, as for the `0` in `sizes.reduce(0) { $0 + $1 }`; `nil` if there
  /// is no such closure.
  private func accumulated(
    _ generic: GenericParameter, _ candidate: Candidate, _ matching: [Int], _ arguments: [Argument],
    _ binding: Substitution
  ) -> LinkedType? {
    for (index, argument) in arguments.enumerated() {
      guard case .closure = argument.value,
        case .function(let inputs, .generic(generic)) = candidate.signature.parameters[matching[index]].type,
        inputs.contains(.generic(generic))
      else { continue }
      let wanted = resolver.closing(
        resolver.substitute(binding, in: candidate.signature.parameters[matching[index]].type), over: candidate.open)
      guard case .function(_, let result) = type(of: argument.value, expecting: wanted),
        case .nominal(let nominal, _) = result,
        nominal.kind != .protocolType, resolver.conforms(result, to: "ExpressibleByIntegerLiteral")
      else { continue }
      return result
    }
    return nil
  }

  /// Returns the context of each argument of a call. If a stub declares the called function, the contexts contain the table, comment and default
  /// value.
  func literalContexts(_ candidate: Candidate, _ matching: [Int], _ arguments: [Argument], api: String)
    -> [LiteralContext]
  {
    var context = LiteralContext(api: api)
    guard candidate.isStub else {
      return matching.map { index in
        context.origin = .argument(candidate, parameter: index)
        return context
      }
    }
    for argument in arguments {
      switch argument.label {
      case "comment":
        if case .string(let literal) = argument.value { context.comment = literal.plainText }
      case "table", "tableName":
        switch argument.value {
        case .string(let literal): context.table = literal.plainText.map { .named($0) } ?? .standard
        // If the table is not a literal, Xcode does not evaluate it and adds the key to the default table (xcode-extraction.md R1).
        default: break
        }
      case "defaultValue": context.value = argument.value
      default: break
      }
    }
    return zip(arguments, matching).map { argument, index in
      var own = context
      own.origin = .argument(candidate, parameter: index)
      switch argument.value {
      case .string: own.isWholeArgument = true
      // The comment does not apply to the branches of a conditional expression (xcode-extraction.md E).
      case .ternary: own.comment = nil
      default: break
      }
      if argument.label == "defaultValue" { own.isValue = true }
      return own
    }
  }

  /// Checks a call of `NSLocalizedString` or of a function that settings name. The function is matched by name, and its first argument is the key.
  /// Literals joined with `+` count as one literal (xcode-extraction.md R25).
  func macroCall(_ name: String, _ arguments: [Argument]) -> LinkedType {
    var context = LiteralContext(api: name)
    for argument in arguments.dropFirst() {
      switch (argument.label, argument.value, argument.value.joinedLiteral) {
      case ("comment"?, _, let literal?): context.comment = literal.plainText
      case ("tableName"?, .string(let literal), _), ("table"?, .string(let literal), _):
        context.table = literal.plainText.map { .named($0) } ?? .computed
      case ("tableName"?, .null, _), ("table"?, .null, _): break
      case ("tableName"?, _, _), ("table"?, _, _): context.table = .computed
      case ("value"?, _, let literal?), ("defaultValue"?, _, let literal?):
        // An empty value counts as no value, because it is the default of `NSLocalizedString`.
        if literal.plainText != "" { context.value = .string(literal) }
      default: check(argument.value)
      }
    }
    if let first = arguments.first {
      context.origin = .macroName
      let key = resolver.resolve(.named("_LocalizationKey", []), in: TypeScope(module: scope.module))
      check(first.value.joinedLiteral.map { Expression.string($0) } ?? first.value, key, context)
    }
    return resolver.standard("String")
  }
}
