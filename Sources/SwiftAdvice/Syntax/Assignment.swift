import SwiftSyntax

/// An assignment to a member: `label.text = "…"`.
struct Assignment {
  /// The member with its base.
  let target: MemberAccessExprSyntax
  let value: ExprSyntax

  var member: String { target.declName.baseName.text }

  init?(_ node: SequenceExprSyntax) {
    let elements = Array(node.elements)
    guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self),
      let target = elements[0].as(MemberAccessExprSyntax.self)
    else { return nil }
    self.target = target
    value = elements[2]
  }
}
