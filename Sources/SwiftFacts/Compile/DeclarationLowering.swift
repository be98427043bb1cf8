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
      emit(.function(simpleFunction("deinit", body: block(node.child(4)))))
    case .macroDecl:
      emit(
        .function(
          signature(
            node, kind: .macro, name: text(node.child(3)), generics: 4, signature: 5, clause: 7,
            given: MacroImplementation.attributes(ofDefinition: node.child(6)?.child(1).map { expression($0) }))))
    case .variableDecl: variable(node, emit)
    case .enumCaseDecl: enumCases(node, namesCases, emit)
    case .typeAliasDecl:
      emit(
        .alias(
          AliasDeclaration(
            name: text(node.child(3)), generics: genericParameters(node.child(4)), type: type(node.child(5)?.child(1))))
      )
    case .associatedTypeDecl:
      emit(
        .associatedType(
          AssociatedTypeDeclaration(name: text(node.child(3)), bounds: inheritedTypes(node.child(4)))))
    case .ifConfigDecl:
      for clause in liveClauses(node) {
        guard let items = clause.child(2) else { continue }
        for item in items.elements {
          if let inner = item.child(0) { declaration(inner, namesCases: namesCases, emit) }
        }
      }
    case .macroExpansionDecl:
      // In a member list. The arguments of the macro may contain literals.
      guard holdsQuote(node), text(node.child(4)) != "Preview" else { return }
      let arguments = arguments(node.child(7), trailing: node.child(9), further: node.child(10))
      let statement = Statement.expression(.macro(text(node.child(4)), arguments))
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
    let inherited = inheritedTypes(node.child(5))
    guard !Self.isPreview(inherited) else { return }
    let members = members(
      node.child(7), namesCases: kind == .enumeration && Self.hasLocalizableRawValues(inherited))
    emit(
      .type(
        TypeDeclaration(
          kind: kind, name: text(node.child(3)), extended: nil, generics: genericParameters(node.child(4)),
          inherited: inherited, requirements: requirements(node.child(6)),
          attributes: attributes(node.child(0)) + MacroImplementation.attributes(of: node, inherited: inherited),
          members: members)))
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
          kind: .protocolType, name: text(node.child(3)), extended: nil, generics: [],
          inherited: inheritedTypes(node.child(5)), requirements: requirements(node.child(6)),
          attributes: attributes(node.child(0)), members: members(node.child(7)))))
  }

  func extensionType(_ node: RawNode, _ emit: (Declaration) -> Void) {
    let extended = type(node.child(3))
    let inherited = inheritedTypes(node.child(4))
    guard !Self.isPreview(inherited) else { return }
    emit(
      .type(
        TypeDeclaration(
          kind: .extended, name: "", extended: extended, generics: [], inherited: inherited,
          requirements: requirements(node.child(5)), attributes: attributes(node.child(0)),
          members: members(node.child(6)))))
  }

  func members(_ block: RawNode?, namesCases: Bool = false) -> [Declaration] {
    guard let list = block?.child(1) else { return [] }
    var found: [Declaration] = []
    for item in list.elements {
      if let node = item.child(0) { declaration(node, namesCases: namesCases) { found.append($0) } }
    }
    return found
  }

  // MARK: functions

  func function(_ node: RawNode, _ emit: (Declaration) -> Void) {
    emit(
      .function(
        signature(
          node, kind: .function, name: text(node.child(3)), generics: 4, signature: 5, clause: 6, body: node.child(7))))
  }

  func initializer(_ node: RawNode, _ emit: (Declaration) -> Void) {
    emit(
      .function(
        signature(
          node, kind: .initializer, name: "init", generics: 4, signature: 5, clause: 6, body: node.child(7),
          isFailable: node.child(3)?.isText("?") == true)))
  }

  func subscriptAccess(_ node: RawNode, _ emit: (Declaration) -> Void) {
    let accessors = accessors(node.child(7))
    let body = Body(
      statements: (accessors.getter.map { [.block([$0])] } ?? []) + accessors.observers.map { .block([$0]) },
      isSingleExpression: false)
    emit(
      .function(
        FunctionDeclaration(
          kind: .subscriptAccess, name: "subscript", isStatic: isStatic(node.child(1)), isFailable: false,
          isDisfavored: isDisfavored(node.child(0)), generics: genericParameters(node.child(3)),
          parameters: parameters(node.child(4), areSubscripts: true), result: type(node.child(5)?.child(1)),
          requirements: requirements(node.child(6)), attributes: attributes(node.child(0)),
          body: accessors.getter == nil && accessors.observers.isEmpty
            ? nil : accessors.observers.isEmpty ? accessors.getter : body)))
  }

  func signature(
    _ node: RawNode, kind: FunctionDeclaration.Kind, name: String, generics: Int, signature: Int, clause: Int,
    body: RawNode? = nil, given: [AttributeFact] = [], isFailable: Bool = false
  ) -> FunctionDeclaration {
    let shape = node.child(signature)
    return FunctionDeclaration(
      kind: kind, name: name, isStatic: isStatic(node.child(1)), isFailable: isFailable,
      isDisfavored: isDisfavored(node.child(0)), generics: genericParameters(node.child(generics)),
      parameters: parameters(shape?.child(0)), result: shape?.child(2).map { type($0.child(1)) },
      requirements: requirements(node.child(clause)), attributes: attributes(node.child(0)) + given,
      body: holdsQuote(body) ? block(body) : nil)
  }

  /// - Parameter areSubscripts: `subscript(key: Key)` is called without a label, `subscript(at index: Int)` with one.
  func parameters(_ clause: RawNode?, areSubscripts: Bool = false) -> [ParameterFact] {
    guard let list = clause?.child(1) else { return [] }
    return list.elements.map { element in
      let first = text(element.child(2))
      let isBare = first == "_" || areSubscripts && element.child(3) == nil
      let value = element.child(7)?.child(1)
      return ParameterFact(
        label: isBare ? nil : first, name: element.child(3).map { text($0) } ?? first,
        type: type(element.child(5)), isVariadic: element.child(6) != nil, hasDefault: value != nil,
        defaultValue: holdsQuote(value) ? expression(value) : nil, attributes: attributeNames(element.child(0)))
    }
  }

  func isStatic(_ modifiers: RawNode?) -> Bool {
    guard let modifiers else { return false }
    for modifier in modifiers.elements {
      if let name = modifier.child(0), name.isText("static") || name.isText("class") { return true }
    }
    return false
  }

  func isPrivate(_ modifiers: RawNode?) -> Bool {
    guard let modifiers else { return false }
    for modifier in modifiers.elements where modifier.child(1) == nil {
      if let name = modifier.child(0), name.isText("private") { return true }
    }
    return false
  }

  func isDisfavored(_ attributes: RawNode?) -> Bool {
    attributeNames(attributes).contains("_disfavoredOverload")
  }
}
