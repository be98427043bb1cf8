import SwiftFacts

extension Expression {
  /// The last component of a callee's name; `nil` if the callee is `.name` without a base, or not a name.
  var lastName: String? {
    switch self {
    case .name(let name, _), .member(_, let name, _): name
    default: nil
    }
  }

  /// The literal; for literals joined with `+`, one literal at the place of the first; `nil` for other expressions.
  var joinedLiteral: StringLiteral? {
    var later: [[LiteralSegment]] = []
    var rest = self
    while case .binary("+", let left, .string(let last)) = rest {
      later.append(last.segments)
      rest = left
    }
    guard case .string(var literal) = rest else { return nil }
    literal.segments += later.reversed().joined()
    return literal
  }

  /// The callee as text for people.
  package var sketch: String {
    switch self {
    case .name(let name, _): name
    case .member(let base, let name, _):
      switch base {
      case .name(let first, _): "\(first).\(name)"
      default: ".\(name)"
      }
    case .implicitMember(let name): ".\(name)"
    case .array(_): "Array"
    default: "call"
    }
  }
}
