@_spi(RawSyntax) import SwiftSyntax

extension FactCompiler {
  func variable(_ node: RawNode, _ emit: (Declaration) -> Void) {
    guard let bindings = node[VariableDecl.bindings] else { return }
    let attributes = attributes(node[VariableDecl.attributes])
    // In `let a, b: Int`, the type annotation of a later binding also applies to the earlier bindings.
    var laterType: TypeFact?
    var found: [VariableDeclaration] = []
    for binding in bindings.elements.map({ $0 }).reversed() {
      let annotation = binding[PatternBinding.typeAnnotation].map { type($0[TypeAnnotation.type]) }
      let value = binding[PatternBinding.initializer]?[InitializerClause.value]
      if let annotation { laterType = annotation } else if value != nil { laterType = nil }
      let declared = annotation ?? (value == nil ? laterType : nil)
      let accessors = accessors(binding[PatternBinding.accessorBlock])
      let holdsLiteral = holdsQuote(value)
      found.append(
        VariableDeclaration(
          pattern: pattern(binding[PatternBinding.pattern]), isStatic: isStatic(node[VariableDecl.modifiers]),
          isLet: node[VariableDecl.bindingSpecifier]?.isText("let") == true, type: declared,
          initializer: declared == nil || holdsLiteral ? value.map { expression($0) } : nil,
          hasInitializer: value != nil, initializerHoldsLiteral: holdsLiteral, isStored: accessors.isStored,
          isPrivate: isPrivate(node[VariableDecl.modifiers]),
          attributes: attributes, getter: accessors.getter, observers: accessors.observers))
    }
    for declaration in found.reversed() { emit(.variable(declaration)) }
  }

  func accessors(_ block: RawNode?) -> (getter: Body?, observers: [Body], isStored: Bool) {
    guard let block, let content = block[AccessorBlock.accessors] else { return (nil, [], true) }
    guard content.kind == .accessorDeclList else {
      return (holdsQuote(content) ? body(content) : nil, [], false)
    }
    var getter: Body?
    var observers: [Body] = []
    var isStored = true
    for accessor in content.elements {
      let specifier = accessor[AccessorDecl.accessorSpecifier]
      let isGetter = specifier?.isText("get") == true
      if isGetter || specifier?.isText("_read") == true || specifier?.isText("unsafeAddress") == true {
        isStored = false
      }
      guard let inner = accessor[AccessorDecl.body], holdsQuote(inner) else { continue }
      if isGetter { getter = self.block(inner) } else { observers.append(self.block(inner)) }
    }
    return (getter, observers, isStored)
  }

  func enumCases(_ node: RawNode, _ namesCases: Bool, _ emit: (Declaration) -> Void) {
    guard let list = node[EnumCaseDecl.elements] else { return }
    for element in list.elements {
      let payload = element[EnumCaseElement.parameterClause]?[EnumCaseParameterClause.parameters]?.elements.map {
        parameter in
        let name = parameter[EnumCaseParameter.firstName].map { text($0) }
        let value = parameter[EnumCaseParameter.defaultValue]?[InitializerClause.value]
        return ParameterFact(
          label: name == "_" ? nil : name, name: parameter[EnumCaseParameter.secondName].map { text($0) } ?? name ?? "",
          type: type(parameter[EnumCaseParameter.type]), isVariadic: false, hasDefault: value != nil,
          defaultValue: holdsQuote(value) ? expression(value) : nil, attributes: [])
      }
      let name = text(element[EnumCaseElement.name])
      var rawValue = element[EnumCaseElement.rawValue].map { expression($0[InitializerClause.value]) }
      if rawValue == nil, payload == nil, namesCases, let place = place(of: element) {
        rawValue = .string(StringLiteral(segments: [.text(name)], place: place))
      }
      emit(.enumCase(EnumCaseDeclaration(name: name, payload: payload, rawValue: rawValue)))
    }
  }

  /// Returns whether the raw values of an enum are localizable texts. If so, Xcode extracts the names of cases without a raw value
  /// (xcode-extraction.md R5).
  static func hasLocalizableRawValues(_ inherited: [TypeFact]) -> Bool {
    switch inherited.first {
    case .named(let name, _), .member(_, let name, _):
      ["LocalizedStringKey", "LocalizedStringResource", "LocalizationValue"].contains(name)
    default: false
    }
  }
}
