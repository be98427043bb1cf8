/// The place of a token. Line and column count from 1; the column is in UTF-8 bytes.
package struct SourcePlace: Hashable, Sendable {
  package var line: Int32
  package var column: Int32

  package init(line: Int32, column: Int32) {
    self.line = line
    self.column = column
  }
}

/// A type as in the source, with syntactic sugar resolved: `[T]`, `[K: V]` and `T?` are `Array`, `Dictionary` and `Optional`.
package indirect enum TypeFact: Hashable, Sendable {
  case named(String, [TypeFact])
  case member(TypeFact, String, [TypeFact])
  case tuple([LabeledTypeFact])
  case function([TypeFact], TypeFact)
  /// An opaque type `some P`. The type `any P` is stored as `P`.
  case opaque(TypeFact)
  case composition([TypeFact])
  case metatype(TypeFact)
  case unknown
}

package struct LabeledTypeFact: Hashable, Sendable {
  package var label: String?
  package var type: TypeFact
}

/// A part of a string literal.
package enum LiteralSegment: Sendable {
  /// Text with its escapes resolved.
  case text(String)
  /// An interpolation `\( … )`. It can have several arguments, as in `\(x, specifier: "…")`.
  case interpolation([Argument])
}

/// A string literal, which may become a key.
package struct StringLiteral: Sendable {
  package var segments: [LiteralSegment]
  package var place: SourcePlace
  /// The platforms for which the surrounding code is compiled, and whether Release builds compile it.
  package var platforms = PlatformSet.all

  /// The text; `nil` if the literal contains an interpolation.
  package var plainText: String? {
    var text = ""
    for segment in segments {
      guard case .text(let part) = segment else { return nil }
      text += part
    }
    return text
  }
}

package struct Argument: Sendable {
  package var label: String?
  package var value: Expression
  package var isTrailing = false

  package init(label: String? = nil, value: Expression, isTrailing: Bool = false) {
    self.label = label
    self.value = value
    self.isTrailing = isTrailing
  }
}

package struct ClosureFact: Sendable {
  package struct Parameter: Sendable {
    package var name: String
    package var type: TypeFact?
  }
  /// The named parameters; `nil` if the closure uses `$0` or has no parameters.
  package var parameters: [Parameter]?
  package var result: TypeFact?
  package var body: Body
}

/// The statements of a body that are relevant for extraction.
package struct Body: Sendable {
  package var statements: [Statement]
  /// Whether the body is a single expression, which is the value of the body. If the body is one `#if`, each of its clauses can provide the value.
  package var isSingleExpression: Bool

  package static let empty = Body(statements: [], isSingleExpression: false)
}

package struct CallFact: Sendable {
  package var callee: Expression
  package var arguments: [Argument]
  package var isSubscript: Bool
}

/// An expression, with the details that are needed to find its strings and its type.
package indirect enum Expression: Sendable {
  case string(StringLiteral)
  case integer
  case float
  case boolean
  case null
  case name(String, [TypeFact])
  case member(Expression, String, [TypeFact])
  case implicitMember(String)
  case call(CallFact)
  case array([Expression])
  case dictionary([(key: Expression, value: Expression)])
  case tuple([Argument])
  case closure(ClosureFact)
  case ternary(Expression, Expression, Expression)
  case binary(String, Expression, Expression)
  case prefix(String, Expression)
  /// A forced unwrapping `x!`.
  case unwrap(Expression)
  /// An expression `x?` in an optional chain.
  case chain(Expression)
  case cast(Expression, TypeFact, isOptional: Bool)
  case test(Expression)
  /// A type used as an expression: `[Int]`, `(A) -> B`.
  case type(TypeFact)
  /// An `if` or `switch` that is used as an expression.
  case statement(Statement)
  case macro(String, [Argument])
  /// A key path: its root type, if the source contains it, and the names of its properties.
  case keyPath(TypeFact?, [String])
  /// The operand of `try?`.
  case optionalTry(Expression)
  /// An expression of unknown kind, with its known parts.
  case parts([Expression])
}

package indirect enum Pattern: Sendable {
  case name(String)
  case wildcard
  case tuple([(label: String?, pattern: Pattern)])
  /// A pattern such as `.name(…)` or `Type.name(…)`.
  case enumCase(TypeFact?, String, [(label: String?, pattern: Pattern)])
  case optional(Pattern)
  case typed(Pattern, TypeFact)
  case expression(Expression)
}

package enum Condition: Sendable {
  case expression(Expression)
  /// A condition with `let` or `var`, as in `if let`.
  case binding(Pattern, TypeFact?, Expression?)
  /// A condition with `case`, as in `if case`.
  case match(Pattern, Expression)
}

package struct SwitchCaseFact: Sendable {
  /// The patterns; empty for `default`.
  package var patterns: [Pattern]
  package var guards: [Expression]
  package var body: Body
}

package indirect enum Statement: Sendable {
  case expression(Expression)
  case returning(Expression?)
  case throwing(Expression)
  case declaration(Declaration)
  case condition([Condition], Body, Body?)
  /// A `guard`. Its bindings are visible in the statements that follow.
  case guarding([Condition], Body)
  case loop([Condition], Body)
  case forEach(Pattern, TypeFact?, Expression, Expression?, Body)
  case selection(Expression, [SwitchCaseFact])
  case block([Body])
}
