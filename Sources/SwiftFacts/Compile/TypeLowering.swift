@_spi(RawSyntax) import SwiftSyntax

extension FactCompiler {
  /// Lowers a type.
  func type(_ node: RawNode?) -> TypeFact {
    guard let node else { return .unknown }
    switch node.kind {
    case .identifierType:
      if let module = node[IdentifierType.moduleSelector] {
        return .member(
          .named(text(module[ModuleSelector.moduleName]), []), text(node[IdentifierType.name]),
          genericArguments(node[IdentifierType.genericArgumentClause]))
      }
      return .named(text(node[IdentifierType.name]), genericArguments(node[IdentifierType.genericArgumentClause]))
    case .memberType:
      let name = text(node[MemberType.name])
      if name == "Type" || name == "Protocol" { return .metatype(type(node[MemberType.baseType])) }
      return .member(type(node[MemberType.baseType]), name, genericArguments(node[MemberType.genericArgumentClause]))
    case .optionalType, .implicitlyUnwrappedOptionalType:
      return .named("Optional", [type(node[OptionalType.wrappedType])])
    case .arrayType:
      return .named("Array", [type(node[ArrayType.element])])
    case .dictionaryType:
      return .named("Dictionary", [type(node[DictionaryType.key]), type(node[DictionaryType.value])])
    case .tupleType:
      let elements = tupleElements(node[TupleType.elements])
      if elements.count == 1, let only = elements.first { return only.type }
      return .tuple(elements)
    case .functionType:
      return .function(
        tupleElements(node[FunctionType.parameters]).map(\.type),
        type(node[FunctionType.returnClause]?[ReturnClause.type]))
    case .someOrAnyType:
      let inner = type(node[SomeOrAnyType.constraint])
      return node[SomeOrAnyType.someOrAnySpecifier]?.isText("some") == true ? .opaque(inner) : inner
    case .compositionType:
      let parts = node[CompositionType.elements]?.elements.map { type($0[CompositionTypeElement.type]) } ?? []
      return .composition(parts)
    case .metatypeType:
      return .metatype(type(node[MetatypeType.baseType]))
    case .attributedType:
      let inner = type(node[AttributedType.baseType])
      // The argument for an autoclosure has the type of the closure's result.
      if case .function(_, let result) = inner, isAutoclosure(node) { return result }
      return inner
    case .packExpansionType, .packElementType:
      return type(node[PackExpansionType.repetitionPattern])
    case .namedOpaqueReturnType:
      return type(node[NamedOpaqueReturnType.type])
    default:
      return .unknown
    }
  }

  private func isAutoclosure(_ node: RawNode) -> Bool {
    node.elements.contains { list in
      list.kind == .attributeList
        && list.elements.contains {
          $0.kind == .attribute && $0[Attribute.attributeName]?.firstToken?.isText("autoclosure") == true
        }
    }
  }

  private func tupleElements(_ list: RawNode?) -> [LabeledTypeFact] {
    guard let list else { return [] }
    return list.elements.map { element in
      let first = element[TupleTypeElement.firstName].map { text($0) }
      return LabeledTypeFact(label: first == "_" ? nil : first, type: type(element[TupleTypeElement.type]))
    }
  }

  func genericArguments(_ clause: RawNode?) -> [TypeFact] {
    guard let list = clause?[GenericArgumentClause.arguments] else { return [] }
    return list.elements.map { type($0[GenericArgument.argument]) }
  }

  func genericParameters(_ clause: RawNode?) -> [GenericParameterFact] {
    guard let list = clause?[GenericParameterClause.parameters] else { return [] }
    return list.elements.map { element in
      let bounds: [TypeFact]
      switch element[GenericParameter.inheritedType].map({ type($0) }) {
      case .composition(let parts)?: bounds = parts
      case let bound?: bounds = [bound]
      case nil: bounds = []
      }
      return GenericParameterFact(name: text(element[GenericParameter.name]), bounds: bounds)
    }
  }

  func requirements(_ clause: RawNode?) -> [RequirementFact] {
    guard let list = clause?[GenericWhereClause.requirements] else { return [] }
    var found: [RequirementFact] = []
    for element in list.elements {
      guard let requirement = element[GenericRequirement.requirement] else { continue }
      switch requirement.kind {
      case .sameTypeRequirement:
        found.append(
          RequirementFact(
            left: type(requirement[SameTypeRequirement.leftType]),
            right: type(requirement[SameTypeRequirement.rightType]), isSameType: true))
      case .conformanceRequirement:
        found.append(
          RequirementFact(
            left: type(requirement[ConformanceRequirement.leftType]),
            right: type(requirement[ConformanceRequirement.rightType]), isSameType: false))
      default: break
      }
    }
    return found
  }

  func inheritedTypes(_ clause: RawNode?) -> [TypeFact] {
    guard let list = clause?[InheritanceClause.inheritedTypes] else { return [] }
    return list.elements.flatMap { element -> [TypeFact] in
      let inherited = type(element[InheritedType.type])
      if case .composition(let parts) = inherited { return parts }
      return [inherited]
    }
  }
}
