/// An encoder of facts as a tree in source order, with separate streams for the interface and the details. The texts of literals are stored
/// separately.
///
/// Values are written and read by position, so every change of the tree requires a new `FactsEncoding.version`.
package struct FactsWriter {
  var interface = FactsStream()
  var details = FactsStream()
  var texts = LiteralTexts()
  var isInDetails = false
  var names = NameCollector()

  /// Encodes a file's statements. `EncodedFacts` encodes the imports and the first error.
  package static func encode(_ facts: FileFacts) -> (
    interface: [UInt8], details: [UInt8], texts: LiteralTexts, names: FileNames
  ) {
    var writer = FactsWriter()
    let declarations = facts.statements.compactMap {
      if case .declaration(let declaration) = $0 { declaration } else { nil }
    }
    writer.list(declarations) { $0.declaration($1) }
    // The statements of a script are mixed with its declarations. Other files cannot see the statements.
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

  mutating func inDetails(_ write: (inout FactsWriter) -> Void) {
    let kept = isInDetails
    isInDetails = true
    write(&self)
    isInDetails = kept
  }

  mutating func number(_ value: Int) {
    guard !isInDetails else { return details.number(value) }
    interface.number(value)
    names.mix(UInt64(truncatingIfNeeded: value) | 1 << 63)
  }

  mutating func tag(_ value: UInt8) {
    guard !isInDetails else { return details.tag(value) }
    interface.tag(value)
    names.mix(UInt64(value))
  }

  mutating func string(_ value: String) {
    guard !isInDetails else { return details.string(value) }
    interface.string(value)
    for byte in value.utf8 { names.mix(UInt64(byte) | 1 << 32) }
    names.mix(1 << 33)
  }

  /// Writes a name that the linker may look up.
  mutating func mention(_ name: String) {
    string(name)
    names.mention(name, isInInterface: !isInDetails)
  }

  /// Marks all names that are written by the closure as names of values.
  mutating func asExpression(_ write: (inout FactsWriter) -> Void) {
    let kept = names.isInExpression
    names.isInExpression = true
    write(&self)
    names.isInExpression = kept
  }

  mutating func flag(_ value: Bool) { tag(value ? 1 : 0) }

  mutating func flags(_ values: Bool...) {
    tag(values.enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) })
  }

  mutating func list<Element>(_ values: [Element], _ write: (inout FactsWriter, Element) -> Void) {
    number(values.count)
    for value in values { write(&self, value) }
  }

  mutating func optional<Value>(_ value: Value?, _ write: (inout FactsWriter, Value) -> Void) {
    flag(value != nil)
    if let value { write(&self, value) }
  }

  /// Writes a value that is not part of the interface, preceded by whether the value exists.
  mutating func detail<Value>(_ value: Value?, _ write: (inout FactsWriter, Value) -> Void) {
    inDetails { $0.optional(value, write) }
  }

  // MARK: types

  mutating func type(_ type: TypeFact) {
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
}
