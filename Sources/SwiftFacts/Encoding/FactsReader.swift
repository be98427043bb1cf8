/// Decodes facts. Bytes that the writer cannot have written give `nil`, and the file is parsed again: a cache is never trusted.
struct FactsReader {
  private typealias Malformed = FactsCursor.Malformed

  private var interface: FactsCursor
  /// `nil` if only the interface is read.
  private var details: FactsCursor?
  private var texts: LiteralTexts.Reading
  private var isInDetails = false
  private var depth = 0

  /// The maximum nesting depth of facts. It is greater than the limits on sources allow, and the stack is large enough for it.
  private static let depthLimit = 24_000
  /// The capacity that is reserved at most for a list before its elements are read.
  private static let reservedElements = 64

  /// The statements of a file; if only the interface is read, the declarations.
  static func statements(
    interface: UnsafeBufferPointer<UInt8>, details: UnsafeBufferPointer<UInt8>?, texts: LiteralTexts.Reading
  ) -> [Statement]? {
    do {
      let inner = try details.map { bytes throws(Malformed) in try FactsCursor(bytes) }
      var reader = FactsReader(interface: try FactsCursor(interface), details: inner, texts: texts)
      let declarations = try reader.list { try $0.declaration() }
      let statements = try reader.statements(among: declarations)
      guard reader.interface.left == 0, reader.details?.left ?? 0 == 0 else { return nil }
      return statements
    } catch {
      return nil
    }
  }

  private init(interface: FactsCursor, details: FactsCursor?, texts: LiteralTexts.Reading) {
    self.interface = interface
    self.details = details
    self.texts = texts
  }

  /// The statements of a file in order, including its declarations.
  private mutating func statements(among declarations: [Declaration]) throws -> [Statement] {
    guard details != nil else { return declarations.map { .declaration($0) } }
    var rest = declarations.makeIterator()
    let statements = try detail {
      try $0.list { reader -> Statement in
        guard try reader.flag() else { return try reader.statement() }
        guard let next = rest.next() else { throw Malformed() }
        return .declaration(next)
      }
    }
    guard rest.next() == nil else { throw Malformed() }
    return statements ?? []
  }

  // MARK: primitives

  private mutating func tag() throws -> UInt8 {
    if isInDetails, let tag = try details?.tag() { return tag }
    return try interface.tag()
  }

  private mutating func number() throws -> Int {
    if isInDetails, let number = try details?.number() { return number }
    return try interface.number()
  }

  private mutating func string() throws -> String {
    if isInDetails, let string = try details?.string() { return string }
    return try interface.string()
  }

  private mutating func count() throws -> Int {
    if isInDetails, let count = try details?.count() { return count }
    return try interface.count()
  }

  private mutating func flag() throws -> Bool { try tag() != 0 }

  /// Reads a value from the details; `nil` if only the interface is read.
  private mutating func detail<Value>(_ read: (inout FactsReader) throws -> Value) throws -> Value? {
    guard details != nil else { return nil }
    let kept = isInDetails
    isInDetails = true
    defer { isInDetails = kept }
    return try read(&self)
  }

  /// Reads an optional value from the details.
  private mutating func optionalDetail<Value>(_ read: (inout FactsReader) throws -> Value) throws -> Value? {
    try detail { try $0.optional(read) } ?? nil
  }

  private mutating func list<Element>(_ read: (inout FactsReader) throws -> Element) throws -> [Element] {
    let count = try count()
    return try deeper { reader in
      var found: [Element] = []
      found.reserveCapacity(min(count, Self.reservedElements))
      for _ in 0..<count { found.append(try read(&reader)) }
      return found
    }
  }

