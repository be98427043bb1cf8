extension FactsWriter {
  mutating func pattern(_ pattern: Pattern) {
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

  mutating func patterns(_ elements: [(label: String?, pattern: Pattern)]) {
    list(elements) {
      $0.optional($1.label) { $0.string($1) }
      $0.pattern($1.pattern)
    }
  }

  mutating func condition(_ condition: Condition) {
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

  mutating func statement(_ statement: Statement) {
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
}
