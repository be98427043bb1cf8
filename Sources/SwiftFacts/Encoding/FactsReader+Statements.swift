extension FactsReader {
  mutating func pattern() throws -> Pattern { try deeper { try $0.patternParts() } }

  mutating func patternParts() throws -> Pattern {
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

  mutating func patterns() throws -> [(label: String?, pattern: Pattern)] {
    try list { (label: try $0.optional { try $0.string() }, pattern: try $0.pattern()) }
  }

  mutating func condition() throws -> Condition {
    switch try tag() {
    case 0: .expression(try expression())
    case 1: .binding(try pattern(), try optional { try $0.type() }, try optional { try $0.expression() })
    case 2: .match(try pattern(), try expression())
    default: throw Malformed()
    }
  }

  mutating func statement() throws -> Statement {
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
}
