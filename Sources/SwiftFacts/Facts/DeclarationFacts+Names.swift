extension FunctionDeclaration {
  /// Whether the function declares an operator instead of a name.
  package var isOperator: Bool {
    guard kind == .function, let first = name.utf8.first else { return false }
    switch first {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...:
      return false
    default: return true
    }
  }
}

extension Pattern {
  /// The names that the pattern binds.
  package var names: [String] {
    switch self {
    case .name(let name): [name]
    case .tuple(let elements), .enumCase(_, _, let elements): elements.flatMap(\.pattern.names)
    case .optional(let inner), .typed(let inner, _): inner.names
    case .wildcard, .expression: []
    }
  }
}
