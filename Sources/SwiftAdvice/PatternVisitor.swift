import Localization
import SwiftSyntax

/// Visits the nodes of a file and tries the patterns that can match each. Skips previews and code of debug builds.
final class PatternVisitor: SyntaxVisitor {
  private let source: ReviewedSource
  private(set) var patterns: [CodePattern] = []

  init(_ source: ReviewedSource) {
    self.source = source
    super.init(viewMode: .sourceAccurate)
  }

  private func add(_ pattern: CodePattern?) {
    if let pattern { patterns.append(pattern) }
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    add(FormattedText.find(in: node, of: source))
    add(FixedNumberFormat.find(in: node, of: source))
    patterns += HardCodedText.find(in: node, of: source)
    add(FixedDirection.find(in: node, of: source))
    return .visitChildren
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    add(CountedChoice.find(in: node, of: source))
    add(JoinedTexts.find(in: node, of: source))
    if let assignment = Assignment(node) {
      add(HardCodedText.find(in: assignment, of: source))
      add(FixedDirection.find(in: assignment, of: source))
      add(FixedDateFormat.find(in: assignment, of: source))
    }
    return .visitChildren
  }

  override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
    add(CountedChoice.find(in: node, of: source))
    return .visitChildren
  }

  override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
    add(CountedChoice.find(in: node, of: source))
    return .visitChildren
  }

  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    add(MissingBundle.find(in: node, of: source))
    return .visitChildren
  }

  // MARK: Code that users never run

  override func visit(_ node: MacroExpansionDeclSyntax) -> SyntaxVisitorContinueKind {
    node.macroName.text == "Preview" ? .skipChildren : .visitChildren
  }

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    node.macroName.text == "Preview" ? .skipChildren : .visitChildren
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    let types = node.inheritanceClause?.inheritedTypes.map { $0.type.trimmedDescription } ?? []
    return types.contains("PreviewProvider") ? .skipChildren : .visitChildren
  }

  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    node.condition?.trimmedDescription == "DEBUG" ? .skipChildren : .visitChildren
  }
}
