@_spi(RawSyntax) import SwiftSyntax

extension FactCompiler {
  /// Emits the facts of a declaration. Previews are skipped, because users never see them.
  /// - Parameter namesCases: whether an enum case without a raw value has its name as the raw value.
  func declaration(_ node: RawNode, namesCases: Bool = false, _ emit: (Declaration) -> Void) {
    switch node.kind {
    case .structDecl: nominal(node, .structure, emit)
    case .classDecl: nominal(node, .classType, emit)
    case .enumDecl: nominal(node, .enumeration, emit)
    case .actorDecl: nominal(node, .actor, emit)
    case .protocolDecl: protocolType(node, emit)
    case .extensionDecl: extensionType(node, emit)
    case .functionDecl: function(node, emit)
    case .initializerDecl: initializer(node, emit)
    case .subscriptDecl: subscriptAccess(node, emit)
    case .deinitializerDecl:
      guard holdsQuote(node) else { return }
      emit(.function(simpleFunction("deinit", body: block(node[DeinitializerDecl.body]))))
    case .macroDecl:
      emit(
        .function(
          signature(
            node, kind: .macro, name: text(node[MacroDecl.name]), generics: node[MacroDecl.genericParameterClause],
            signature: node[MacroDecl.signature], clause: node[MacroDecl.genericWhereClause],
            given: MacroImplementation.attributes(
              ofDefinition: node[MacroDecl.definition]?[InitializerClause.value].map { expression($0) }))))
    case .variableDecl: variable(node, emit)
    case .enumCaseDecl: enumCases(node, namesCases, emit)
    case .typeAliasDecl:
      emit(
        .alias(
          AliasDeclaration(
            name: text(node[TypeAliasDecl.name]),
            generics: genericParameters(node[TypeAliasDecl.genericParameterClause]),
            type: type(node[TypeAliasDecl.initializer]?[TypeInitializerClause.value]),
            isPrivate: isPrivate(node[TypeAliasDecl.modifiers])))
      )
    case .associatedTypeDecl:
      emit(
        .associatedType(
          AssociatedTypeDeclaration(
            name: text(node[AssociatedTypeDecl.name]),
            bounds: inheritedTypes(node[AssociatedTypeDecl.inheritanceClause]))))
    case .ifConfigDecl:
      for clause in liveClauses(node) {
        guard let items = clause[IfConfigClause.elements] else { continue }
        for item in items.elements {
          if let inner = item[MemberBlockItem.decl] { declaration(inner, namesCases: namesCases, emit) }
        }
      }
    case .macroExpansionDecl:
      // A macro in a member list. Its arguments may contain literals.
      guard holdsQuote(node), text(node[MacroExpansionDecl.macroName]) != "Preview" else { return }
      let arguments = arguments(
        node[MacroExpansionDecl.arguments], trailing: node[MacroExpansionDecl.trailingClosure],
        further: node[MacroExpansionDecl.additionalTrailingClosures])
      let statement = Statement.expression(.macro(text(node[MacroExpansionDecl.macroName]), arguments))
      emit(.function(simpleFunction("", body: Body(statements: [statement], isSingleExpression: false))))
    default: return
    }
  }

  func simpleFunction(_ name: String, body: Body) -> FunctionDeclaration {
    FunctionDeclaration(
      kind: .function, name: name, isStatic: false, isFailable: false, isDisfavored: false, generics: [],
      parameters: [], result: nil, requirements: [], attributes: [], body: body)
  }

  // MARK: types

  func nominal(_ node: RawNode, _ kind: TypeDeclaration.Kind, _ emit: (Declaration) -> Void) {
    let inherited = inheritedTypes(node[TypeDecl.inheritanceClause])
    guard !Self.isPreview(inherited) else { return }
    let members = members(
      node[TypeDecl.memberBlock], namesCases: kind == .enumeration && Self.hasLocalizableRawValues(inherited))
    emit(
      .type(
        TypeDeclaration(
          kind: kind, name: text(node[TypeDecl.name]), extended: nil,
          generics: genericParameters(node[TypeDecl.genericParameterClause]),
          inherited: inherited, requirements: requirements(node[TypeDecl.genericWhereClause]),
          attributes: attributes(node[TypeDecl.attributes])
            + MacroImplementation.attributes(of: node, inherited: inherited),
          members: members, isPrivate: isPrivate(node[TypeDecl.modifiers]))))
  }

  static func isPreview(_ inherited: [TypeFact]) -> Bool {
    inherited.contains {
      switch $0 {
      case .named("PreviewProvider", _), .member(_, "PreviewProvider", _), .named("PreviewModifier", _),
        .member(_, "PreviewModifier", _):
        true
      default: false
      }
    }
  }

  func protocolType(_ node: RawNode, _ emit: (Declaration) -> Void) {
    emit(
      .type(
        TypeDeclaration(
          kind: .protocolType, name: text(node[ProtocolDecl.name]), extended: nil, generics: [],
          inherited: inheritedTypes(node[ProtocolDecl.inheritanceClause]),
          requirements: requirements(node[ProtocolDecl.genericWhereClause]),
          attributes: attributes(node[ProtocolDecl.attributes]), members: members(node[ProtocolDecl.memberBlock]),
          isPrivate: isPrivate(node[ProtocolDecl.modifiers]))))
  }

