import SwiftFacts

extension Checker {
  /// Returns a penalty for an argument and a parameter: 0 for the best match, 1000 if they do not match as far as is known.
  func score(_ argument: Expression, _ parameter: LinkedType, _ known: () -> LinkedType) -> Int {
    switch argument {
    case .string: return literalScore(parameter)
    case .ternary(_, let then, let otherwise):
      return max(
        branchScore(then, parameter), branchScore(otherwise, parameter))
    case .binary("??", let left, let right):
      if let closure = literalClosure(of: left) {
        return max(closureScore(closure.body, parameter), score(right, parameter) { self.type(of: right) })
      }
      let type = type(of: left)
      let first = resolver.unwrapped(type) ?? type
      if first.isUndetermined, localizable(parameter) != nil { return Self.unknownBesideLiteral }
      return max(conversion(first, to: parameter), score(right, parameter) { self.type(of: right) })
    case .statement(let statement): return statementScore(statement, parameter)
    case .closure(let closure):
      switch resolver.unwrapped(parameter) ?? parameter {
      case .function(let inputs, _):
        guard let names = closure.parameters else { return 0 }
        if names.count == inputs.count { return 0 }
        // Several parameter names may decompose one tuple.
        guard inputs.count == 1, names.count > 1, let only = inputs.first else { return 100 }
        if case .tuple(let parts, _) = only { return parts.count == names.count ? 0 : 100 }
        return only.isUnknown || only.isGeneric ? 2 : 100
      case .unknown, .dependent: return 2
      case .generic(let generic): return generic.bounds.isEmpty ? 3 : 1000
      default: return 1000
      }
    case .null: return parameter.isUnknown || resolver.unwrapped(parameter) != nil ? 0 : 500
    case .implicitMember(let name): return implicitScore(name, parameter)
    case .call(let fact):
      if case .implicitMember(let name) = fact.callee { return implicitScore(name, parameter, fact.arguments) }
      // A closure that is called immediately has the type of its body (xcode-extraction.md R8).
      if case .closure(let closure) = fact.callee, fact.arguments.isEmpty, closure.result == nil {
        return closureScore(closure.body, parameter)
      }
      return conversion(known(), to: parameter)
    case .integer:
      switch parameter {
      case .nominal(let nominal, _) where nominal.kind != .protocolType:
        if nominal.name == "Int" { return 0 }
        if let wrapped = resolver.unwrapped(parameter) { return score(argument, wrapped, known) + 1 }
        return resolver.conforms(parameter, to: "ExpressibleByIntegerLiteral") ? 1 : 1000
      default: return conversion(known(), to: parameter)
      }
    case .float:
      switch parameter {
      case .nominal(let nominal, _) where nominal.kind != .protocolType:
        if nominal.name == "Double" { return 0 }
        if let wrapped = resolver.unwrapped(parameter) { return score(argument, wrapped, known) + 1 }
        return resolver.conforms(parameter, to: "ExpressibleByFloatLiteral") ? 1 : 1000
      default: return conversion(known(), to: parameter)
      }
    case .array(let elements):
      let target = resolver.unwrapped(parameter) ?? parameter
      if case .nominal(let nominal, let arguments) = target {
        if nominal.name == "Array" || nominal.name == "Set", let wanted = arguments.first {
          return elements.map { element in score(element, wanted) { type(of: element) } }.max() ?? 0
        }
        if nominal.kind != .protocolType, !resolver.conforms(target, to: "ExpressibleByArrayLiteral") { return 1000 }
      }
      return 1
    case .dictionary:
      return 1
    case .keyPath:
      if case .function(let inputs, _) = resolver.unwrapped(parameter) ?? parameter {
        return inputs.count == 1 ? 1 : 1000
      }
      return conversion(known(), to: parameter)
    default: return conversion(known(), to: parameter)
    }
  }

  /// The penalty for an operand of unknown type next to a literal. Such an operand is a `String` far more often than a key (xcode-extraction.md C: 63
  /// of 67).
  private static let unknownBesideLiteral = 60

  func branchScore(_ branch: Expression, _ parameter: LinkedType) -> Int {
    let known = type(of: branch)
    if known.isUndetermined, localizable(parameter) != nil {
      switch branch {
      case .string, .implicitMember, .null: break
      case .call(let fact):
        if case .implicitMember = fact.callee { break }
        return Self.unknownBesideLiteral
      default: return Self.unknownBesideLiteral
      }
    }
    return score(branch, parameter) { known }
  }

