@_spi(RawSyntax) import SwiftSyntax

extension FactCompiler {
  func variable(_ node: RawNode, _ emit: (Declaration) -> Void) {
    guard let bindings = node.child(3) else { return }
    let attributes = attributes(node.child(0))
    // `let a, b: Int`: the type annotation of a later binding also applies to the earlier ones.
    var laterType: TypeFact?
    var found: [VariableDeclaration] = []
    for binding in bindings.elements.map({ $0 }).reversed() {
      let annotation = binding.child(1).map { type($0.child(1)) }
      let value = binding.child(2)?.child(1)
      if let annotation { laterType = annotation } else if value != nil { laterType = nil }
      let declared = annotation ?? (value == nil ? laterType : nil)
      let accessors = accessors(binding.child(3))
      let holdsLiteral = holdsQuote(value)
      found.append(
        VariableDeclaration(
          pattern: pattern(binding.child(0)), isStatic: isStatic(node.child(1)),
          isLet: node.child(2)?.isText("let") == true, type: declared,
          initializer: declared == nil || holdsLiteral ? value.map { expression($0) } : nil,
          hasInitializer: value != nil, initializerHoldsLiteral: holdsLiteral, isStored: accessors.isStored,
          isPrivate: isPrivate(node.child(1)),
          attributes: attributes, getter: accessors.getter, observers: accessors.observers))
    }
    for declaration in found.reversed() { emit(.variable(declaration)) }
  }

  func accessors(_ block: RawNode?) -> (getter: Body?, observers: [Body], isStored: Bool) {
    guard let block, let content = block.child(1) else { return (nil, [], true) }
    guard content.kind == .accessorDeclList else {
      return (holdsQuote(content) ? body(content) : nil, [], false)
    }
    var getter: Body?
    var observers: [Body] = []
    var isStored = true
    for accessor in content.elements {
      let specifier = accessor.child(2)
      let isGetter = specifier?.isText("get") == true
      if isGetter || specifier?.isText("_read") == true || specifier?.isText("unsafeAddress") == true {
        isStored = false
      }
      guard let inner = accessor.child(5), holdsQuote(inner) else { continue }
      if isGetter { getter = self.block(inner) } else { observers.append(self.block(inner)) }
    }
    return (getter, observers, isStored)
  }

  func enumCases(_ node: RawNode, _ namesCases: Bool, _ emit: (Declaration) -> Void) {
    guard let list = node.child(3) else { return }
    for element in list.elements {
      let payload = element.child(1)?.child(1)?.elements.map { parameter in
        let name = parameter.child(1).map { text($0) }
        let value = parameter.child(5)?.child(1)
        return ParameterFact(
          label: name == "_" ? nil : name, name: parameter.child(2).map { text($0) } ?? name ?? "",
          type: type(parameter.child(4)), isVariadic: false, hasDefault: value != nil,
          defaultValue: holdsQuote(value) ? expression(value) : nil, attributes: [])
      }
      let name = text(element.child(0))
      var rawValue = element.child(2).map { expression($0.child(1)) }
      if rawValue == nil, payload == nil, namesCases, let place = place(of: element) {
        rawValue = .string(StringLiteral(segments: [.text(name)], place: place))
      }
      emit(.enumCase(EnumCaseDeclaration(name: name, payload: payload, rawValue: rawValue)))
    }
  }

  /// Whether the raw values of an enum are localizable texts. Xcode then extracts the names of cases without a raw value
  /// (xcode-extraction.md R5).
  static func hasLocalizableRawValues(_ inherited: [TypeFact]) -> Bool {
    switch inherited.first {
    case .named(let name, _), .member(_, let name, _):
      ["LocalizedStringKey", "LocalizedStringResource", "LocalizationValue"].contains(name)
    default: false
    }
  }
}
