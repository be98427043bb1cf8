// The children of types, generic clauses and requirements, in the order of SwiftSyntax. RawNodeTests compares them with SwiftSyntax.

enum ArrayType: Int, RawChild { case leftSquare, element, rightSquare }
enum AttributedType: Int, RawChild { case specifiers, attributes, lateSpecifiers, baseType }
enum CompositionType: Int, RawChild { case elements }
enum CompositionTypeElement: Int, RawChild { case type, ampersand }
enum ConformanceRequirement: Int, RawChild { case leftType, colon, rightType }
enum DictionaryType: Int, RawChild { case leftSquare, key, colon, value, rightSquare }
enum FunctionType: Int, RawChild { case leftParen, parameters, rightParen, effectSpecifiers, returnClause }
enum GenericArgument: Int, RawChild { case argument, trailingComma }
enum GenericArgumentClause: Int, RawChild { case leftAngle, arguments, rightAngle }
enum GenericParameter: Int, RawChild { case attributes, specifier, name, colon, inheritedType, trailingComma }
enum GenericParameterClause: Int, RawChild { case leftAngle, parameters, genericWhereClause, rightAngle }
enum GenericRequirement: Int, RawChild { case requirement, trailingComma }
enum GenericWhereClause: Int, RawChild { case whereKeyword, requirements }
enum IdentifierType: Int, RawChild { case moduleSelector, name, genericArgumentClause }
enum InheritanceClause: Int, RawChild { case colon, inheritedTypes }
enum InheritedType: Int, RawChild { case type, trailingComma }
enum MemberType: Int, RawChild { case baseType, period, moduleSelector, name, genericArgumentClause }
enum MetatypeType: Int, RawChild { case baseType, period, metatypeSpecifier }
enum ModuleSelector: Int, RawChild { case moduleName, colonColon }
enum NamedOpaqueReturnType: Int, RawChild { case genericParameterClause, type }
/// The children of `T?` and `T!`.
enum OptionalType: Int, RawChild { case wrappedType, questionMark }
/// The children of `repeat T` and `each T`.
enum PackExpansionType: Int, RawChild { case repeatKeyword, repetitionPattern }
enum ReturnClause: Int, RawChild { case arrow, type }
enum SameTypeRequirement: Int, RawChild { case leftType, equal, rightType }
enum SomeOrAnyType: Int, RawChild { case someOrAnySpecifier, constraint }
enum TupleType: Int, RawChild { case leftParen, elements, rightParen }
enum TupleTypeElement: Int, RawChild { case inoutKeyword, firstName, secondName, colon, type, ellipsis, trailingComma }
enum TypeAnnotation: Int, RawChild { case colon, type }
enum TypeInitializerClause: Int, RawChild { case equal, value }
