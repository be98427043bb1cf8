import SwiftFacts

extension TypeResolver {
  /// Returns the type's own members with this name, without those of its ancestors.
  func ownMembers(_ name: String, of nominal: Nominal) -> [Member] {
    let view = nominal.view(in: module)
    if let known = view.ownMembers[name] { return known }
    var found = nominal.table[name] ?? []
    for table in extensionTables(of: nominal) {
      if let further = table[name] { found += further }
    }
    if name == "init", let memberwise = memberwiseInitializer(of: nominal) { found.append(memberwise) }
    view.ownMembers[name] = found
    return found
  }

  /// Returns the tables of the members that other visible modules add to a type; for a local type, also that of its own module.
  private func extensionTables(of nominal: Nominal) -> [MemberTable] {
    let view = nominal.view(in: module)
    if let known = view.extensions { return known }
    let found = module.visible.compactMap { other in
      other !== nominal.module || nominal.isLocal ? other.extensions[nominal] : nil
    }
    if module.hasAllDeclarations { view.extensions = found }
    return found
  }

  /// Returns the operator functions with this name that the project declares.
  func operators(_ name: String) -> [Member] {
    if let known = module.operatorCache[name] { return known }
    let found = module.visible.flatMap { $0.isStub ? [] : $0.operators[name] ?? [] }
    module.operatorCache[name] = found
    return found
  }

  /// Returns all members with this name, nearest first.
  func members(_ name: String, of nominal: Nominal) -> [Member] {
    let view = nominal.view(in: module)
    if let known = view.members[name] { return known }
    var found = ownMembers(name, of: nominal)
    // The members of ancestors are added even if the type has this name, too, because initializers of protocols overload those of the type.
    for ancestor in ancestry(nominal).dropFirst() where module.progress.spend() {
      found += ownMembers(name, of: ancestor)
    }
    view.members[name] = found
    return found
  }

  private func memberwiseInitializer(of nominal: Nominal) -> Member? {
    guard nominal.kind == .structure, !nominal.module.isStub else { return nil }
    if let known = nominal.memberwise { return known }
    // The stored instance properties, in order.
    var stored: [VariableDeclaration] = []
    for declaration in nominal.declarations.lazy.flatMap(\.members) {
      switch declaration {
      case .function(let function) where function.kind == .initializer: return nil
      case .variable(let variable) where variable.isStored && !variable.isStatic: stored.append(variable)
      default: break
      }
    }
    var scope = TypeScope(module: nominal.module, nominal: nominal)
    if let first = nominal.table.first { scope = first.scope }
    scope.file = nominal.file
    let member = Member(.memberwise(stored), nominal: nominal, scope: scope)
    nominal.memberwise = member
    return member
  }

  /// Returns an associated type, which is inferred from the raw type or members of a conforming type; `unknown` if it cannot be inferred. For the
  /// only associated type of a protocol with one argument, as in `some Collection<Int>`, this is the argument.
  func associatedType(_ name: String, of nominal: Nominal, _ arguments: TypeList) -> LinkedType {
    switch name {
    case "RawValue":
      if nominal.kind == .enumeration {
        guard let first = inherited(nominal).first, first.nominal?.kind != .protocolType else { return .unknown }
        return first
      }
      guard let member = members("rawValue", of: nominal).first else { return .unknown }
      return substitute(
        Dictionary(zip(nominal.generics, arguments)) { first, _ in first }, in: variableType(of: member))
    case "ID":
      guard let member = members("id", of: nominal).first else { return .unknown }
      return substitute(
        Dictionary(zip(nominal.generics, arguments)) { first, _ in first }, in: variableType(of: member))
    case "ArrayLiteralElement" where nominal.kind != .protocolType:
      return elementOfLiteral("arrayLiteral", of: nominal, arguments)
    case "Key" where nominal.kind != .protocolType, "Value" where nominal.kind != .protocolType:
      guard case .tuple(let parts, _) = elementOfLiteral("dictionaryLiteral", of: nominal, arguments), parts.count == 2
      else { return .unknown }
      return parts[name == "Key" ? 0 : 1]
    default:
      guard nominal.kind == .protocolType, arguments.count == 1, let only = arguments.first else { return .unknown }
      // The facts do not show which associated types are primary. If there is only one associated type, it must be the primary one.
      let declared = nominal.declaration.members.compactMap { member -> String? in
        if case .associatedType(let declaration) = member { declaration.name } else { nil }
      }
      return declared == [name] || declared.isEmpty && name == "Element" ? only : .unknown
    }
  }

  /// Returns the type of the elements in a literal of the type, from an initializer such as `init(arrayLiteral elements: Row...)`.
  private func elementOfLiteral(_ label: String, of nominal: Nominal, _ arguments: TypeList) -> LinkedType {
    for member in members("init", of: nominal) {
      guard case .function(let function) = member.kind, function.parameters.first?.label == label,
        let parameter = signature(of: member)?.parameters.first
      else { continue }
      return substitute(Dictionary(zip(nominal.generics, arguments)) { first, _ in first }, in: parameter.type)
    }
    return .unknown
  }
}
