extension FactsWriter {
  mutating func argument(_ argument: Argument) {
    flags(argument.label != nil, argument.isTrailing)
    if let label = argument.label { string(label) }
    expression(argument.value)
  }

  /// Writes a literal. The type that other files see depends only on the existence of the literal and on its interpolations.
  mutating func literal(_ literal: StringLiteral) {
    texts.places.append(literal.place)
    inDetails { $0.number(Int(literal.platforms.complement.rawValue)) }
    list(literal.segments) { writer, segment in
      switch segment {
      case .text(let text):
        writer.tag(0)
        writer.texts.texts.append(text)
      case .interpolation(let arguments):
        writer.tag(1)
        writer.list(arguments) { $0.argument($1) }
      }
    }
  }

  mutating func body(_ body: Body) {
    flag(body.isSingleExpression)
    list(body.statements) { $0.statement($1) }
  }

  mutating func expression(_ expression: Expression) {
    asExpression { $0.parts(of: expression) }
  }

  mutating func parts(of expression: Expression) {
    switch expression {
    case .string(let literal):
      tag(0)
      self.literal(literal)
    case .integer: tag(1)
    case .float: tag(2)
    case .boolean: tag(3)
    case .null: tag(4)
    case .name(let name, let generics):
      tag(generics.isEmpty ? 5 : 6)
      mention(name)
      if !generics.isEmpty { list(generics) { $0.type($1) } }
    case .member(let base, let name, let generics):
      tag(generics.isEmpty ? 7 : 8)
      self.expression(base)
      mention(name)
      if !generics.isEmpty { list(generics) { $0.type($1) } }
    case .implicitMember(let name):
      tag(9)
      mention(name)
    case .call(let call):
      tag(call.isSubscript ? 10 : 11)
      switch call.callee {
      case .name, .member, .implicitMember: break
      default: names.mentionInitializer(isInInterface: !isInDetails)
      }
      self.expression(call.callee)
      list(call.arguments) { $0.argument($1) }
    case .array(let elements):
      tag(12)
      // The literal may call `init(arrayLiteral:)` or `init(dictionaryLiteral:)`.
      names.mentionInitializer(isInInterface: !isInDetails)
      list(elements) { $0.expression($1) }
    case .dictionary(let elements):
      tag(13)
      names.mentionInitializer(isInInterface: !isInDetails)
      list(elements) {
        $0.expression($1.key)
        $0.expression($1.value)
      }
    case .tuple(let elements):
      tag(14)
      list(elements) { $0.argument($1) }
    case .closure(let closure):
      tag(15)
      optional(closure.parameters) { writer, parameters in
        writer.list(parameters) {
          $0.string($1.name)
          $0.optional($1.type) { $0.type($1) }
        }
      }
      optional(closure.result) { $0.type($1) }
      body(closure.body)
    case .ternary(let condition, let then, let otherwise):
      tag(16)
      self.expression(condition)
      self.expression(then)
      self.expression(otherwise)
    case .binary(let name, let left, let right):
      tag(17)
      mention(name)
      self.expression(left)
      self.expression(right)
    case .prefix(let name, let inner):
      tag(18)
      mention(name)
      self.expression(inner)
    case .unwrap(let inner):
      tag(19)
      self.expression(inner)
    case .chain(let inner):
      tag(20)
      self.expression(inner)
    case .cast(let inner, let type, let isOptional):
      tag(isOptional ? 22 : 21)
      self.expression(inner)
      self.type(type)
    case .test(let inner):
      tag(23)
      self.expression(inner)
    case .type(let type):
      tag(24)
      self.type(type)
    case .statement(let statement):
      tag(25)
      self.statement(statement)
    case .macro(let name, let arguments):
      tag(26)
      mention(name)
      list(arguments) { $0.argument($1) }
    case .keyPath(let root, let names):
      tag(27)
      optional(root) { $0.type($1) }
      list(names) { $0.mention($1) }
    case .optionalTry(let inner):
      tag(28)
      self.expression(inner)
    case .parts(let parts):
      tag(29)
      list(parts) { $0.expression($1) }
    }
  }
}
