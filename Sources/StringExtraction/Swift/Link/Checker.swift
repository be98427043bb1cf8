/// Follows a file's code with types in both directions, as far as a literal's type asks for it.
///
/// Down goes the type that the context expects, up comes the type that an expression has. A literal is localizable where the type that
/// it takes is; nothing is told from names.
final class Checker {
  let resolver: TypeResolver
  var scope: TypeScope
  /// Frames of local names, the innermost last.
  var locals: [[String: LinkedType]] = [[:]]
  var localFunctions: [[String: [Member]]] = [[:]]
  /// The type of `self`; a metatype in static code.
  var selfType: LinkedType = .unknown
  var returnType: LinkedType = .unknown
  /// Where literals go; `nil` while only a type is asked for.
  var sink: LiteralSink?
  /// Functions that take a key by name (`LOCALIZED_STRING_MACRO_NAMES`).
  var macros: Set<String> = []
  /// Bounds the descent on code whose types go in circles.
  var depth = 0

  init(module: Module, scope: TypeScope) {
    resolver = TypeResolver(module: module)
    self.scope = scope
  }

  /// A checker that only tells types.
  static func pure(module: Module, scope: TypeScope) -> Checker {
    let checker = Checker(module: module, scope: scope)
    if let nominal = scope.nominal { checker.selfType = nominal.selfType }
    return checker
  }

  /// The type of an expression, without collecting its literals.
  func type(of expression: Expression, expecting expected: LinkedType = .unknown) -> LinkedType {
    let kept = sink
    sink = nil
    defer { sink = kept }
    return check(expression, expected)
  }

  // MARK: expressions

  @discardableResult
  func check(
    _ expression: Expression, _ expected: LinkedType = .unknown, _ context: LiteralContext = LiteralContext(api: "")
  ) -> LinkedType {
    depth += 1
    defer { depth -= 1 }
    guard depth < 3000 else { return .unknown }
    switch expression {
    case .string(let literal): return self.literal(literal, expected, context)
    case .integer:
      return resolver.conforms(expected, to: "ExpressibleByIntegerLiteral") && expected.nominal?.kind != .protocolType
        ? expected : resolver.standard("Int")
    case .float:
      return resolver.conforms(expected, to: "ExpressibleByFloatLiteral") && expected.nominal?.kind != .protocolType
        ? expected : resolver.standard("Double")
    case .boolean: return resolver.standard("Bool")
    case .null: return expected
    case .name(let name, let generics): return value(named: name, generics)
    case .member(let base, let name, _): return member(name, of: base)
    case .implicitMember(let name): return implicitMember(name, expected)
    case .call(let fact): return call(fact, expected, context)
    case .array(let elements): return array(elements, expected, context)
    case .dictionary(let elements): return dictionary(elements, expected, context)
    case .tuple(let elements):
      var types: [LinkedType] = []
      var wanted: [LinkedType] = []
      if case .tuple(let inner, _) = expected { wanted = inner }
      for (index, element) in elements.enumerated() {
        types.append(check(element.value, index < wanted.count ? wanted[index] : .unknown, context))
      }
      return .tuple(types, labels: elements.map(\.label))
    case .closure(let closure): return self.closure(closure, expected)
    case .ternary(let condition, let then, let otherwise):
      check(condition)
      let first = check(then, expected, context)
      let second = check(otherwise, expected, context)
      return first.isUnknown ? second : merge(first, second)
    case .binary(let name, let left, let right): return binary(name, left, right, expected, context)
    case .prefix(let name, let inner):
      return name == "!"
        ? {
          check(inner); return resolver.standard("Bool")
        }() : check(inner, expected, context)
    case .unwrap(let inner), .chain(let inner):
      let type = check(inner)
      return resolver.unwrapped(type) ?? type
    case .cast(let inner, let fact, let isOptional):
      let type = resolver.resolve(fact, in: scope)
      check(inner, type, context.api.isEmpty ? LiteralContext(api: "as") : context)
      return isOptional ? resolver.optional(type) : type
    case .test(let inner):
      check(inner)
      return resolver.standard("Bool")
    case .type(let fact): return .metatype(resolver.resolve(fact, in: scope))
    case .statement(let statement): return visit(statement, expecting: expected, context)
    case .macro(let name, let arguments): return macro(name, arguments, expected, context)
    case .keyPath(let root, let names): return keyPath(root, names, expected)
    case .optionalTry(let inner):
      let type = check(inner, expected, context)
      return resolver.unwrapped(type) == nil ? resolver.optional(type) : type
    case .parts(let parts):
      for part in parts { check(part) }
      return .unknown
    }
  }

  /// Of two branches the one that tells more.
  private func merge(_ first: LinkedType, _ second: LinkedType) -> LinkedType {
    if first == second || second.isUnknown { return first }
    if case .nominal(let a, _) = first, case .nominal(let b, _) = second {
      if a.name == "Int", b.name == "Double" || b.name == "CGFloat" || b.name == "Float" { return second }
      if b.name == "Optional", a.name != "Optional" { return second }
    }
    return first
  }

