import SwiftSyntax

/// An assignment to a member: `label.text = "…"`.
struct Assignment {
  let member: String
  let value: ExprSyntax

  init?(_ node: SequenceExprSyntax) {
    let elements = Array(node.elements)
    guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self),
      let target = elements[0].as(MemberAccessExprSyntax.self)
    else { return nil }
    member = target.declName.baseName.text
    value = elements[2]
  }
}
