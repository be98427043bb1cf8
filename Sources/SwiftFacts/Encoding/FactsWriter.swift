/// Encodes facts: the tree in order, with separate streams for the interface and the details. The texts of literals are stored separately.
///
/// Values are written and read by position, so every change of the tree needs a new `FactsEncoding.version`.
package struct FactsWriter {
  private var interface = FactsStream()
  private var details = FactsStream()
  private var texts = LiteralTexts()
  private var isInDetails = false
  private var names = NameCollector()

  /// Encodes a file's statements. `EncodedFacts` encodes the imports and the first error.
  package static func encode(_ facts: FileFacts) -> (
    interface: [UInt8], details: [UInt8], texts: LiteralTexts, names: FileNames
  ) {
    var writer = FactsWriter()
    let declarations = facts.statements.compactMap {
      if case .declaration(let declaration) = $0 { declaration } else { nil }
    }
    writer.list(declarations) { $0.declaration($1) }
    // The statements of a script are mixed with its declarations. Other files cannot see them.
    writer.inDetails {
      $0.list(facts.statements) { writer, statement in
        if case .declaration = statement { return writer.flag(true) }
        writer.flag(false)
        writer.statement(statement)
      }
    }
    return (
      writer.interface.finished(), writer.details.finished(), writer.texts,
      writer.names.finished(holdsLiterals: facts.holdsLiterals)
    )
  }

  // MARK: primitives

  private mutating func inDetails(_ write: (inout FactsWriter) -> Void) {
    let kept = isInDetails
    isInDetails = true
    write(&self)
    isInDetails = kept
  }

  private mutating func number(_ value: Int) {
    guard !isInDetails else { return details.number(value) }
    interface.number(value)
    names.mix(UInt64(truncatingIfNeeded: value) | 1 << 63)
  }

  private mutating func tag(_ value: UInt8) {
    guard !isInDetails else { return details.tag(value) }
    interface.tag(value)
    names.mix(UInt64(value))
  }

  private mutating func string(_ value: String) {
    guard !isInDetails else { return details.string(value) }
    interface.string(value)
    for byte in value.utf8 { names.mix(UInt64(byte) | 1 << 32) }
    names.mix(1 << 33)
  }

  /// Writes a name that the linker may look up.
  private mutating func mention(_ name: String) {
    string(name)
    names.mention(name, isInInterface: !isInDetails)
  }

  /// Marks the names that `write` writes as names of values.
  private mutating func asExpression(_ write: (inout FactsWriter) -> Void) {
    let kept = names.isInExpression
    names.isInExpression = true
    write(&self)
    names.isInExpression = kept
  }

  private mutating func flag(_ value: Bool) { tag(value ? 1 : 0) }

  private mutating func flags(_ values: Bool...) {
    tag(values.enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) })
  }

  private mutating func list<Element>(_ values: [Element], _ write: (inout FactsWriter, Element) -> Void) {
    number(values.count)
    for value in values { write(&self, value) }
  }

  private mutating func optional<Value>(_ value: Value?, _ write: (inout FactsWriter, Value) -> Void) {
    flag(value != nil)
    if let value { write(&self, value) }
  }

  /// Writes a value that is not part of the interface, including whether it exists.
  private mutating func detail<Value>(_ value: Value?, _ write: (inout FactsWriter, Value) -> Void) {
    inDetails { $0.optional(value, write) }
  }

  // MARK: types

  private mutating func type(_ type: TypeFact) {
    switch type {
    case .named(let name, let arguments):
      tag(0)
      mention(name)
      list(arguments) { $0.type($1) }
    case .member(let base, let name, let arguments):
      tag(1)
      self.type(base)
      mention(name)
      list(arguments) { $0.type($1) }
    case .tuple(let elements):
      tag(2)
      list(elements) {
        $0.optional($1.label) { $0.string($1) }
        $0.type($1.type)
      }
    case .function(let parameters, let result):
      tag(3)
      list(parameters) { $0.type($1) }
      self.type(result)
    case .opaque(let inner):
      tag(4)
      self.type(inner)
    case .composition(let parts):
      tag(5)
      list(parts) { $0.type($1) }
    case .metatype(let inner):
      tag(6)
      self.type(inner)
    case .unknown: tag(7)
    }
  }

  // MARK: expressions

  private mutating func argument(_ argument: Argument) {
    flags(argument.label != nil, argument.isTrailing)
    if let label = argument.label { string(label) }
    expression(argument.value)
  }

  /// What other files see of a literal's type depends only on the existence of the literal and on its interpolations.
  private mutating func literal(_ literal: StringLiteral) {
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

  private mutating func body(_ body: Body) {
    flag(body.isSingleExpression)
    list(body.statements) { $0.statement($1) }
  }

  private mutating func expression(_ expression: Expression) {
    asExpression { $0.parts(of: expression) }
  }

  private mutating func parts(of expression: Expression) {
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
      list(elements) { $0.expression($1) }
    case .dictionary(let elements):
      tag(13)
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

  // MARK: patterns and statements

  private mutating func pattern(_ pattern: Pattern) {
    switch pattern {
    case .name(let name):
      tag(0)
      string(name)
    case .wildcard: tag(1)
    case .tuple(let elements):
      tag(2)
      patterns(elements)
    case .enumCase(let type, let name, let elements):
      tag(3)
      optional(type) { $0.type($1) }
      mention(name)
      patterns(elements)
    case .optional(let inner):
      tag(4)
      self.pattern(inner)
    case .typed(let inner, let type):
      tag(5)
      self.pattern(inner)
      self.type(type)
    case .expression(let value):
      tag(6)
      expression(value)
    }
  }

  private mutating func patterns(_ elements: [(label: String?, pattern: Pattern)]) {
    list(elements) {
      $0.optional($1.label) { $0.string($1) }
      $0.pattern($1.pattern)
    }
  }

  private mutating func condition(_ condition: Condition) {
    switch condition {
    case .expression(let value):
      tag(0)
      expression(value)
    case .binding(let pattern, let type, let value):
      tag(1)
      self.pattern(pattern)
      optional(type) { $0.type($1) }
      optional(value) { $0.expression($1) }
    case .match(let pattern, let value):
      tag(2)
      self.pattern(pattern)
      expression(value)
    }
  }

  private mutating func statement(_ statement: Statement) {
    switch statement {
    case .expression(let value):
      tag(0)
      expression(value)
    case .returning(let value):
      tag(1)
      optional(value) { $0.expression($1) }
    case .throwing(let value):
      tag(2)
      expression(value)
    case .declaration(let declaration):
      tag(3)
      self.declaration(declaration)
    case .condition(let conditions, let then, let otherwise):
      tag(4)
      list(conditions) { $0.condition($1) }
      body(then)
      optional(otherwise) { $0.body($1) }
    case .guarding(let conditions, let otherwise):
      tag(5)
      list(conditions) { $0.condition($1) }
      body(otherwise)
    case .loop(let conditions, let inner):
      tag(6)
      list(conditions) { $0.condition($1) }
      body(inner)
    case .forEach(let pattern, let type, let sequence, let filter, let inner):
      tag(7)
      self.pattern(pattern)
      optional(type) { $0.type($1) }
      expression(sequence)
      optional(filter) { $0.expression($1) }
      body(inner)
    case .selection(let subject, let cases):
      tag(8)
      expression(subject)
      list(cases) {
        $0.list($1.patterns) { $0.pattern($1) }
        $0.list($1.guards) { $0.expression($1) }
        $0.body($1.body)
      }
    case .block(let bodies):
      tag(9)
      list(bodies) { $0.body($1) }
    }
  }

  // MARK: declarations

  private mutating func generics(_ generics: [GenericParameterFact]) {
    list(generics) {
      $0.string($1.name)
      $0.list($1.bounds) { $0.type($1) }
    }
  }

  private mutating func requirements(_ requirements: [RequirementFact]) {
    list(requirements) {
      $0.flag($1.isSameType)
      $0.type($1.left)
      $0.type($1.right)
    }
  }

  private mutating func attributes(_ attributes: [AttributeFact]) {
    list(attributes) { writer, attribute in
      // A wrapper's members and initializers are looked up.
      writer.asExpression {
        $0.type(attribute.type)
        $0.optional(attribute.arguments) { $0.list($1) { $0.argument($1) } }
      }
    }
  }

  private mutating func parameters(_ parameters: [ParameterFact]) {
    list(parameters) {
      $0.flags($1.label != nil, $1.isVariadic, $1.hasDefault)
      if let label = $1.label { $0.string(label) }
      $0.string($1.name)
      $0.type($1.type)
      $0.detail($1.defaultValue) { $0.expression($1) }
      $0.list($1.attributes) { writer, name in writer.asExpression { $0.mention(name) } }
    }
  }

  private mutating func declaration(_ declaration: Declaration) {
    // A declaration in a closure of an initial value belongs to that value.
    guard isUnit else { return parts(of: declaration) }
    switch declaration {
    case .type(let type):
      names.begin(type.kind == .extended ? .extended : .type, type.name)
      parts(of: declaration)
    case .function(let function):
      names.begin(kind(of: function), function.name)
      parts(of: declaration)
      names.end()
    case .variable(let variable):
      names.begin(names.isInType ? .member : .global, "")
      parts(of: declaration)
      names.end(names: variable.pattern.names, isStored: variable.isStored && !variable.isStatic)
    case .enumCase(let enumCase):
      names.begin(NamedUnit.implicitMembers.contains(enumCase.name) ? .implicit : .member, enumCase.name)
      parts(of: declaration)
      names.end()
    case .alias(let alias):
      names.begin(.alias, alias.name)
      parts(of: declaration)
      names.end()
    case .associatedType(let associated):
      names.begin(.alias, associated.name)
      parts(of: declaration)
      names.end()
    }
  }

  /// Whether a declaration at this position belongs to the interface and can be looked up by others.
  private var isUnit: Bool { !isInDetails && !names.isInExpression }

  private func kind(of function: FunctionDeclaration) -> NamedUnit.Kind {
    if function.kind == .initializer { return .initializer }
    if function.isOperator { return .operation }
    guard names.isInType else { return .global }
    return NamedUnit.implicitMembers.contains(function.name) ? .implicit : .member
  }

  private mutating func parts(of declaration: Declaration) {
    switch declaration {
    case .type(let type):
      tag(0)
      tag(type.kind.rawValue)
      // Code in a type looks up the type by its own name first.
      string(type.name)
      names.mention(type.name, isInInterface: false)
      optional(type.extended) { $0.type($1) }
      generics(type.generics)
      list(type.inherited) { $0.type($1) }
      requirements(type.requirements)
      attributes(type.attributes)
      guard isUnit else { return list(type.members) { $0.declaration($1) } }
      names.enterMembers(of: type)
      list(type.members) { $0.declaration($1) }
      names.leaveMembers()
    case .function(let function):
      tag(1)
      tag(function.kind.rawValue)
      flags(function.isStatic, function.isFailable, function.isDisfavored)
      string(function.name)
      generics(function.generics)
      parameters(function.parameters)
      optional(function.result) { $0.type($1) }
      requirements(function.requirements)
      attributes(function.attributes)
      detail(function.body) { $0.body($1) }
    case .variable(let variable):
      tag(2)
      flags(variable.isStatic, variable.isLet, variable.hasInitializer, variable.isStored, variable.isPrivate)
      pattern(variable.pattern)
      optional(variable.type) { $0.type($1) }
      // If no type is written, the initial value determines it.
      if variable.type == nil {
        optional(variable.initializer) { $0.expression($1) }
      } else {
        detail(variable.initializer) { $0.expression($1) }
      }
      attributes(variable.attributes)
      inDetails { $0.flag(variable.initializerHoldsLiteral) }
      detail(variable.getter) { $0.body($1) }
      inDetails { $0.list(variable.observers) { $0.body($1) } }
    case .enumCase(let enumCase):
      tag(3)
      string(enumCase.name)
      optional(enumCase.payload) { $0.parameters($1) }
      detail(enumCase.rawValue) { $0.expression($1) }
    case .alias(let alias):
      tag(4)
      string(alias.name)
      generics(alias.generics)
      type(alias.type)
    case .associatedType(let associated):
      tag(5)
      string(associated.name)
      list(associated.bounds) { $0.type($1) }
    }
  }
}
