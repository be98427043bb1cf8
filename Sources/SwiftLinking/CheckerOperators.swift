import SwiftFacts

extension Checker {
  /// Returns the common type of two branches: the floating-point type for an integer and a floating-point number, the optional for a value and an
  /// optional, and otherwise the type of the first branch.
  func merge(_ first: LinkedType, _ second: LinkedType) -> LinkedType {
    if first == second || second.isUnknown { return first }
    if case .nominal(let a, _) = first, case .nominal(let b, _) = second {
      if a.name == "Int", b.name == "Double" || b.name == "CGFloat" || b.name == "Float" { return second }
      if b.name == "Optional", a.name != "Optional" { return second }
    }
    return first
  }

  func array(_ elements: [Expression], _ expected: LinkedType, _ context: LiteralContext) -> LinkedType {
    let target = resolver.unwrapped(expected) ?? expected
    var element = LinkedType.unknown
    if case .nominal(let nominal, let arguments) = target, let first = arguments.first,
      nominal.kind != .protocolType || nominal.name.hasSuffix("Collection") || nominal.name == "Sequence"
    {
      element = first
    } else if case .nominal(let nominal, _) = target {
      element = resolver.memberType("ArrayLiteralElement", of: .nominal(nominal, []))
    }
    if let nominal = element.nominal, nominal.module.isStub, nominal.name == "AppShortcutPhrase" {
      phrases(elements)
      return target
    }
    if element.isUnknown || element.isGeneric, let told = elementTold(by: elements) { element = told }
    var found = LinkedType.unknown
    for part in elements {
      let type = check(part, element, context)
      if found.isUnknown { found = type }
    }
    if case .metatype(let inner) = found, elements.count == 1 { return .metatype(resolver.standard("Array", [inner])) }
    if !target.isUnknown, target.nominal?.kind != .protocolType { return target }
    var held = element.isUnknown || element.isGeneric ? found : element
    let holdsNil = elements.contains { if case .null = $0 { true } else { false } }
    if holdsNil, resolver.unwrapped(held) == nil { held = resolver.optional(held) }
    return resolver.standard("Array", [held])
  }

  /// Returns the element type that one element determines for the others, as in `[Text("a"), .init("b")]` and `[(key, 1), ("b", 2)]`.
  private func elementTold(by elements: [Expression]) -> LinkedType? {
    // Nested collections skip this step while `type(of:)` below checks them, because the work would otherwise double with each level of nesting.
    guard sink != nil, elements.count > 1, elements.contains(where: \.leavesTypeOpen),
      let told = elements.first(where: { !$0.leavesTypeOpen })
    else { return nil }
    let type = type(of: told)
    return type.isUnknown || type.isGeneric ? nil : type
  }

  func dictionary(
    _ elements: [(key: Expression, value: Expression)], _ expected: LinkedType, _ context: LiteralContext
  ) -> LinkedType {
    let target = resolver.unwrapped(expected) ?? expected
    var key = LinkedType.unknown
    var value = LinkedType.unknown
    if case .nominal(_, let arguments) = target, arguments.count == 2 {
      key = arguments[0]
      value = arguments[1]
    } else if case .nominal(let nominal, _) = target {
      key = resolver.memberType("Key", of: .nominal(nominal, []))
      value = resolver.memberType("Value", of: .nominal(nominal, []))
    }
    var found: (LinkedType, LinkedType) = (.unknown, .unknown)
    for element in elements {
      let keyType = check(element.key, key, context)
      let valueType = check(element.value, value, context)
      if found.0.isUnknown { found.0 = keyType }
      if found.1.isUnknown { found.1 = valueType }
    }
    if case .metatype(let a) = found.0, case .metatype(let b) = found.1 {
      return .metatype(resolver.standard("Dictionary", [a, b]))
    }
    if !target.isUnknown { return target }
    return resolver.standard("Dictionary", [found.0, found.1])
  }

  func binary(
    _ name: String, _ left: Expression, _ right: Expression, _ expected: LinkedType, _ context: LiteralContext
  ) -> LinkedType {
    switch name {
    case "=":
      let type = check(left)
      check(right, type, LiteralContext(api: "="))
      return .void
    case "+=", "-=", "*=", "/=":
      let type = check(left)
      check(right, type)
      return .void
    case "??":
      let optional = expected.isUnknown ? LinkedType.unknown : resolver.optional(expected)
      let first = check(left, optional, context)
      let wrapped = resolver.unwrapped(first) ?? first
      let second = check(right, expected.isUnknown ? wrapped : expected, context)
      return wrapped.isUnknown ? second : (resolver.unwrapped(second) != nil ? second : wrapped)
    case "==", "!=", "<", ">", "<=", ">=", "===", "!==", "~=":
      let first = check(left)
      check(right, first, LiteralContext(api: name))
      return resolver.standard("Bool")
    case "&&", "||":
      check(left)
      check(right)
      return resolver.standard("Bool")
    case "...", "..<":
      let lower = check(left)
      let upper = check(right)
      let isLiteral = if case .integer = left { true } else { lower.isUnknown }
      return resolver.standard(name == "..." ? "ClosedRange" : "Range", [isLiteral ? upper : lower])
    case "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&+", "&-", "&*":
      if let type = declaredOperation(name, left, right) { return type }
      return arithmetic(left, right, expected)
    default:
      if let type = declaredOperation(name, left, right) { return type }
      check(left)
      check(right)
      return .unknown
    }
  }

