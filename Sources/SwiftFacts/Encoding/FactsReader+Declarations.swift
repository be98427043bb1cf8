extension FactsReader {
  mutating func generics() throws -> [GenericParameterFact] {
    try list { GenericParameterFact(name: try $0.string(), bounds: try $0.list { try $0.type() }) }
  }

  mutating func requirements() throws -> [RequirementFact] {
    try list {
      let isSame = try $0.flag()
      return RequirementFact(left: try $0.type(), right: try $0.type(), isSameType: isSame)
    }
  }

  mutating func attributes() throws -> [AttributeFact] {
    try list {
      AttributeFact(type: try $0.type(), arguments: try $0.optional { try $0.list { try $0.argument() } })
    }
  }

  mutating func parameters() throws -> [ParameterFact] {
    try list {
      let flags = try $0.tag()
      return ParameterFact(
        label: flags & 1 != 0 ? try $0.string() : nil, name: try $0.string(), type: try $0.type(),
        isVariadic: flags & 2 != 0, hasDefault: flags & 4 != 0,
        defaultValue: try $0.optionalDetail { try $0.expression() }, attributes: try $0.list { try $0.string() })
    }
  }

  mutating func declaration() throws -> Declaration {
    switch try tag() {
    case 0:
      let tag = try tag()
      guard let kind = TypeDeclaration.Kind(rawValue: tag & ~FactsEncoding.privateType) else { throw Malformed() }
      return .type(
        TypeDeclaration(
          kind: kind, name: try string(), extended: try optional { try $0.type() }, generics: try generics(),
          inherited: try list { try $0.type() }, requirements: try requirements(), attributes: try attributes(),
          members: try list { try $0.declaration() }, isPrivate: tag & FactsEncoding.privateType != 0))
    case 1:
      guard let kind = FunctionDeclaration.Kind(rawValue: try tag()) else { throw Malformed() }
      let flags = try tag()
      return .function(
        FunctionDeclaration(
          kind: kind, name: try string(), isStatic: flags & 1 != 0, isFailable: flags & 2 != 0,
          isDisfavored: flags & 4 != 0, generics: try generics(), parameters: try parameters(),
          result: try optional { try $0.type() }, requirements: try requirements(), attributes: try attributes(),
          body: try optionalDetail { try $0.body() }, isPrivate: flags & 8 != 0))
    case 2:
      let flags = try tag()
      let pattern = try pattern()
      let type = try optional { try $0.type() }
      let value = type == nil ? try optional { try $0.expression() } : try optionalDetail { try $0.expression() }
      let attributes = try attributes()
      let holdsLiteral = try detail { try $0.flag() } ?? false
      return .variable(
        VariableDeclaration(
          pattern: pattern, isStatic: flags & 1 != 0, isLet: flags & 2 != 0, type: type, initializer: value,
          hasInitializer: flags & 4 != 0, initializerHoldsLiteral: holdsLiteral, isStored: flags & 8 != 0,
          isPrivate: flags & 16 != 0, attributes: attributes, getter: try optionalDetail { try $0.body() },
          observers: try detail { try $0.list { try $0.body() } } ?? []))
    case 3:
      return .enumCase(
        EnumCaseDeclaration(
          name: try string(), payload: try optional { try $0.parameters() },
          rawValue: try optionalDetail { try $0.expression() }))
    case 4: return .alias(try alias(isPrivate: false))
    case 5:
      return .associatedType(AssociatedTypeDeclaration(name: try string(), bounds: try list { try $0.type() }))
    case 6: return .alias(try alias(isPrivate: true))
    default: throw Malformed()
    }
  }

  private mutating func alias(isPrivate: Bool) throws -> AliasDeclaration {
    AliasDeclaration(name: try string(), generics: try generics(), type: try type(), isPrivate: isPrivate)
  }
}