  private func array(_ elements: [Expression], _ expected: LinkedType, _ context: LiteralContext) -> LinkedType {
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
    var found = LinkedType.unknown
    for part in elements {
      let type = check(part, element, context)
      if found.isUnknown { found = type }
    }
    if case .metatype(let inner) = found, elements.count == 1 { return .metatype(resolver.standard("Array", [inner])) }
    if !target.isUnknown, target.nominal?.kind != .protocolType { return target }
    return resolver.standard("Array", [element.isUnknown || element.isGeneric ? found : element])
  }

  private func dictionary(
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

  private func binary(
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
      return arithmetic(left, right, expected)
    default:
      check(left)
      check(right)
      return .unknown
    }
  }

  private func arithmetic(_ left: Expression, _ right: Expression, _ expected: LinkedType) -> LinkedType {
    let isNumeric = resolver.conforms(expected, to: "ExpressibleByIntegerLiteral")
    let first = check(left, isNumeric ? expected : .unknown)
    let second = check(right, first.nominal?.name == "String" ? .unknown : isNumeric ? expected : .unknown)
    if case .integer = left, !second.isUnknown { return second }
    if case .float = left, second.nominal?.name == "CGFloat" || second.nominal?.name == "Float" { return second }
    return first.isUnknown ? second : first
  }

  private func keyPath(_ root: TypeFact?, _ names: [String], _ expected: LinkedType) -> LinkedType {
    var base = root.map { resolver.resolve($0, in: scope) } ?? .unknown
    if base.isUnknown, case .nominal(let nominal, let arguments) = expected, nominal.name.hasSuffix("KeyPath"),
      let first = arguments.first
    {
      base = first
    }
    guard !base.isUnknown else { return .unknown }
    var type = base
    for name in names where name != "self" {
      type = memberType(name, of: type)
      if type.isUnknown { break }
    }
    if case .nominal(let nominal, let arguments) = expected, nominal.name.hasSuffix("KeyPath"), arguments.count == 2 {
      return .nominal(nominal, [base, type])
    }
    return resolver.standard("KeyPath", [base, type])
  }

  // MARK: closures

  func closure(_ closure: ClosureFact, _ expected: LinkedType) -> LinkedType {
    var parameters: [LinkedType] = []
    var result = closure.result.map { resolver.resolve($0, in: scope) } ?? .unknown
    let target = resolver.unwrapped(expected) ?? expected
    if case .function(let inputs, let output) = target {
      parameters = inputs
      if result.isUnknown { result = output }
    }
    var frame: [String: LinkedType] = [:]
    if let names = closure.parameters {
      // One tuple for several names: `{ index, item in` over `enumerated()`.
      if names.count > 1, parameters.count == 1, case .tuple(let parts, _)? = parameters.first { parameters = parts }
      for (index, parameter) in names.enumerated() {
        frame[parameter.name] =
          parameter.type.map { resolver.resolve($0, in: scope) }
          ?? (index < parameters.count ? parameters[index] : .unknown)
      }
    } else {
      for (index, type) in parameters.enumerated() { frame["$\(index)"] = type }
      if parameters.count == 1, case .tuple(let parts, _)? = parameters.first {
        for (index, type) in parts.enumerated() where index > 0 { frame["$\(index)"] = type }
      }
    }
    let kept = returnType
    returnType = result.isGeneric ? .unknown : result
    defer { returnType = kept }
    let found = visit(closure.body, frame: frame, expecting: returnType, LiteralContext(api: "closure"))
    return .function(parameters, result.isUnknown || result.isGeneric ? found : result)
  }

  // MARK: interpolation

  /// The phrases of one App Shortcut are one string, whose key is the first of them.
  private func phrases(_ elements: [Expression]) {
    guard let sink else { return }
    var found: [(parts: [KeyPart], place: SourcePlace)] = []
    for case .string(let literal) in elements {
      let parts = literal.segments.map { segment -> KeyPart in
        switch segment {
        case .text(let text): .text(text)
        case .interpolation(let arguments): specifier(arguments, isTaken: true)
        }
      }
      if sink.explains {
        sink.explanations.append(
          LiteralExplanation(
            line: Int(literal.place.line), column: Int(literal.place.column), text: literal.sketch, isTaken: true,
            type: "AppShortcutPhrase", context: "AppShortcut"))
      }
      found.append((parts, literal.place))
    }
    guard let first = found.first else { return }
    sink.found.append(
      LocalizedLiteral(
        key: first.parts, value: nil, comment: nil, table: .named("AppShortcuts"), place: first.place,
        api: "AppShortcut", phrases: found.map(\.parts)))
  }

