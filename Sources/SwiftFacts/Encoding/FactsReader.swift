/// A decoder of facts. The cache is not trusted: for bytes that the writer cannot have written, the result is `nil`, and the file is parsed again.
struct FactsReader {
  typealias Malformed = FactsCursor.Malformed

  var interface: FactsCursor
  /// The position in the details; `nil` if only the interface is read.
  var details: FactsCursor?
  var texts: LiteralTexts.Reading
  var isInDetails = false
  var depth = 0

  /// The maximum nesting depth of facts. The limits on sources keep the depth below this maximum, and the stack is large enough for it.
  static let depthLimit = 24_000
  /// The maximum capacity that is reserved for a list before its elements are read.
  static let reservedElements = 64

  /// Returns the statements of a file, or only its declarations if only the interface is read; `nil` if the bytes are not valid.
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

  /// Returns the statements of a file in order, including its declarations. If only the interface is read, these are only the declarations.
  mutating func statements(among declarations: [Declaration]) throws -> [Statement] {
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

  mutating func tag() throws -> UInt8 {
    if isInDetails, let tag = try details?.tag() { return tag }
    return try interface.tag()
  }

  mutating func number() throws -> Int {
    if isInDetails, let number = try details?.number() { return number }
    return try interface.number()
  }

  mutating func string() throws -> String {
    if isInDetails, let string = try details?.string() { return string }
    return try interface.string()
  }

  mutating func count() throws -> Int {
    if isInDetails, let count = try details?.count() { return count }
    return try interface.count()
  }

  mutating func flag() throws -> Bool { try tag() != 0 }

  /// Reads a value from the details; `nil` if only the interface is read.
  mutating func detail<Value>(_ read: (inout FactsReader) throws -> Value) throws -> Value? {
    guard details != nil else { return nil }
    let kept = isInDetails
    isInDetails = true
    defer { isInDetails = kept }
    return try read(&self)
  }

  /// Reads an optional value from the details.
  mutating func optionalDetail<Value>(_ read: (inout FactsReader) throws -> Value) throws -> Value? {
    try detail { try $0.optional(read) } ?? nil
  }

  mutating func list<Element>(_ read: (inout FactsReader) throws -> Element) throws -> [Element] {
    let count = try count()
    return try deeper { reader in
      var found: [Element] = []
      found.reserveCapacity(min(count, Self.reservedElements))
      for _ in 0..<count { found.append(try read(&reader)) }
      return found
    }
  }

  /// Reads a value that can contain values of the same kind, and limits the nesting depth.
  mutating func deeper<Value>(_ read: (inout FactsReader) throws -> Value) throws -> Value {
    guard depth < Self.depthLimit else { throw Malformed() }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  mutating func optional<Value>(_ read: (inout FactsReader) throws -> Value) throws -> Value? {
    try flag() ? try read(&self) : nil
  }

  // MARK: types

  mutating func type() throws -> TypeFact { try deeper { try $0.typeParts() } }

  mutating func typeParts() throws -> TypeFact {
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

  mutating func argument() throws -> Argument {
    let flags = try tag()
    let label = flags & 1 != 0 ? try string() : nil
    return Argument(label: label, value: try expression(), isTrailing: flags & 2 != 0)
  }

  mutating func literal() throws -> StringLiteral {
    let place = try texts.place()
    let excluded = try detail { PlatformSet(rawValue: UInt16(truncatingIfNeeded: try $0.number())) }
    let segments: [LiteralSegment] = try list { reader in
      try reader.tag() == 0
        ? .text(try reader.texts.text()) : .interpolation(try reader.list { try $0.argument() })
    }
    return StringLiteral(
      segments: segments, place: place, platforms: excluded?.complement ?? .all)
  }

  mutating func body() throws -> Body {
    let isSingle = try flag()
    return Body(statements: try list { try $0.statement() }, isSingleExpression: isSingle)
  }

  mutating func closure() throws -> ClosureFact {
    let parameters = try optional { reader in
      try reader.list { ClosureFact.Parameter(name: try $0.string(), type: try $0.optional { try $0.type() }) }
    }
    return ClosureFact(parameters: parameters, result: try optional { try $0.type() }, body: try body())
  }

  mutating func expression() throws -> Expression { try deeper { try $0.expressionParts() } }

  mutating func expressionParts() throws -> Expression {
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
}
