import SwiftFacts

extension Checker {
  /// Returns the type of a collection literal from the expected type of one of its elements, as in `["a", "b"][index]`.
  private func holder(of element: LinkedType, _ literal: Expression) -> LinkedType {
    guard !element.isUnknown else { return .unknown }
    switch literal {
    case .array: return resolver.standard("Array", [element])
    case .dictionary: return resolver.standard("Dictionary", [.unknown, resolver.unwrapped(element) ?? element])
    default: return .unknown
    }
  }

  func subscriptAccess(_ fact: CallFact, _ expected: LinkedType) -> LinkedType {
    let base = check(fact.callee, holder(of: expected, fact.callee))
    if case .metatype = base, fact.arguments.isEmpty { return base }
    let candidates = callables("subscript", of: base).filter {
      $0.signature.parameters.first?.label != "dynamicMember" || fact.arguments.first?.label == "dynamicMember"
    }
    if let type = resolve(candidates, fact.arguments, .unknown, api: "subscript") { return type }
    visitLoose(fact, declarations: candidates.count)
    return .unknown
  }
}