  func extensionType(_ node: RawNode, _ emit: (Declaration) -> Void) {
    let extended = type(node[ExtensionDecl.extendedType])
    let inherited = inheritedTypes(node[ExtensionDecl.inheritanceClause])
    guard !Self.isPreview(inherited) else { return }
    emit(
      .type(
        TypeDeclaration(
          kind: .extended, name: "", extended: extended, generics: [], inherited: inherited,
          requirements: requirements(node[ExtensionDecl.genericWhereClause]),
          attributes: attributes(node[ExtensionDecl.attributes]),
          members: members(node[ExtensionDecl.memberBlock]), isPrivate: isPrivate(node[ExtensionDecl.modifiers]))))
  }

  func members(_ block: RawNode?, namesCases: Bool = false) -> [Declaration] {
    guard let list = block?[MemberBlock.members] else { return [] }
    var found: [Declaration] = []
    for item in list.elements {
      if let node = item[MemberBlockItem.decl] { declaration(node, namesCases: namesCases) { found.append($0) } }
    }
    return found
  }

  // MARK: functions

  func function(_ node: RawNode, _ emit: (Declaration) -> Void) {
    emit(
      .function(
        signature(
          node, kind: .function, name: text(node[FunctionDecl.name]),
          generics: node[FunctionDecl.genericParameterClause],
          signature: node[FunctionDecl.signature], clause: node[FunctionDecl.genericWhereClause],
          body: node[FunctionDecl.body])))
  }

  func initializer(_ node: RawNode, _ emit: (Declaration) -> Void) {
    emit(
      .function(
        signature(
          node, kind: .initializer, name: "init", generics: node[InitializerDecl.genericParameterClause],
          signature: node[InitializerDecl.signature], clause: node[InitializerDecl.genericWhereClause],
          body: node[InitializerDecl.body],
          isFailable: node[InitializerDecl.optionalMark]?.isText("?") == true)))
  }

  func subscriptAccess(_ node: RawNode, _ emit: (Declaration) -> Void) {
    let accessors = accessors(node[SubscriptDecl.accessorBlock])
    let body = Body(
      statements: (accessors.getter.map { [.block([$0])] } ?? []) + accessors.observers.map { .block([$0]) },
      isSingleExpression: false)
    emit(
      .function(
        FunctionDeclaration(
          kind: .subscriptAccess, name: "subscript", isStatic: isStatic(node[SubscriptDecl.modifiers]),
          isFailable: false,
          isDisfavored: isDisfavored(node[SubscriptDecl.attributes]),
          generics: genericParameters(node[SubscriptDecl.genericParameterClause]),
          parameters: parameters(node[SubscriptDecl.parameterClause], areSubscripts: true),
          result: type(node[SubscriptDecl.returnClause]?[ReturnClause.type]),
          requirements: requirements(node[SubscriptDecl.genericWhereClause]),
          attributes: attributes(node[SubscriptDecl.attributes]),
          body: accessors.getter == nil && accessors.observers.isEmpty
            ? nil : accessors.observers.isEmpty ? accessors.getter : body,
          isPrivate: isPrivate(node[SubscriptDecl.modifiers]))))
  }

  func signature(
    _ node: RawNode, kind: FunctionDeclaration.Kind, name: String, generics: RawNode?, signature: RawNode?,
    clause: RawNode?, body: RawNode? = nil, given: [AttributeFact] = [], isFailable: Bool = false
  ) -> FunctionDeclaration {
    FunctionDeclaration(
      kind: kind, name: name, isStatic: isStatic(node[FunctionDecl.modifiers]), isFailable: isFailable,
      isDisfavored: isDisfavored(node[FunctionDecl.attributes]), generics: genericParameters(generics),
      parameters: parameters(signature?[FunctionSignature.parameterClause]),
      result: signature?[FunctionSignature.returnClause].map { type($0[ReturnClause.type]) },
      requirements: requirements(clause), attributes: attributes(node[FunctionDecl.attributes]) + given,
      body: holdsQuote(body) ? block(body) : nil, isPrivate: isPrivate(node[FunctionDecl.modifiers]))
  }

  /// - Parameter areSubscripts: whether the clause belongs to a subscript. `subscript(key: Key)` is called without a label, but `subscript(at index:
  ///   Int)` with `at`.
  func parameters(_ clause: RawNode?, areSubscripts: Bool = false) -> [ParameterFact] {
    guard let list = clause?[FunctionParameterClause.parameters] else { return [] }
    return list.elements.map { element in
      let first = text(element[FunctionParameter.firstName])
      let isBare = first == "_" || areSubscripts && element[FunctionParameter.secondName] == nil
      let value = element[FunctionParameter.defaultValue]?[InitializerClause.value]
      return ParameterFact(
        label: isBare ? nil : first, name: element[FunctionParameter.secondName].map { text($0) } ?? first,
        type: type(element[FunctionParameter.type]), isVariadic: element[FunctionParameter.ellipsis] != nil,
        hasDefault: value != nil,
        defaultValue: holdsQuote(value) ? expression(value) : nil,
        attributes: attributeNames(element[FunctionParameter.attributes]))
    }
  }

  func isStatic(_ modifiers: RawNode?) -> Bool {
    guard let modifiers else { return false }
    for modifier in modifiers.elements {
      if let name = modifier[DeclModifier.name], name.isText("static") || name.isText("class") { return true }
    }
    return false
  }

  /// Returns whether only code in the same file can see the declaration.
  func isPrivate(_ modifiers: RawNode?) -> Bool {
    guard let modifiers else { return false }
    for modifier in modifiers.elements where modifier[DeclModifier.detail] == nil {
      if let name = modifier[DeclModifier.name], name.isText("private") || name.isText("fileprivate") { return true }
    }
    return false
  }

  func isDisfavored(_ attributes: RawNode?) -> Bool {
    attributeNames(attributes).contains("_disfavoredOverload")
  }
}
