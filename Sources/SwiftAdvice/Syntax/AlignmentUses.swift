import SwiftSyntax

/// The uses of `textAlignment` in a file, and the names that the file declares.
final class AlignmentUses: SyntaxVisitor {
  /// The names of the views whose alignment the file sets to `.right` anywhere.
  private(set) var right: Set<String> = []
  /// Whether the file reads an alignment, as in a comparison or `switch`. Its code may then depend on the value `.left`.
  private(set) var isRead = false
  /// For each declared name, whether each of its declarations is of one of `ReviewedSource.labelTypes`.
  private(set) var declarations: [String: [Bool]] = [:]

  /// Returns the name of a view without the expression before it: `title` for `self.cell.title?`.
  static func name(of view: ExprSyntax?) -> String? {
    guard let last = view?.trimmedDescription.split(separator: ".").last else { return nil }
    return String(last.prefix { $0 != "?" && $0 != "!" })
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    guard node.baseName.text == "textAlignment" else { return .visitChildren }
    let member = node.parent?.as(MemberAccessExprSyntax.self)
    let target = member.map { Syntax($0) } ?? Syntax(node)
    guard let sequence = target.parent?.parent?.as(SequenceExprSyntax.self) else {
      isRead = true
      return .visitChildren
    }
    let elements = Array(sequence.elements)
    guard elements.count >= 3, elements[0].id == target.id, elements[1].is(AssignmentExprSyntax.self) else {
      isRead = true
      return .visitChildren
    }
    if elements[2...].contains(where: { $0.trimmedDescription.contains(".right") }) {
      right.insert(Self.name(of: member?.base) ?? "")
    }
    return .visitChildren
  }

  override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
    let binding = node.parent?.as(PatternBindingSyntax.self)
    let value = binding?.initializer?.value.as(FunctionCallExprSyntax.self)
    let type = binding?.typeAnnotation?.type.trimmedDescription ?? value?.calledExpression.trimmedDescription
    declare(node.identifier, as: type)
    return .visitChildren
  }

  override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
    declare(node.secondName ?? node.firstName, as: node.type.trimmedDescription)
    return .visitChildren
  }

  override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
    declare(node.secondName ?? node.firstName, as: node.type?.trimmedDescription)
    return .visitChildren
  }

  override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
    declare(node.name, as: nil)
    return .visitChildren
  }

  private func declare(_ name: TokenSyntax, as type: String?) {
    let type = type.map { String($0.prefix { $0 != "?" && $0 != "!" }) }
    declarations[name.text, default: []].append(type.map { ReviewedSource.labelTypes.contains($0) } ?? false)
  }
}
