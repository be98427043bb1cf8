@_spi(RawSyntax) import SwiftSyntax
import Testing

@testable import SwiftFacts

/// The children of syntax nodes. SwiftSyntax may add children to a node in any release, and facts would then be read from the wrong child.
@Suite struct RawNodeTests {
  @Test("the children of each node have the same names and order as in SwiftSyntax", arguments: Self.nodes.indices)
  func children(_ index: Int) {
    let (names, node) = Self.nodes[index]
    #expect(names == Self.children(of: node), "\(node)")
  }

  @Test("kinds of nodes that share a name have the same children", arguments: Self.shared.indices)
  func sharedChildren(_ index: Int) {
    let (count, nodes) = Self.shared[index]
    for node in nodes { #expect(Self.children(of: node).count == count, "\(node)") }
  }

  private static func names<Children: RawChild>(_ children: Children.Type) -> [String] {
    children.allCases.map { "\($0)" }
  }

  private static func children(of node: any SyntaxProtocol.Type) -> [String] {
    guard case .layout(let paths) = node.structure else { return [] }
    return paths.compactMap { childName($0) }.filter { !$0.hasPrefix("unexpected") }
  }

  private static let shared: [(Int, [any SyntaxProtocol.Type])] = [
    (
      TypeDecl.allCases.count, [StructDeclSyntax.self, ClassDeclSyntax.self, EnumDeclSyntax.self, ActorDeclSyntax.self]
    ),
    (
      MarkedExpr.allCases.count,
      [
        AwaitExprSyntax.self, UnsafeExprSyntax.self, InOutExprSyntax.self, CopyExprSyntax.self, ConsumeExprSyntax.self,
        BorrowExprSyntax.self, PackExpansionExprSyntax.self, PackElementExprSyntax.self,
      ]
    ),
    (OptionalType.allCases.count, [OptionalTypeSyntax.self, ImplicitlyUnwrappedOptionalTypeSyntax.self]),
    (PackExpansionType.allCases.count, [PackExpansionTypeSyntax.self, PackElementTypeSyntax.self]),
    (DiscardStmt.allCases.count, [DiscardStmtSyntax.self, YieldStmtSyntax.self]),
  ]

  private static let nodes: [([String], any SyntaxProtocol.Type)] = [
    (names(AccessorBlock.self), AccessorBlockSyntax.self),
    (names(AccessorDecl.self), AccessorDeclSyntax.self),
    (names(ArrayElement.self), ArrayElementSyntax.self),
    (names(ArrayExpr.self), ArrayExprSyntax.self),
    (names(ArrayType.self), ArrayTypeSyntax.self),
    (names(AsExpr.self), AsExprSyntax.self),
    (names(AssociatedTypeDecl.self), AssociatedTypeDeclSyntax.self),
    (names(Attribute.self), AttributeSyntax.self),
    (names(AttributedType.self), AttributedTypeSyntax.self),
    (names(BooleanLiteralExpr.self), BooleanLiteralExprSyntax.self),
    (names(CatchClause.self), CatchClauseSyntax.self),
    (names(CatchItem.self), CatchItemSyntax.self),
    (names(ClosureExpr.self), ClosureExprSyntax.self),
    (names(ClosureParameter.self), ClosureParameterSyntax.self),
    (names(ClosureParameterClause.self), ClosureParameterClauseSyntax.self),
    (names(ClosureShorthandParameter.self), ClosureShorthandParameterSyntax.self),
    (names(ClosureSignature.self), ClosureSignatureSyntax.self),
    (names(CodeBlock.self), CodeBlockSyntax.self),
    (names(CodeBlockItem.self), CodeBlockItemSyntax.self),
    (names(CompositionType.self), CompositionTypeSyntax.self),
    (names(CompositionTypeElement.self), CompositionTypeElementSyntax.self),
    (names(ConditionElement.self), ConditionElementSyntax.self),
    (names(ConformanceRequirement.self), ConformanceRequirementSyntax.self),
    (names(DeclModifier.self), DeclModifierSyntax.self),
    (names(DeclReferenceExpr.self), DeclReferenceExprSyntax.self),
    (names(DeferStmt.self), DeferStmtSyntax.self),
    (names(DeinitializerDecl.self), DeinitializerDeclSyntax.self),
    (names(DictionaryElement.self), DictionaryElementSyntax.self),
    (names(DictionaryExpr.self), DictionaryExprSyntax.self),
    (names(DictionaryType.self), DictionaryTypeSyntax.self),
    (names(DoStmt.self), DoStmtSyntax.self),
    (names(EnumCaseDecl.self), EnumCaseDeclSyntax.self),
    (names(EnumCaseElement.self), EnumCaseElementSyntax.self),
    (names(EnumCaseParameter.self), EnumCaseParameterSyntax.self),
    (names(EnumCaseParameterClause.self), EnumCaseParameterClauseSyntax.self),
    (names(ExpressionPattern.self), ExpressionPatternSyntax.self),
    (names(ExpressionSegment.self), ExpressionSegmentSyntax.self),
    (names(ExpressionStmt.self), ExpressionStmtSyntax.self),
    (names(ExtensionDecl.self), ExtensionDeclSyntax.self),
    (names(ForStmt.self), ForStmtSyntax.self),
    (names(ForceUnwrapExpr.self), ForceUnwrapExprSyntax.self),
    (names(FunctionCallExpr.self), FunctionCallExprSyntax.self),
    (names(FunctionDecl.self), FunctionDeclSyntax.self),
    (names(FunctionParameter.self), FunctionParameterSyntax.self),
    (names(FunctionParameterClause.self), FunctionParameterClauseSyntax.self),
    (names(FunctionSignature.self), FunctionSignatureSyntax.self),
    (names(FunctionType.self), FunctionTypeSyntax.self),
    (names(GenericArgument.self), GenericArgumentSyntax.self),
    (names(GenericArgumentClause.self), GenericArgumentClauseSyntax.self),
    (names(GenericParameter.self), GenericParameterSyntax.self),
    (names(GenericParameterClause.self), GenericParameterClauseSyntax.self),
    (names(GenericRequirement.self), GenericRequirementSyntax.self),
    (names(GenericSpecializationExpr.self), GenericSpecializationExprSyntax.self),
    (names(GenericWhereClause.self), GenericWhereClauseSyntax.self),
    (names(GuardStmt.self), GuardStmtSyntax.self),
    (names(IdentifierPattern.self), IdentifierPatternSyntax.self),
    (names(IdentifierType.self), IdentifierTypeSyntax.self),
    (names(IfConfigClause.self), IfConfigClauseSyntax.self),
    (names(IfConfigDecl.self), IfConfigDeclSyntax.self),
    (names(IfExpr.self), IfExprSyntax.self),
    (names(ImportDecl.self), ImportDeclSyntax.self),
    (names(ImportPathComponent.self), ImportPathComponentSyntax.self),
    (names(InheritanceClause.self), InheritanceClauseSyntax.self),
    (names(InheritedType.self), InheritedTypeSyntax.self),
    (names(InitializerClause.self), InitializerClauseSyntax.self),
    (names(InitializerDecl.self), InitializerDeclSyntax.self),
    (names(IntegerLiteralExpr.self), IntegerLiteralExprSyntax.self),
    (names(IsExpr.self), IsExprSyntax.self),
    (names(KeyPathComponent.self), KeyPathComponentSyntax.self),
    (names(KeyPathExpr.self), KeyPathExprSyntax.self),
    (names(KeyPathPropertyComponent.self), KeyPathPropertyComponentSyntax.self),
    (names(LabeledExpr.self), LabeledExprSyntax.self),
    (names(LabeledStmt.self), LabeledStmtSyntax.self),
    (names(MacroDecl.self), MacroDeclSyntax.self),
    (names(MacroExpansionDecl.self), MacroExpansionDeclSyntax.self),
    (names(MacroExpansionExpr.self), MacroExpansionExprSyntax.self),
    (names(MatchingPatternCondition.self), MatchingPatternConditionSyntax.self),
    (names(MemberAccessExpr.self), MemberAccessExprSyntax.self),
    (names(MemberBlock.self), MemberBlockSyntax.self),
    (names(MemberBlockItem.self), MemberBlockItemSyntax.self),
    (names(MemberType.self), MemberTypeSyntax.self),
    (names(MetatypeType.self), MetatypeTypeSyntax.self),
    (names(ModuleSelector.self), ModuleSelectorSyntax.self),
    (names(MultipleTrailingClosureElement.self), MultipleTrailingClosureElementSyntax.self),
    (names(NamedOpaqueReturnType.self), NamedOpaqueReturnTypeSyntax.self),
    (names(OptionalBindingCondition.self), OptionalBindingConditionSyntax.self),
    (names(OptionalChainingExpr.self), OptionalChainingExprSyntax.self),
    (names(PatternBinding.self), PatternBindingSyntax.self),
    (names(PatternExpr.self), PatternExprSyntax.self),
    (names(PostfixIfConfigExpr.self), PostfixIfConfigExprSyntax.self),
    (names(PostfixOperatorExpr.self), PostfixOperatorExprSyntax.self),
    (names(PrefixOperatorExpr.self), PrefixOperatorExprSyntax.self),
    (names(ProtocolDecl.self), ProtocolDeclSyntax.self),
    (names(RepeatStmt.self), RepeatStmtSyntax.self),
    (names(ReturnClause.self), ReturnClauseSyntax.self),
    (names(ReturnStmt.self), ReturnStmtSyntax.self),
    (names(SameTypeRequirement.self), SameTypeRequirementSyntax.self),
    (names(SequenceExpr.self), SequenceExprSyntax.self),
    (names(SimpleStringLiteralExpr.self), SimpleStringLiteralExprSyntax.self),
    (names(SomeOrAnyType.self), SomeOrAnyTypeSyntax.self),
    (names(SourceFile.self), SourceFileSyntax.self),
    (names(StringLiteralExpr.self), StringLiteralExprSyntax.self),
    (names(StringSegment.self), StringSegmentSyntax.self),
    (names(SubscriptCallExpr.self), SubscriptCallExprSyntax.self),
    (names(SubscriptDecl.self), SubscriptDeclSyntax.self),
    (names(SwitchCase.self), SwitchCaseSyntax.self),
    (names(SwitchCaseItem.self), SwitchCaseItemSyntax.self),
    (names(SwitchCaseLabel.self), SwitchCaseLabelSyntax.self),
    (names(SwitchExpr.self), SwitchExprSyntax.self),
    (names(TernaryExpr.self), TernaryExprSyntax.self),
    (names(ThrowStmt.self), ThrowStmtSyntax.self),
    (names(TryExpr.self), TryExprSyntax.self),
    (names(TupleExpr.self), TupleExprSyntax.self),
    (names(TuplePattern.self), TuplePatternSyntax.self),
    (names(TuplePatternElement.self), TuplePatternElementSyntax.self),
    (names(TupleType.self), TupleTypeSyntax.self),
    (names(TupleTypeElement.self), TupleTypeElementSyntax.self),
    (names(TypeAliasDecl.self), TypeAliasDeclSyntax.self),
    (names(TypeAnnotation.self), TypeAnnotationSyntax.self),
    (names(TypeExpr.self), TypeExprSyntax.self),
    (names(TypeInitializerClause.self), TypeInitializerClauseSyntax.self),
    (names(UnresolvedAsExpr.self), UnresolvedAsExprSyntax.self),
    (names(UnresolvedTernaryExpr.self), UnresolvedTernaryExprSyntax.self),
    (names(ValueBindingPattern.self), ValueBindingPatternSyntax.self),
    (names(VariableDecl.self), VariableDeclSyntax.self),
    (names(WhereClause.self), WhereClauseSyntax.self),
    (names(WhileStmt.self), WhileStmtSyntax.self),
  ]
}