  /// Returns the score of a string literal, as the compiler ranks it. A parameter that accepts the literal as a `String`, its default type, comes
  /// before any parameter that accepts another type, even if the former is generic or optional. If literals should be keys, the API marks the
  /// overload with the `String` parameter as `@_disfavoredOverload`.
  private func literalScore(_ parameter: LinkedType) -> Int {
    switch parameter {
    case .nominal(let nominal, let arguments):
      if nominal.name == "String" { return 0 }
      if nominal.name == "Optional", let wrapped = arguments.first { return literalScore(wrapped) + 1 }
      if nominal.kind == .protocolType {
        let isOfString = conversion(resolver.standard("String"), to: parameter) < 200
        return isOfString ? 1 : resolver.ancestry(nominal).contains { $0.module.isStub } ? 6 : 1000
      }
      return resolver.conforms(parameter, to: "ExpressibleByStringLiteral") ? 4 : 1000
    case .generic(let generic):
      if generic.bounds.isEmpty { return 1 }
      let string = resolver.standard("String")
      let isOfString = generic.bounds.allSatisfy { conversion(string, to: $0) < 200 }
      return isOfString ? 1 : generic.bounds.allSatisfy { conversion(string, to: $0) < 500 } ? 5 : 1000
    // In the stubs, `Any` replaces types that they do not declare.
    case .composition, .unknown, .dependent: return 6
    case .function, .metatype, .tuple: return 1000
    }
  }

  private func implicitScore(_ name: String, _ parameter: LinkedType, _ arguments: [Argument]? = nil) -> Int {
    if let arguments, case .nominal(let nominal, _) = parameter {
      let fitting = implicitBases(parameter).flatMap { base in
        callables(name, of: .metatype(base)).filter { fits(arguments, $0) }
      }
      // Of two types with a member for these arguments, prefer the type with a member that uses no default values.
      if !fitting.isEmpty { return fitting.contains { $0.signature.parameters.count == arguments.count } ? 0 : 1 }
      // No type whose literals are keys can be created without arguments (xcode-extraction.md R20).
      if name == "init", arguments.isEmpty, localizable(parameter) != nil { return 1000 }
      return nominal.module.isStub ? 60 : 800
    }
    switch parameter {
    case .nominal(let nominal, _):
      if nominal.name == "Bool" || nominal.name == "String" { return 500 }
      for base in implicitBases(parameter) where !members(name, of: base).isEmpty || name == "init" { return 0 }
      return nominal.module.isStub ? 20 : 500
    case .generic(let generic):
      return generic.bounds.contains { !members(name, of: $0).isEmpty } ? 1 : 20
    case .unknown, .dependent, .composition: return 3
    default: return 1000
    }
  }

  /// Returns the penalty for converting a type to another type.
  func conversion(_ type: LinkedType, to target: LinkedType) -> Int {
    guard resolver.module.progress.spend(min(type.size, target.size)) else { return 1000 }
    if type == target { return 0 }
    if type.isUnknown || target.isUnknown { return 5 }
    switch (type, target) {
    case (_, .composition(let parts)):
      return parts.map { conversion(type, to: $0) }.max() ?? 8
    case (_, .generic(let parameter)):
      if parameter.bounds.isEmpty { return 4 }
      return resolver.module.progress.descend(or: 5) {
        parameter.bounds.map { conversion(type, to: $0) }.max() ?? 0
      } + 3
    case (.dependent, _), (_, .dependent): return 5
    case (.generic(let parameter), _):
      return resolver.module.progress.descend(or: false) {
        parameter.bounds.contains { conversion($0, to: target) < 500 }
      } ? 2 : 20
    case (.composition(let parts), _):
      return parts.map { conversion($0, to: target) }.min() ?? 500
    case (.nominal(let a, let first), .nominal(let b, let second)):
      if a === b {
        return zip(first, second).map { conversion($0, to: $1) }.max() ?? 0
      }
      if b.name == "Optional", b.module.isStub, let wrapped = second.first { return conversion(type, to: wrapped) + 1 }
      if resolver.ancestry(a).contains(b) { return 1 }
      // The stubs may declare only some conformances of a type.
      if b.kind == .protocolType { return a.module.isStub ? 200 : 500 }
      if a.kind == .protocolType, b.kind != .protocolType { return 300 }
      return a.name == "CGFloat" && b.name == "Double" || a.name == "Double" && b.name == "CGFloat" ? 3 : 1000
    case (.function(let a, _), .function(let b, _)): return a.count == b.count ? 1 : 500
    case (.metatype(let a), .metatype(let b)): return conversion(a, to: b)
    case (.tuple(let a, _), .tuple(let b, _)): return a.count == b.count ? 1 : 1000
    case (_, .nominal(let b, let arguments)) where b.name == "Optional":
      return (arguments.first.map { conversion(type, to: $0) } ?? 5) + 1
    default: return 1000
    }
  }

  // MARK: binding generic parameters

