// The children of statements, conditions and patterns, in the order of SwiftSyntax. RawNodeTests compares them with SwiftSyntax.

enum CatchClause: Int, RawChild { case catchKeyword, catchItems, body }
enum CatchItem: Int, RawChild { case pattern, whereClause, trailingComma }
enum CodeBlock: Int, RawChild { case leftBrace, statements, rightBrace }
enum CodeBlockItem: Int, RawChild { case item, semicolon }
enum ConditionElement: Int, RawChild { case condition, trailingComma }
enum DeferStmt: Int, RawChild { case deferKeyword, body }
/// The children of `discard` and `yield`.
enum DiscardStmt: Int, RawChild { case discardKeyword, expression }
enum DoStmt: Int, RawChild { case doKeyword, throwsClause, body, catchClauses }
enum ExpressionPattern: Int, RawChild { case expression }
enum ExpressionStmt: Int, RawChild { case expression }
enum ForStmt: Int, RawChild {
  case forKeyword, tryKeyword, awaitKeyword, unsafeKeyword, caseKeyword, pattern, typeAnnotation, inKeyword, sequence,
    whereClause, body
}
enum GuardStmt: Int, RawChild { case guardKeyword, conditions, elseKeyword, body }
enum IdentifierPattern: Int, RawChild { case identifier }
enum LabeledStmt: Int, RawChild { case label, colon, statement }
enum MatchingPatternCondition: Int, RawChild { case caseKeyword, pattern, typeAnnotation, initializer }
enum OptionalBindingCondition: Int, RawChild { case bindingSpecifier, pattern, typeAnnotation, initializer }
enum PatternExpr: Int, RawChild { case pattern }
enum RepeatStmt: Int, RawChild { case repeatKeyword, body, whileKeyword, condition }
enum ReturnStmt: Int, RawChild { case returnKeyword, expression }
enum SwitchCase: Int, RawChild { case attribute, label, statements }
enum SwitchCaseItem: Int, RawChild { case pattern, whereClause, trailingComma }
enum SwitchCaseLabel: Int, RawChild { case caseKeyword, caseItems, colon }
enum ThrowStmt: Int, RawChild { case throwKeyword, expression }
enum TuplePattern: Int, RawChild { case leftParen, elements, rightParen }
enum TuplePatternElement: Int, RawChild { case label, colon, pattern, trailingComma }
enum ValueBindingPattern: Int, RawChild { case bindingSpecifier, pattern }
enum WhereClause: Int, RawChild { case whereKeyword, condition }
enum WhileStmt: Int, RawChild { case whileKeyword, conditions, body }
