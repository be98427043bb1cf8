import Localization
import SwiftSyntax

/// A visitor of the nodes of a file, which tries the patterns that can match each node. It skips code that only developers see, and records the
/// location of this code.
final class PatternVisitor: SyntaxVisitor {
  private let source: ReviewedSource
  private(set) var patterns: [CodePattern] = []
  private(set) var developerCode: [ClosedRange<ReviewedFile.Place>] = []

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
    add(CaseByHand.find(in: node, of: source))
    add(FixedWidth.find(in: node, of: source))
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

  private func skip(_ node: some SyntaxProtocol, if isForDevelopers: Bool) -> SyntaxVisitorContinueKind {
    guard isForDevelopers else { return .visitChildren }
    developerCode.append(source.places(of: node))
    return .skipChildren
  }

  override func visit(_ node: MacroExpansionDeclSyntax) -> SyntaxVisitorContinueKind {
    skip(node, if: node.macroName.text == "Preview")
  }

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    skip(node, if: node.macroName.text == "Preview")
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    skip(node, if: DeveloperCode.isType(node.name.text, node.inheritanceClause, in: source))
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    skip(node, if: DeveloperCode.isType(node.name.text, node.inheritanceClause, in: source))
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    skip(node, if: DeveloperCode.isType(node.name.text, node.inheritanceClause, in: source))
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    skip(node, if: DeveloperCode.isForDebugging(node.name.text))
  }

  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
    return skip(node, if: name.map { DeveloperCode.isForDebugging($0) || DeveloperCode.samples.contains($0) } ?? false)
  }

  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    skip(node, if: DeveloperCode.isCompiledForDevelopers(node))
  }

  override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind {
    skip(node, if: DeveloperCode.isBodyForDebugging(node))
  }
}