  /// Binds the generic parameters in `open` so that the type of a parameter matches the type of its argument.
  /// - Parameter onlyIfSame: whether to bind only if both types have the same nominal type, as for a type that the context expects.
  func unify(
    _ parameter: LinkedType, _ argument: LinkedType, _ open: Set<GenericParameter>, _ binding: inout Substitution,
    onlyIfSame: Bool = false
  ) {
    guard !argument.isUnknown, resolver.module.progress.spend() else { return }
    switch (parameter, argument) {
    case (.generic(let generic), _):
      // A generic parameter of the surrounding code is treated as a normal type.
      guard open.contains(generic), resolver.module.progress.spend(argument.size), !argument.mentions(open) else {
        return
      }
      if binding[generic].map({ $0.isUnknown }) ?? true { binding[generic] = argument }
    case (.nominal(let a, let first), .nominal(let b, let second)):
      if a === b {
        for (left, right) in zip(first, second) { unify(left, right, open, &binding) }
      } else if a.name == "Optional", let wrapped = first.first {
        unify(wrapped, argument, open, &binding, onlyIfSame: onlyIfSame)
      } else if !onlyIfSame {
        for base in resolver.inherited(b) {
          guard case .nominal(let other, _) = base, other === a else { continue }
          let own = Dictionary(zip(b.generics, second)) { first, _ in first }
          unify(parameter, resolver.substitute(own, in: base), open, &binding)
        }
        if a.kind == .protocolType, first.count == 1, let element = first.first {
          unify(element, resolver.memberType("Element", of: argument), open, &binding)
        }
      }
    case (.nominal(let a, let first), _) where a.name == "Optional":
      if let wrapped = first.first { unify(wrapped, argument, open, &binding, onlyIfSame: onlyIfSame) }
    case (.function(let a, let resultA), .function(let b, let resultB)):
      for (left, right) in zip(a, b) { unify(left, right, open, &binding) }
      unify(resultA, resultB, open, &binding)
    case (.tuple(let a, _), .tuple(let b, _)):
      for (left, right) in zip(a, b) { unify(left, right, open, &binding) }
    case (.metatype(let a), .metatype(let b)): unify(a, b, open, &binding)
    case (.metatype(let a), _): unify(a, argument, open, &binding)
    default: break
    }
  }

  /// Binds an operator that is passed as a function, as in `reduce(0, +)`. Its operands are assumed to have the same type.
  func bindOperator(_ parameter: LinkedType, _ open: Set<GenericParameter>, _ binding: inout Substitution) {
    guard case .function(let inputs, _) = parameter, let known = inputs.first(where: { !$0.isGeneric && !$0.isUnknown })
    else { return }
    for input in inputs { unify(input, known, open, &binding) }
  }

  /// Binds generic parameters by the type annotations of a closure: `{ (item: Item) in … }`.
  func bindAnnotations(
    of closure: ClosureFact, _ parameter: LinkedType, _ open: Set<GenericParameter>, _ binding: inout Substitution
  ) {
    guard case .function(let inputs, let output) = resolver.unwrapped(parameter) ?? parameter else { return }
    for (name, input) in zip(closure.parameters ?? [], inputs) {
      if let fact = name.type { unify(input, resolver.resolve(fact, in: scope), open, &binding) }
    }
    if let fact = closure.result { unify(output, resolver.resolve(fact, in: scope), open, &binding) }
  }
}

extension LinkedType {
  /// Whether the type is unknown, or an associated type that is not determined.
  fileprivate var isUndetermined: Bool {
    if case .dependent = self { return true }
    return isUnknown
  }

  /// Returns whether the type contains one of these parameters.
  fileprivate func mentions(_ parameters: Set<GenericParameter>) -> Bool {
    switch self {
    case .nominal(_, let arguments): arguments.contains { $0.mentions(parameters) }
    case .tuple(let elements, _), .composition(let elements): elements.contains { $0.mentions(parameters) }
    case .function(let inputs, let result): result.mentions(parameters) || inputs.contains { $0.mentions(parameters) }
    case .generic(let parameter): parameters.contains(parameter)
    case .dependent(let base, _), .metatype(let base): base.mentions(parameters)
    case .unknown: false
    }
  }
}

extension Expression {
  /// Whether the expression is a numeric literal without a sign, such as `3` or `2.5`.
  fileprivate var isBareNumber: Bool {
    switch self {
    case .integer, .float: true
    default: false
    }
  }

  /// Whether the expression is a numeric literal, with or without a prefix operator, such as `3`, `-3` or `2.5`.
  var isNumericLiteral: Bool {
    if case .prefix(_, let inner) = self { return inner.isBareNumber }
    return isBareNumber
  }

  /// Whether the expression is the name of an operator, as `+` in `reduce(0, +)`.
  var isOperatorName: Bool {
    guard case .name(let name, _) = self, let first = name.utf8.first else { return false }
    return "+-*/%&|^<>=!~".utf8.contains(first)
  }
}