  private func arithmetic(_ left: Expression, _ right: Expression, _ expected: LinkedType) -> LinkedType {
    let isNumeric = resolver.conforms(expected, to: "ExpressibleByIntegerLiteral")
    let isCollection = resolver.conforms(expected, to: "Collection") && expected.nominal?.name != "String"
    let wanted = isNumeric || isCollection ? expected : .unknown
    if left.isCollectionLiteral, !isCollection {
      // In `["a"] + keys`, the other side determines the type of the literal.
      let second = check(right)
      let first = check(left, second)
      return second.isUnknown ? first : second
    }
    let first = check(left, wanted)
    let isJoined = first.nominal?.name != "String" && resolver.conforms(first, to: "Collection")
    let second = check(
      right, isJoined && right.isCollectionLiteral ? first : first.nominal?.name == "String" ? .unknown : wanted)
    if case .integer = left { return second }
    if case .float = left, second.nominal?.name == "CGFloat" || second.nominal?.name == "Float" { return second }
    if first.isUnknown, case .integer = right { return .unknown }
    return first.isUnknown ? second : first
  }

  /// Returns the type of an operation whose operator the project declares; `nil` if the project declares no such operator with two operands. Each
  /// operand is visited only once, even in long chains.
  private func declaredOperation(_ name: String, _ left: Expression, _ right: Expression) -> LinkedType? {
    let declared = resolver.operators(name).compactMap { resolver.signature(of: $0) }.filter {
      $0.parameters.count == 2
    }
    guard !declared.isEmpty else { return nil }
    func fits(_ type: LinkedType, _ signature: Signature, _ index: Int) -> Bool {
      let parameter = signature.parameters[index].type
      return !type.isUnknown && !parameter.isGeneric && conversion(type, to: parameter) < 4
    }
    let isReversed = if case .string = left { true } else { false }
    let first = check(isReversed ? right : left)
    let own = isReversed ? 1 : 0
    guard let chosen = declared.first(where: { fits(first, $0, own) }) else {
      let second = check(isReversed ? left : right)
      return declared.first { fits(second, $0, 1 - own) }?.result ?? (first.isUnknown ? second : first)
    }
    check(isReversed ? left : right, chosen.parameters[1 - own].type, LiteralContext(api: name))
    return chosen.result
  }

  /// Returns the type of an operand with a prefix operator. If the project declares the operator, its function determines the types of operand and
  /// result, as for `%"key"` with `prefix func % (key: String.LocalizationValue) -> String`.
  func prefixed(
    _ name: String, _ operand: Expression, _ expected: LinkedType, _ context: LiteralContext
  ) -> LinkedType {
    if name == "!" {
      check(operand)
      return resolver.standard("Bool")
    }
    let isText = if case .string = operand { true } else { false }
    // The standard library has functions for these operators, but none of them takes a text.
    if isText || !["-", "+", "~"].contains(name) {
      let declared = resolver.operators(name).filter { $0.isVisible(in: scope.file) }
        .compactMap { candidate($0, [:])?.withoutLabels }
      if let type = resolve(declared, [Argument(value: operand)], expected, api: name) { return type }
    }
    return check(operand, expected, context)
  }

  func keyPath(_ root: TypeFact?, _ names: [String], _ expected: LinkedType) -> LinkedType {
    var base = root.map { resolver.resolve($0, in: scope) } ?? .unknown
    if base.isUnknown, case .nominal(let nominal, let arguments) = expected, nominal.name.hasSuffix("KeyPath"),
      let first = arguments.first
    {
      base = first
    }
    // A key path can be used as a function (SE-0249), as in `items.map(\.name)`.
    let isFunction: Bool
    if case .function(let inputs, _) = resolver.unwrapped(expected) ?? expected, inputs.count == 1 {
      isFunction = true
      if base.isUnknown { base = inputs[0] }
    } else {
      isFunction = false
    }
    guard !base.isUnknown else { return .unknown }
    var type = base
    for name in names where name != "self" {
      type = memberType(name, of: type)
      if type.isUnknown { break }
    }
    if isFunction { return .function([base], type) }
    if case .nominal(let nominal, let arguments) = expected, nominal.name.hasSuffix("KeyPath"), arguments.count == 2 {
      return .nominal(nominal, [base, type])
    }
    return resolver.standard("KeyPath", [base, type])
  }
}

extension Candidate {
  /// The candidate without parameter labels, because an operator is called without labels.
  fileprivate var withoutLabels: Candidate {
    var own = self
    own.signature = Signature(
      parameters: signature.parameters.map { parameter in
        var parameter = parameter
        parameter.label = nil
        return parameter
      }, result: signature.result, generics: signature.generics, sameTypes: signature.sameTypes,
      isDisfavored: signature.isDisfavored)
    return own
  }
}

extension Expression {
  /// Whether the type of the expression depends on the other elements if the expression is an element of a collection literal.
  fileprivate var leavesTypeOpen: Bool {
    switch self {
    case .string, .implicitMember, .null: true
    case .call(let fact): if case .implicitMember = fact.callee { true } else { false }
    case .tuple(let parts): parts.contains { if case .string = $0.value { true } else { false } }
    default: false
    }
  }

  fileprivate var isCollectionLiteral: Bool {
    switch self {
    case .array, .dictionary: true
    default: false
    }
  }
}
