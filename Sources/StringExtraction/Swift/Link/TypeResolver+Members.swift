extension TypeResolver {
  /// The members of that name that a type has of itself, its ancestors' left out.
  func ownMembers(_ name: String, of nominal: Nominal) -> [Member] {
    if let known = module.ownMemberCache[nominal]?[name] { return known }
    var found = nominal.members[name] ?? []
    for table in extensionTables(of: nominal) {
      if let further = table[name] { found += further }
    }
    if name == "init", let memberwise = memberwiseInitializer(of: nominal) { found.append(memberwise) }
    module.ownMemberCache[nominal, default: [:]][name] = found
    return found
  }

  /// The members that other modules give to a type.
  private func extensionTables(of nominal: Nominal) -> [[String: [Member]]] {
    if let known = module.extensionCache[nominal] { return known }
    let found = module.visible.compactMap { other in
      other !== nominal.module || nominal.isLocal ? other.extensions[nominal] : nil
    }
    if module.isSettled { module.extensionCache[nominal] = found }
    return found
  }

  /// The operator functions of that name that the project declares.
  func operators(_ name: String) -> [Member] {
    if let known = module.operatorCache[name] { return known }
    let found = module.visible.flatMap { $0.isStub ? [] : $0.operators[name] ?? [] }
    module.operatorCache[name] = found
    return found
  }

  /// All members of that name, the nearest first.
  func members(_ name: String, of nominal: Nominal) -> [Member] {
    if let known = module.memberCache[nominal]?[name] { return known }
    var found = ownMembers(name, of: nominal)
    for ancestor in ancestry(nominal).dropFirst() {
      if name == "init", ancestor.kind == .protocolType, !found.isEmpty { continue }
      found += ownMembers(name, of: ancestor)
    }
    module.memberCache[nominal, default: [:]][name] = found
    return found
  }

  private func memberwiseInitializer(of nominal: Nominal) -> Member? {
    guard nominal.kind == .structure, !nominal.hasOwnInitializer, !nominal.module.isStub else { return nil }
    if let known = nominal.memberwise { return known }
    var scope = TypeScope(module: nominal.module, nominal: nominal)
    if let first = nominal.members.values.first?.first { scope = first.scope }
    let member = Member(.memberwise(nominal.stored), nominal: nominal, scope: scope)
    nominal.memberwise = member
    return member
  }
}
