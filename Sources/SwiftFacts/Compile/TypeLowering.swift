@_spi(RawSyntax) import SwiftSyntax

extension FactCompiler {
  /// Lowers a type as it is written.
  func type(_ node: RawNode?) -> TypeFact {
    guard let node else { return .unknown }
    switch node.kind {
    case .identifierType:
      if let module = node.child(0) {
        return .member(.named(text(module.child(0)), []), text(node.child(1)), genericArguments(node.child(2)))
      }
      return .named(text(node.child(1)), genericArguments(node.child(2)))
    case .memberType:
      let name = text(node.child(3))
      if name == "Type" || name == "Protocol" { return .metatype(type(node.child(0))) }
      return .member(type(node.child(0)), name, genericArguments(node.child(4)))
    case .optionalType, .implicitlyUnwrappedOptionalType:
      return .named("Optional", [type(node.child(0))])
    case .arrayType:
      return .named("Array", [type(node.child(1))])
    case .dictionaryType:
      return .named("Dictionary", [type(node.child(1)), type(node.child(3))])
    case .tupleType:
      let elements = tupleElements(node.child(1))
      if elements.count == 1, let only = elements.first { return only.type }
      return .tuple(elements)
    case .functionType:
      return .function(tupleElements(node.child(1)).map(\.type), type(node.child(4)?.child(1)))
    case .someOrAnyType:
      let inner = type(node.child(1))
      return node.child(0)?.isText("some") == true ? .opaque(inner) : inner
    case .compositionType:
      let parts = node.child(0)?.elements.map { type($0.child(0)) } ?? []
      return .composition(parts)
    case .metatypeType:
      return .metatype(type(node.child(0)))
    case .attributedType:
      let inner = type(node.child(3))
      // An autoclosure takes the result of its body.
      if case .function(_, let result) = inner, isAutoclosure(node) { return result }
      return inner
    case .packExpansionType, .packElementType:
      return type(node.child(1))
    case .namedOpaqueReturnType:
      return type(node.child(1))
    default:
      return .unknown
    }
  }

  private func isAutoclosure(_ node: RawNode) -> Bool {
    node.elements.contains { list in
      list.kind == .attributeList
        && list.elements.contains { $0.kind == .attribute && $0.child(1)?.firstToken?.isText("autoclosure") == true }
    }
  }

  private func tupleElements(_ list: RawNode?) -> [LabeledTypeFact] {
    guard let list else { return [] }
    return list.elements.map { element in
      let first = element.child(1).map { text($0) }
      return LabeledTypeFact(label: first == "_" ? nil : first, type: type(element.child(4)))
    }
  }

  func genericArguments(_ clause: RawNode?) -> [TypeFact] {
    guard let list = clause?.child(1) else { return [] }
    return list.elements.map { type($0.child(0)) }
  }

  func genericParameters(_ clause: RawNode?) -> [GenericParameterFact] {
    guard let list = clause?.child(1) else { return [] }
    return list.elements.map { element in
      let bounds: [TypeFact]
      switch element.child(4).map({ type($0) }) {
      case .composition(let parts)?: bounds = parts
      case let bound?: bounds = [bound]
      case nil: bounds = []
      }
      return GenericParameterFact(name: text(element.child(2)), bounds: bounds)
    }
  }

  func requirements(_ clause: RawNode?) -> [RequirementFact] {
    guard let list = clause?.child(1) else { return [] }
    var found: [RequirementFact] = []
    for element in list.elements {
      guard let requirement = element.child(0) else { continue }
      switch requirement.kind {
      case .sameTypeRequirement:
        found.append(
          RequirementFact(left: type(requirement.child(0)), right: type(requirement.child(2)), isSameType: true))
      case .conformanceRequirement:
        found.append(
          RequirementFact(left: type(requirement.child(0)), right: type(requirement.child(2)), isSameType: false))
      default: break
      }
    }
    return found
  }

  func inheritedTypes(_ clause: RawNode?) -> [TypeFact] {
    guard let list = clause?.child(1) else { return [] }
    return list.elements.flatMap { element -> [TypeFact] in
      let inherited = type(element.child(0))
      if case .composition(let parts) = inherited { return parts }
      return [inherited]
    }
  }
}
