/// The part of the facts that other files can see. It is equal to `EncodedFacts.interfaceFacts`, except for the texts, places and platforms of
/// literals, which do not determine a type.
extension FileFacts {
  package var interface: FileFacts {
    FileFacts(
      imports: imports,
      statements: statements.compactMap {
        if case .declaration(let declaration) = $0 { .declaration(declaration.interface) } else { nil }
      }, holdsLiterals: holdsLiterals, firstError: firstError)
  }
}

extension Declaration {
  fileprivate var interface: Declaration {
    switch self {
    case .type(let type): .type(type.interface)
    case .function(let function): .function(function.interface)
    case .variable(let variable): .variable(variable.interface)
    case .enumCase(let enumCase): .enumCase(enumCase.interface)
    case .alias, .associatedType: self
    }
  }
}

extension TypeDeclaration {
  fileprivate var interface: TypeDeclaration {
    TypeDeclaration(
      kind: kind, name: name, extended: extended, generics: generics, inherited: inherited, requirements: requirements,
      attributes: attributes, members: members.map(\.interface), isPrivate: isPrivate)
  }
}

extension ParameterFact {
  fileprivate var interface: ParameterFact {
    var own = self
    own.defaultValue = nil
    return own
  }
}

extension FunctionDeclaration {
  fileprivate var interface: FunctionDeclaration {
    let hasDefaults = parameters.contains { $0.defaultValue != nil }
    guard body != nil || hasDefaults else { return self }
    return FunctionDeclaration(
      kind: kind, name: name, isStatic: isStatic, isFailable: isFailable, isDisfavored: isDisfavored,
      generics: generics, parameters: hasDefaults ? parameters.map(\.interface) : parameters, result: result,
      requirements: requirements, attributes: attributes, body: nil, isPrivate: isPrivate)
  }
}

extension VariableDeclaration {
  fileprivate var interface: VariableDeclaration {
    guard getter != nil || !observers.isEmpty || type != nil && initializer != nil || initializerHoldsLiteral else {
      return self
    }
    return VariableDeclaration(
      pattern: pattern, isStatic: isStatic, isLet: isLet, type: type, initializer: type == nil ? initializer : nil,
      hasInitializer: hasInitializer, initializerHoldsLiteral: false, isStored: isStored, isPrivate: isPrivate,
      attributes: attributes, getter: nil,
      observers: [])
  }
}

extension EnumCaseDeclaration {
  fileprivate var interface: EnumCaseDeclaration {
    guard rawValue != nil || payload?.contains(where: { $0.defaultValue != nil }) ?? false else { return self }
    return EnumCaseDeclaration(name: name, payload: payload?.map(\.interface), rawValue: nil)
  }
}
