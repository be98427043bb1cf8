import SwiftFacts

extension Checker {
  /// Returns the score of a closure's body: the highest penalty among the values that it returns (`score`); `unknownBody` if there is no such value.
  func closureScore(_ body: Body, _ parameter: LinkedType) -> Int {
    let returned = body.returned
    guard let first = returned.first else { return bodyScore(body, parameter) }
    let kept = (sink, builder)
    (sink, builder) = (nil, nil)
    locals.append([:])
    localFunctions.append([:])
    defer {
      locals.removeLast()
      localFunctions.removeLast()
      (sink, builder) = kept
    }
    // A returned value can be a local variable.
    for statement in body.statements {
      switch statement {
      case .declaration(.variable), .guarding: visit(statement)
      default: break
      }
    }
    guard returned.count > 1 else { return score(first, parameter) { type(of: first) } }
    return returned.map { branchScore($0, parameter) }.max() ?? Self.unknownBody
  }

  /// Returns the closure that determines the type of a call like `name.map { "Hello \($0)" }`: it is the only argument of a method whose generic
  /// result is the result of the closure. The closure returns a literal, so its type depends on the context of the call (xcode-extraction.md R24).
  /// Returns `nil` for every other expression.
  func literalClosure(of expression: Expression) -> ClosureFact? {
    guard case .call(let fact) = expression, case .member(let base, let name, _) = fact.callee,
      fact.arguments.count == 1, case .closure(let closure)? = fact.arguments.first?.value,
      closure.result == nil, closure.body.returnsText
    else { return nil }
    let isOpen = callables(name, of: type(of: base)).contains { candidate in
      guard fits(fact.arguments, candidate),
        case .function(_, let output)? = candidate.signature.parameters.first?.type,
        case .generic(let generic) = resolver.unwrapped(output) ?? output
      else { return false }
      return candidate.open.contains(generic)
        && (resolver.unwrapped(candidate.result) ?? candidate.result) == .generic(generic)
    }
    return isOpen ? closure : nil
  }

  private func bodyScore(_ body: Body, _ parameter: LinkedType) -> Int {
    guard body.isSingleExpression, let only = body.statements.first else { return Self.unknownBody }
    return statementScore(only, parameter)
  }

  /// Returns the score of a statement as a value: that of an expression, or the highest penalty among the branches of an `if` or `switch`.
  func statementScore(_ statement: Statement, _ parameter: LinkedType) -> Int {
    switch statement {
    case .expression(let value): return score(value, parameter) { type(of: value) }
    case .condition(_, let then, let otherwise):
      guard let otherwise else { return Self.unknownBody }
      return max(bodyScore(then, parameter), bodyScore(otherwise, parameter))
    case .selection(_, let cases):
      return cases.map { bodyScore($0.body, parameter) }.max() ?? Self.unknownBody
    default: return Self.unknownBody
    }
  }

  /// The score of a body of unknown type, which matches everything.
  private static let unknownBody = 2
}

extension Body {
  /// The values of the `return` statements of the body, without those of closures and functions in it.
  fileprivate var returned: [Expression] { statements.flatMap(\.returned) }

  /// Whether the value of the body is a text literal, or a conditional expression of text literals.
  fileprivate var returnsText: Bool {
    guard statements.count == 1, let only = statements.first else { return false }
    switch only {
    case .expression(let value): return isSingleExpression && value.isText
    case .returning(let value?): return value.isText
    default: return false
    }
  }
}

extension Expression {
  fileprivate var isText: Bool {
    switch self {
    case .string: true
    case .ternary(_, let then, let otherwise): then.isText && otherwise.isText
    default: false
    }
  }
}

extension Statement {
  fileprivate var returned: [Expression] {
    switch self {
    case .returning(let value): value.map { [$0] } ?? []
    case .condition(_, let then, let otherwise): then.returned + (otherwise?.returned ?? [])
    case .guarding(_, let body), .loop(_, let body), .forEach(_, _, _, _, let body): body.returned
    case .selection(_, let cases): cases.flatMap(\.body.returned)
    case .block(let bodies): bodies.flatMap(\.returned)
    case .expression, .throwing, .declaration: []
    }
  }
}
