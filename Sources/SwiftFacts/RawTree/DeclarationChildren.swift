// The children of declarations and their parts, in the order of SwiftSyntax. RawNodeTests compares them with SwiftSyntax.

enum AccessorBlock: Int, RawChild { case leftBrace, accessors, rightBrace }
enum AccessorDecl: Int, RawChild { case attributes, modifier, accessorSpecifier, parameters, effectSpecifiers, body }
enum AssociatedTypeDecl: Int, RawChild {
  case attributes, modifiers, associatedtypeKeyword, name, inheritanceClause, initializer, genericWhereClause
}
enum Attribute: Int, RawChild { case atSign, attributeName, leftParen, arguments, rightParen }
enum DeclModifier: Int, RawChild { case name, detail }
enum DeinitializerDecl: Int, RawChild { case attributes, modifiers, deinitKeyword, effectSpecifiers, body }
enum EnumCaseDecl: Int, RawChild { case attributes, modifiers, caseKeyword, elements }
enum EnumCaseElement: Int, RawChild { case name, parameterClause, rawValue, trailingComma }
enum EnumCaseParameter: Int, RawChild {
  case modifiers, firstName, secondName, colon, type, defaultValue, trailingComma
}
enum EnumCaseParameterClause: Int, RawChild { case leftParen, parameters, rightParen }
enum ExtensionDecl: Int, RawChild {
  case attributes, modifiers, extensionKeyword, extendedType, inheritanceClause, genericWhereClause, memberBlock
}
enum FunctionDecl: Int, RawChild {
  case attributes, modifiers, funcKeyword, name, genericParameterClause, signature, genericWhereClause, body
}
enum FunctionParameter: Int, RawChild {
  case attributes, modifiers, firstName, secondName, colon, type, ellipsis, defaultValue, trailingComma
}
enum FunctionParameterClause: Int, RawChild { case leftParen, parameters, rightParen }
enum FunctionSignature: Int, RawChild { case parameterClause, effectSpecifiers, returnClause }
enum IfConfigClause: Int, RawChild { case poundKeyword, condition, elements }
enum IfConfigDecl: Int, RawChild { case clauses, poundEndif }
enum ImportDecl: Int, RawChild { case attributes, modifiers, importKeyword, importKindSpecifier, path }
enum ImportPathComponent: Int, RawChild { case name, trailingPeriod }
enum InitializerClause: Int, RawChild { case equal, value }
enum InitializerDecl: Int, RawChild {
  case attributes, modifiers, initKeyword, optionalMark, genericParameterClause, signature, genericWhereClause, body
}
enum MacroDecl: Int, RawChild {
  case attributes, modifiers, macroKeyword, name, genericParameterClause, signature, definition, genericWhereClause
}
enum MacroExpansionDecl: Int, RawChild {
  case attributes, modifiers, pound, moduleSelector, macroName, genericArgumentClause, leftParen, arguments, rightParen,
    trailingClosure, additionalTrailingClosures
}
enum MemberBlock: Int, RawChild { case leftBrace, members, rightBrace }
enum MemberBlockItem: Int, RawChild { case decl, semicolon }
enum PatternBinding: Int, RawChild { case pattern, typeAnnotation, initializer, accessorBlock, trailingComma }
enum ProtocolDecl: Int, RawChild {
  case attributes, modifiers, protocolKeyword, name, primaryAssociatedTypeClause, inheritanceClause, genericWhereClause,
    memberBlock
}
enum SourceFile: Int, RawChild { case shebang, statements, endOfFileToken }
enum SubscriptDecl: Int, RawChild {
  case attributes, modifiers, subscriptKeyword, genericParameterClause, parameterClause, returnClause,
    genericWhereClause,
    accessorBlock
}
enum TypeAliasDecl: Int, RawChild {
  case attributes, modifiers, typealiasKeyword, name, genericParameterClause, initializer, genericWhereClause
}
/// The children of `struct`, `class`, `enum` and `actor`.
enum TypeDecl: Int, RawChild {
  case attributes, modifiers, introducer, name, genericParameterClause, inheritanceClause, genericWhereClause,
    memberBlock
}
enum VariableDecl: Int, RawChild { case attributes, modifiers, bindingSpecifier, bindings }
