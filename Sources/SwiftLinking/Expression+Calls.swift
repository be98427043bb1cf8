import SwiftFacts

extension Expression {
  /// The last component of a callee's name; `nil` if the callee is `.name` without a base, or not a name.
  var lastName: String? {
    switch self {
    case .name(let name, _), .member(_, let name, _): name
    default: nil
    }
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