  private func literal(_ literal: StringLiteral, _ expected: LinkedType, _ context: LiteralContext) -> LinkedType {
    let target = localizable(expected)
    if let sink, sink.explains {
      sink.explanations.append(
        LiteralExplanation(
          line: Int(literal.place.line), column: Int(literal.place.column), text: literal.sketch,
          isTaken: target != nil,
          type: expected.name, context: context.api))
    }
    var parts: [KeyPart] = []
    for segment in literal.segments {
      switch segment {
      case .text(let text): parts.append(.text(text))
      case .interpolation(let arguments): parts.append(specifier(arguments, isTaken: target != nil))
      }
    }
    guard let target else {
      return resolver.conforms(expected, to: "ExpressibleByStringLiteral") && expected.nominal?.kind != .protocolType
        ? expected : resolver.standard("String")
    }
    if let sink, !context.isValue, target.nominal?.name != "_LocalizationKey" || literal.plainText != nil {
      var value: [KeyPart]?
      if let given = context.value { value = valueParts(given) }
      sink.found.append(
        LocalizedLiteral(
          key: parts, value: value, comment: context.comment, table: context.table, place: literal.place,
          api: context.api))
    }
    return target
  }

  private func valueParts(_ expression: Expression) -> [KeyPart]? {
    guard case .string(let literal) = expression else { return nil }
    let kept = sink
    sink = nil
    defer { sink = kept }
    return literal.segments.map { segment in
      switch segment {
      case .text(let text): .text(text)
      case .interpolation(let arguments): specifier(arguments, isTaken: true)
      }
    }
  }

  /// The type that a literal takes, if it is one that Xcode extracts.
  func localizable(_ type: LinkedType) -> LinkedType? {
    switch type {
    case .nominal(let nominal, let arguments):
      if nominal.name == "Optional", let wrapped = arguments.first { return localizable(wrapped) }
      return nominal.kind != .protocolType && resolver.conforms(type, to: "_LocalizableLiteral") ? type : nil
    default: return nil
    }
  }

  private func specifier(_ arguments: [Argument], isTaken: Bool) -> KeyPart {
    guard let first = arguments.first else { return .undecided }
    for argument in arguments.dropFirst() {
      switch argument.label {
      case "specifier":
        if case .string(let literal) = argument.value, let text = literal.plainText {
          check(first.value)
          return .specifier(text)
        }
      case "placeholder":
        if case .implicitMember(let name) = argument.value { return .specifier(Self.placeholder(name)) }
      default: check(argument.value)
      }
    }
    if first.label == "placeholder", case .implicitMember(let name) = first.value {
      return .specifier(Self.placeholder(name))
    }
    if isTaken {
      if case .keyPath(_, let names) = first.value, let name = names.last {
        return .specifier("${" + (name.hasPrefix("$") ? String(name.dropFirst()) : name) + "}")
      }
      if arguments.count == 1, case .implicitMember(let name) = first.value, name == "applicationName" {
        return .specifier("${\(name)}")
      }
    }
    let type = check(first.value)
    if arguments.count > 1 { return .specifier("%@") }
    return Self.specifier(of: type)
  }

  private static func placeholder(_ name: String) -> String {
    switch name {
    case "int": "%lld"
    case "uint": "%llu"
    case "float": "%f"
    case "double": "%lf"
    default: "%@"
    }
  }

  static func specifier(of type: LinkedType) -> KeyPart {
    switch type {
    case .nominal(let nominal, _) where nominal.module.isStub:
      switch nominal.name {
      case "Int", "Int64": .specifier("%lld")
      case "UInt", "UInt64": .specifier("%llu")
      case "Int8", "Int16", "Int32": .specifier("%d")
      case "UInt8", "UInt16", "UInt32": .specifier("%u")
      case "Double", "CGFloat": .specifier("%lf")
      case "Float": .specifier("%f")
      default: .specifier("%@")
      }
    case .nominal, .tuple, .function, .metatype: .specifier("%@")
    case .composition, .generic: .specifier("%@")
    case .dependent, .unknown: .undecided
    }
  }
}

extension StringLiteral {
  /// The literal for people.
  var sketch: String {
    segments.map { segment in
      switch segment {
      case .text(let text): text
      case .interpolation: "\\(…)"
      }
    }.joined()
  }
}

extension LinkedType {
  /// The type for people.
  var name: String {
    switch self {
    case .nominal(let nominal, let arguments):
      arguments.isEmpty ? nominal.name : "\(nominal.name)<\(arguments.map(\.name).joined(separator: ", "))>"
    case .tuple(let elements, _): "(\(elements.map(\.name).joined(separator: ", ")))"
    case .function(let inputs, let output): "(\(inputs.map(\.name).joined(separator: ", "))) -> \(output.name)"
    case .generic(let parameter): parameter.name
    case .dependent(let base, let name): "\(base.name).\(name)"
    case .composition(let parts): parts.isEmpty ? "Any" : parts.map(\.name).joined(separator: " & ")
    case .metatype(let inner): "\(inner.name).Type"
    case .unknown: "unknown"
    }
  }
}
