// The children of expressions and their parts, in the order of SwiftSyntax. RawNodeTests compares them with SwiftSyntax.

enum ArrayElement: Int, RawChild { case expression, trailingComma }
enum ArrayExpr: Int, RawChild { case leftSquare, elements, rightSquare }
enum AsExpr: Int, RawChild { case expression, asKeyword, questionOrExclamationMark, type }
enum BooleanLiteralExpr: Int, RawChild { case literal }
enum ClosureExpr: Int, RawChild { case leftBrace, signature, statements, rightBrace }
enum ClosureParameter: Int, RawChild {
  case attributes, modifiers, firstName, secondName, colon, type, ellipsis, trailingComma
}
enum ClosureParameterClause: Int, RawChild { case leftParen, parameters, rightParen }
enum ClosureShorthandParameter: Int, RawChild { case name, trailingComma }
enum ClosureSignature: Int, RawChild {
  case attributes, capture, parameterClause, effectSpecifiers, returnClause, inKeyword
}
enum DeclReferenceExpr: Int, RawChild { case moduleSelector, baseName, argumentNames }
enum DictionaryElement: Int, RawChild { case key, colon, value, trailingComma }
enum DictionaryExpr: Int, RawChild { case leftSquare, content, rightSquare }
enum ExpressionSegment: Int, RawChild { case backslash, pounds, leftParen, expressions, rightParen }
enum ForceUnwrapExpr: Int, RawChild { case expression, exclamationMark }
enum FunctionCallExpr: Int, RawChild {
  case calledExpression, leftParen, arguments, rightParen, trailingClosure, additionalTrailingClosures
}
enum GenericSpecializationExpr: Int, RawChild { case expression, genericArgumentClause }
enum IfExpr: Int, RawChild { case ifKeyword, conditions, body, elseKeyword, elseBody }
enum IntegerLiteralExpr: Int, RawChild { case literal }
enum IsExpr: Int, RawChild { case expression, isKeyword, type }
enum KeyPathComponent: Int, RawChild { case period, component }
enum KeyPathExpr: Int, RawChild { case backslash, root, components }
enum KeyPathPropertyComponent: Int, RawChild { case declName, genericArgumentClause }
enum LabeledExpr: Int, RawChild { case label, colon, expression, trailingComma }
enum MacroExpansionExpr: Int, RawChild {
  case pound, moduleSelector, macroName, genericArgumentClause, leftParen, arguments, rightParen, trailingClosure,
    additionalTrailingClosures
}
/// An expression after a keyword or sign: `await`, `unsafe`, `&`, `copy`, `consume`, `borrow`, `repeat`, `each`.
enum MarkedExpr: Int, RawChild { case marker, expression }
enum MemberAccessExpr: Int, RawChild { case base, period, declName }
enum MultipleTrailingClosureElement: Int, RawChild { case label, colon, closure }
enum OptionalChainingExpr: Int, RawChild { case expression, questionMark }
enum PostfixIfConfigExpr: Int, RawChild { case base, config }
enum PostfixOperatorExpr: Int, RawChild { case expression, `operator` }
enum PrefixOperatorExpr: Int, RawChild { case `operator`, expression }
enum SequenceExpr: Int, RawChild { case elements }
enum SimpleStringLiteralExpr: Int, RawChild { case openingQuote, segments, closingQuote }
enum StringLiteralExpr: Int, RawChild { case openingPounds, openingQuote, segments, closingQuote, closingPounds }
enum StringSegment: Int, RawChild { case content }
enum SubscriptCallExpr: Int, RawChild {
  case calledExpression, leftSquare, arguments, rightSquare, trailingClosure, additionalTrailingClosures
}
enum SwitchExpr: Int, RawChild { case switchKeyword, subject, leftBrace, cases, rightBrace }
enum TernaryExpr: Int, RawChild { case condition, questionMark, thenExpression, colon, elseExpression }
enum TryExpr: Int, RawChild { case tryKeyword, questionOrExclamationMark, expression }
enum TupleExpr: Int, RawChild { case leftParen, elements, rightParen }
enum TypeExpr: Int, RawChild { case type }
enum UnresolvedAsExpr: Int, RawChild { case asKeyword, questionOrExclamationMark }
enum UnresolvedTernaryExpr: Int, RawChild { case questionMark, thenExpression, colon }