  /// Reads a value that can contain values of the same kind.
  private mutating func deeper<Value>(_ read: (inout FactsReader) throws -> Value) throws -> Value {
    guard depth < Self.depthLimit else { throw Malformed() }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  private mutating func optional<Value>(_ read: (inout FactsReader) throws -> Value) throws -> Value? {
    try flag() ? try read(&self) : nil
  }

  // MARK: types

  private mutating func type() throws -> TypeFact { try deeper { try $0.typeParts() } }

  private mutating func typeParts() throws -> TypeFact {
    switch try tag() {
    case 0: .named(try string(), try list { try $0.type() })
    case 1: .member(try type(), try string(), try list { try $0.type() })
    case 2: .tuple(try list { LabeledTypeFact(label: try $0.optional { try $0.string() }, type: try $0.type()) })
    case 3: .function(try list { try $0.type() }, try type())
    case 4: .opaque(try type())
    case 5: .composition(try list { try $0.type() })
    case 6: .metatype(try type())
    case 7: .unknown
    default: throw Malformed()
    }
  }

  // MARK: expressions

  private mutating func argument() throws -> Argument {
    let flags = try tag()
    let label = flags & 1 != 0 ? try string() : nil
    return Argument(label: label, value: try expression(), isTrailing: flags & 2 != 0)
  }

  private mutating func literal() throws -> StringLiteral {
    let place = try texts.place()
    let excluded = try detail { PlatformSet(rawValue: UInt16(truncatingIfNeeded: try $0.number())) }
    let segments: [LiteralSegment] = try list { reader in
      try reader.tag() == 0
        ? .text(try reader.texts.text()) : .interpolation(try reader.list { try $0.argument() })
    }
    return StringLiteral(
      segments: segments, place: place, platforms: excluded?.complement ?? .all)
  }

  private mutating func body() throws -> Body {
    let isSingle = try flag()
    return Body(statements: try list { try $0.statement() }, isSingleExpression: isSingle)
  }

  private mutating func closure() throws -> ClosureFact {
    let parameters = try optional { reader in
      try reader.list { ClosureFact.Parameter(name: try $0.string(), type: try $0.optional { try $0.type() }) }
    }
    return ClosureFact(parameters: parameters, result: try optional { try $0.type() }, body: try body())
  }

  private mutating func expression() throws -> Expression { try deeper { try $0.expressionParts() } }

  private mutating func expressionParts() throws -> Expression {
    switch try tag() {
    case 0: .string(try literal())
    case 1: .integer
    case 2: .float
    case 3: .boolean
    case 4: .null
    case 5: .name(try string(), [])
    case 6: .name(try string(), try list { try $0.type() })
    case 7: .member(try expression(), try string(), [])
    case 8: .member(try expression(), try string(), try list { try $0.type() })
    case 9: .implicitMember(try string())
    case 10: .call(CallFact(callee: try expression(), arguments: try list { try $0.argument() }, isSubscript: true))
    case 11: .call(CallFact(callee: try expression(), arguments: try list { try $0.argument() }, isSubscript: false))
    case 12: .array(try list { try $0.expression() })
    case 13: .dictionary(try list { (key: try $0.expression(), value: try $0.expression()) })
    case 14: .tuple(try list { try $0.argument() })
    case 15: .closure(try closure())
    case 16: .ternary(try expression(), try expression(), try expression())
    case 17: .binary(try string(), try expression(), try expression())
    case 18: .prefix(try string(), try expression())
    case 19: .unwrap(try expression())
    case 20: .chain(try expression())
    case 21: .cast(try expression(), try type(), isOptional: false)
    case 22: .cast(try expression(), try type(), isOptional: true)
    case 23: .test(try expression())
    case 24: .type(try type())
    case 25: .statement(try statement())
    case 26: .macro(try string(), try list { try $0.argument() })
    case 27: .keyPath(try optional { try $0.type() }, try list { try $0.string() })
    case 28: .optionalTry(try expression())
    case 29: .parts(try list { try $0.expression() })
    default: throw Malformed()
    }
  }

  // MARK: patterns and statements

  private mutating func pattern() throws -> Pattern { try deeper { try $0.patternParts() } }

  private mutating func patternParts() throws -> Pattern {
    switch try tag() {
    case 0: .name(try string())
    case 1: .wildcard
    case 2: .tuple(try patterns())
    case 3: .enumCase(try optional { try $0.type() }, try string(), try patterns())
    case 4: .optional(try pattern())
    case 5: .typed(try pattern(), try type())
    case 6: .expression(try expression())
    default: throw Malformed()
    }
  }

  private mutating func patterns() throws -> [(label: String?, pattern: Pattern)] {
    try list { (label: try $0.optional { try $0.string() }, pattern: try $0.pattern()) }
  }

  private mutating func condition() throws -> Condition {
    switch try tag() {
    case 0: .expression(try expression())
    case 1: .binding(try pattern(), try optional { try $0.type() }, try optional { try $0.expression() })
    case 2: .match(try pattern(), try expression())
    default: throw Malformed()
    }
  }

  private mutating func statement() throws -> Statement {
    switch try tag() {
    case 0: .expression(try expression())
    case 1: .returning(try optional { try $0.expression() })
    case 2: .throwing(try expression())
    case 3: .declaration(try declaration())
    case 4: .condition(try list { try $0.condition() }, try body(), try optional { try $0.body() })
    case 5: .guarding(try list { try $0.condition() }, try body())
    case 6: .loop(try list { try $0.condition() }, try body())
    case 7:
      .forEach(
        try pattern(), try optional { try $0.type() }, try expression(), try optional { try $0.expression() },
        try body())
    case 8:
      .selection(
        try expression(),
        try list {
          SwitchCaseFact(
            patterns: try $0.list { try $0.pattern() }, guards: try $0.list { try $0.expression() },
            body: try $0.body())
        })
    case 9: .block(try list { try $0.body() })
    default: throw Malformed()
    }
  }

  // MARK: declarations

  private mutating func generics() throws -> [GenericParameterFact] {
    try list { GenericParameterFact(name: try $0.string(), bounds: try $0.list { try $0.type() }) }
  }

  private mutating func requirements() throws -> [RequirementFact] {
    try list {
      let isSame = try $0.flag()
      return RequirementFact(left: try $0.type(), right: try $0.type(), isSameType: isSame)
    }
  }

  private mutating func attributes() throws -> [AttributeFact] {
    try list {
      AttributeFact(type: try $0.type(), arguments: try $0.optional { try $0.list { try $0.argument() } })
    }
  }

  private mutating func parameters() throws -> [ParameterFact] {
    try list {
      let flags = try $0.tag()
      return ParameterFact(
        label: flags & 1 != 0 ? try $0.string() : nil, name: try $0.string(), type: try $0.type(),
        isVariadic: flags & 2 != 0, hasDefault: flags & 4 != 0,
        defaultValue: try $0.optionalDetail { try $0.expression() }, attributes: try $0.list { try $0.string() })
    }
  }

  private mutating func declaration() throws -> Declaration {
    switch try tag() {
    case 0:
      guard let kind = TypeDeclaration.Kind(rawValue: try tag()) else { throw Malformed() }
      return .type(
        TypeDeclaration(
          kind: kind, name: try string(), extended: try optional { try $0.type() }, generics: try generics(),
          inherited: try list { try $0.type() }, requirements: try requirements(), attributes: try attributes(),
          members: try list { try $0.declaration() }))
    case 1:
      guard let kind = FunctionDeclaration.Kind(rawValue: try tag()) else { throw Malformed() }
      let flags = try tag()
      return .function(
        FunctionDeclaration(
          kind: kind, name: try string(), isStatic: flags & 1 != 0, isFailable: flags & 2 != 0,
          isDisfavored: flags & 4 != 0, generics: try generics(), parameters: try parameters(),
          result: try optional { try $0.type() }, requirements: try requirements(), attributes: try attributes(),
          body: try optionalDetail { try $0.body() }))
    case 2:
      let flags = try tag()
      let pattern = try pattern()
      let type = try optional { try $0.type() }
      let value = type == nil ? try optional { try $0.expression() } : try optionalDetail { try $0.expression() }
      let attributes = try attributes()
      let holdsLiteral = try detail { try $0.flag() } ?? false
      return .variable(
        VariableDeclaration(
          pattern: pattern, isStatic: flags & 1 != 0, isLet: flags & 2 != 0, type: type, initializer: value,
          hasInitializer: flags & 4 != 0, initializerHoldsLiteral: holdsLiteral, isStored: flags & 8 != 0,
          isPrivate: flags & 16 != 0, attributes: attributes, getter: try optionalDetail { try $0.body() },
          observers: try detail { try $0.list { try $0.body() } } ?? []))
    case 3:
      return .enumCase(
        EnumCaseDeclaration(
          name: try string(), payload: try optional { try $0.parameters() },
          rawValue: try optionalDetail { try $0.expression() }))
    case 4: return .alias(AliasDeclaration(name: try string(), generics: try generics(), type: try type()))
    case 5:
      return .associatedType(AssociatedTypeDeclaration(name: try string(), bounds: try list { try $0.type() }))
    default: throw Malformed()
    }
  }
}
