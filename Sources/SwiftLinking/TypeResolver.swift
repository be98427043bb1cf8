import SwiftFacts

/// A resolver of the types in source code, which also looks up their nested types, ancestors and conformances. It sees what one module sees.
struct TypeResolver {
  /// The module from whose view types are resolved. Extensions that this module cannot see are ignored.
  let module: Module

  // MARK: names

  func resolve(_ fact: TypeFact, in scope: TypeScope, depth: Int = 0) -> LinkedType {
    guard depth < 40, module.progress.spendOnType(isWhole: depth == 0) else { return .unknown }
    switch fact {
    case .named(let name, let arguments):
      return named(name, arguments, in: scope, depth: depth)
    case .member(let base, let name, let arguments):
      if case .named(let moduleName, _) = base,
        let other = scope.module.visible.first(where: { $0.name == moduleName }),
        let entry = other.types[name]
      {
        return resolve(entry, arguments.map { resolve($0, in: scope, depth: depth + 1) }, depth: depth)
      }
      if case .named(let moduleName, _) = base, scope.module.visible.contains(where: { $0.name == moduleName }),
        let entry = lookUp(name, from: scope.module)
      {
        return resolve(entry, arguments.map { resolve($0, in: scope, depth: depth + 1) }, depth: depth)
      }
      let owner = resolve(base, in: scope, depth: depth + 1)
      return memberType(
        name, of: owner, arguments: arguments.map { resolve($0, in: scope, depth: depth + 1) }, depth: depth + 1)
    case .tuple(let elements):
      return .tuple(elements.map { resolve($0.type, in: scope, depth: depth + 1) }, labels: elements.map(\.label))
    case .function(let parameters, let result):
      return .function(
        parameters.map { resolve($0, in: scope, depth: depth + 1) }, resolve(result, in: scope, depth: depth + 1))
    case .opaque(let inner): return resolve(inner, in: scope, depth: depth + 1)
    case .composition(let parts):
      return .composition(parts.map { resolve($0, in: scope, depth: depth + 1) })
    case .metatype(let inner): return .metatype(resolve(inner, in: scope, depth: depth + 1).bounded)
    case .unknown: return .unknown
    }
  }

  private func named(_ name: String, _ facts: [TypeFact], in scope: TypeScope, depth: Int) -> LinkedType {
    if let parameter = scope.generics[name] { return .generic(parameter) }
    guard facts.isEmpty, depth == 0, module.hasAllDeclarations, scope.module === module, scope.locals.isEmpty,
      scope.file?.types[name] == nil, let nominal = scope.nominal
    else { return sought(name, facts, in: scope, depth: depth) }
    let view = nominal.view(in: module)
    if let known = view.named[name] { return known }
    let found = sought(name, facts, in: scope, depth: depth)
    if module.progress.lists == 0 { view.named[name] = found }
    return found
  }

  private func sought(_ name: String, _ facts: [TypeFact], in scope: TypeScope, depth: Int) -> LinkedType {
    let arguments = facts.map { resolve($0, in: scope, depth: depth + 1) }
    if let local = scope.locals[name] { return resolve(local, arguments, depth: depth) }
    if name == "Self", let nominal = scope.nominal { return nominal.selfType }
    if name == "Void" { return .void }
    if name == "Any" || name == "AnyObject" { return .composition([]) }
    var owner = scope.nominal
    while let nominal = owner {
      if let parameter = nominal.generics.first(where: { $0.name == name }) { return .generic(parameter) }
      if nominal.name == name, nominal.nested[name] == nil {
        return resolve(.nominal(nominal), arguments, depth: depth)
      }
      if let entry = nestedEntry(name, of: nominal) {
        if case .associated = entry { return .dependent(nominal.selfType, name) }
        return resolve(entry, arguments, depth: depth)
      }
      if depth < 8, let inherited = inheritedEntry(name, of: nominal) {
        if case .associated = inherited {
          return nominal.selfParameter == nil ? .unknown : .dependent(nominal.selfType, name)
        }
        return resolve(inherited, arguments, depth: depth + 1)
      }
      owner = nominal.parent
    }
    guard let entry = scope.file?.types[name] ?? lookUp(name, from: scope.module) else { return .unknown }
    return resolve(entry, arguments, depth: depth)
  }

  /// Looks up a type in a module and in the modules that it sees.
  func lookUp(_ name: String, from module: Module) -> TypeEntry? {
    if let known = module.typeCache[name] { return known }
    let found = module.visible.lazy.compactMap { $0.types[name] }.first
    if module.hasAllDeclarations { module.typeCache.updateValue(found, forKey: name) }
    return found
  }

  /// Returns the types of other visible modules with the same name; empty if this module declares the type, and for nested and local types.
  func namesakes(of nominal: Nominal) -> [Nominal] {
    guard nominal.parent == nil, nominal.module !== module, !nominal.isLocal else { return [] }
    if let known = module.namesakeCache[nominal] { return known }
    let found = module.visible.compactMap { other -> Nominal? in
      guard case .nominal(let namesake)? = other.types[nominal.name], namesake !== nominal else { return nil }
      return namesake
    }
    if module.hasAllDeclarations { module.namesakeCache[nominal] = found }
    return found
  }

  private func resolve(_ entry: TypeEntry, _ arguments: [LinkedType], depth: Int) -> LinkedType {
    switch entry {
    case .nominal(let nominal):
      let generics = nominal.generics
      // In `some Collection<Int>`, the arguments bind the primary associated types.
      if nominal.kind == .protocolType { return .nominal(nominal, TypeList(arguments)) }
      guard !arguments.isEmpty, arguments.count <= generics.count else {
        return .nominal(nominal, generics.map { _ in .unknown })
      }
      return .nominal(nominal, arguments + generics.dropFirst(arguments.count).map { _ in .unknown })
    case .alias(let alias, let scope):
      var inner = scope
      var substitution: Substitution = [:]
      for (index, generic) in alias.generics.enumerated() {
        let parameter = GenericParameter(name: generic.name)
        inner.generics[generic.name] = parameter
        substitution[parameter] = index < arguments.count ? arguments[index] : .unknown
      }
      let target = resolve(alias.type, in: inner, depth: depth + 1)
      guard case .nominal(let nominal, let own) = target, alias.generics.isEmpty, !arguments.isEmpty,
        own.allSatisfy({ $0.isUnknown }), arguments.count == own.count
      else { return substitute(substitution, in: target) }
      return .nominal(nominal, arguments)
    case .associated: return .unknown
    }
  }

  private func nestedEntry(_ name: String, of nominal: Nominal) -> TypeEntry? {
    guard module.progress.nestedNames.contains(name) else { return nil }
    if let entry = nominal.nested[name] { return entry }
    let view = nominal.view(in: module)
    if let known = view.nested[name] { return known }
    let found = module.visible.lazy.compactMap { $0.extensionTypes[nominal]?[name] }.first
    if module.hasAllDeclarations { view.nested.updateValue(found, forKey: name) }
    return found
  }

  /// Returns a nested type that a type inherits from its ancestors.
  private func inheritedEntry(_ name: String, of nominal: Nominal) -> TypeEntry? {
    guard module.progress.nestedNames.contains(name) else { return nil }
    let view = nominal.view(in: module)
    if let known = view.nestedInAncestors[name] { return known }
    let found = inheritedEntry(name, of: nominal, seen: [])
    // The result is not cached while the ancestors of this type are being resolved, because it may be incomplete.
    if module.hasAllDeclarations, !nominal.isResolvingInherited {
      view.nestedInAncestors.updateValue(found, forKey: name)
    }
    return found
  }

  private func inheritedEntry(_ name: String, of nominal: Nominal, seen: Set<Nominal>) -> TypeEntry? {
    for base in inherited(nominal) {
      guard case .nominal(let other, _) = base, !seen.contains(other), other !== nominal else { continue }
      if let entry = nestedEntry(name, of: other) { return entry }
      if let entry = inheritedEntry(name, of: other, seen: seen.union([nominal])) { return entry }
    }
    return nil
  }

  /// Returns the type `Owner.name`: a generic argument, a nested type, an alias or an associated type.
  func memberType(_ name: String, of owner: LinkedType, arguments: [LinkedType] = [], depth: Int = 0) -> LinkedType {
    switch owner {
    case .nominal(let nominal, let own):
      if let index = nominal.generics.firstIndex(where: { $0.name == name }), index < own.count { return own[index] }
      guard let entry = nestedEntry(name, of: nominal) ?? inheritedEntry(name, of: nominal) else {
        return name == "RawValue" ? associatedType(name, of: nominal, own) : .unknown
      }
      if case .associated = entry { return associatedType(name, of: nominal, own) }
      let found = resolve(entry, arguments, depth: depth)
      return substitute(Dictionary(zip(nominal.generics, own)) { first, _ in first }, in: found)
    case .generic(let parameter):
      for case .nominal(let bound, let bounds) in parameter.bounds {
        // `some Collection<Int>` sets the primary associated type, which is assumed to be `Element`.
        if name == "Element", let first = bounds.first, !first.isUnknown, bound.kind == .protocolType { return first }
      }
      return .dependent(owner, name)
    case .dependent: return .dependent(owner, name)
    default: return .unknown
    }
  }

  /// Sets the bounds of a type's generic parameters, as in `struct Row<Item: Named> where Item: Identifiable`.
  func bindBounds(of nominal: Nominal, in outer: TypeScope? = nil) {
    guard !nominal.generics.isEmpty else { return }
    var scope = outer ?? TypeScope(module: nominal.module, file: nominal.file)
    scope.nominal = nominal
    for (parameter, fact) in zip(nominal.generics, nominal.declaration.generics) {
      parameter.bounds += fact.bounds.map { resolve($0, in: scope) }
    }
    for requirement in nominal.declaration.requirements where !requirement.isSameType {
      guard case .named(let name, _) = requirement.left,
        let parameter = nominal.generics.first(where: { $0.name == name })
      else { continue }
      parameter.bounds.append(resolve(requirement.right, in: scope))
    }
  }

  // MARK: substitution

  func substitute(_ substitution: Substitution, in type: LinkedType) -> LinkedType {
    guard !substitution.isEmpty, type.isGeneric else { return type }
    guard module.progress.spend() else { return .unknown }
    switch type {
    case .nominal(let nominal, let arguments):
      return .nominal(nominal, arguments.map { substitute(substitution, in: $0) })
    case .tuple(let elements, let labels):
      return .tuple(elements.map { substitute(substitution, in: $0) }, labels: labels)
    case .function(let parameters, let result):
      return .function(parameters.map { substitute(substitution, in: $0) }, substitute(substitution, in: result))
    case .generic(let parameter): return substitution[parameter] ?? type
    case .dependent(let base, let name):
      let owner = substitute(substitution, in: base)
      return owner == base ? type : memberType(name, of: owner)
    case .composition(let parts): return .composition(parts.map { substitute(substitution, in: $0) })
    case .metatype(let inner): return .metatype(substitute(substitution, in: inner).bounded)
    case .unknown: return .unknown
    }
  }

  /// Returns the type with `unknown` in place of these generic parameters. Callers substitute the bound parameters first.
  func closing(_ type: LinkedType, over generics: [GenericParameter]) -> LinkedType {
    guard type.isGeneric, !generics.isEmpty else { return type }
    return substitute(Dictionary(generics.map { ($0, LinkedType.unknown) }) { first, _ in first }, in: type)
  }

  // MARK: inheritance

  /// Returns the types in the inheritance clauses of the declaration and of all visible extensions.
  func inherited(_ nominal: Nominal) -> [LinkedType] {
    let view = nominal.view(in: module)
    if let known = view.inherited { return known }
    let own: [LinkedType]
    if let known = nominal.resolvedInherited {
      own = known
    } else {
      nominal.resolvedInherited = []
      nominal.isResolvingInherited = true
      module.progress.lists += 1
      own = nominal.inherited.map { TypeResolver(module: nominal.module).resolve($0.fact, in: $0.scope, depth: 8) }
      module.progress.lists -= 1
      nominal.isResolvingInherited = false
      nominal.resolvedInherited = own
    }
    var all = own
    for other in module.visible {
      guard let further = other.conformances[nominal] else { continue }
      if let known = other.resolvedConformances[nominal] {
        all += known
      } else {
        other.resolvedConformances[nominal] = []
        module.progress.lists += 1
        let resolved = further.map { resolve($0.fact, in: $0.scope, depth: 8) }
        module.progress.lists -= 1
        other.resolvedConformances[nominal] = resolved
        all += resolved
      }
    }
    // The result is not cached while inheritance lists are being resolved, because it may be incomplete.
    if module.hasAllDeclarations, module.progress.lists == 0 { view.inherited = all }
    return all
  }

  /// Returns the type itself, followed by its superclasses and protocols.
  func ancestry(_ nominal: Nominal) -> [Nominal] {
    let view = nominal.view(in: module)
    if let known = view.ancestry { return known }
    var found = [nominal]
    var seen: Set<Nominal> = [nominal]
    var index = 0
    while index < found.count, module.progress.spend() {
      let isEnumeration = found[index].kind == .enumeration
      for base in inherited(found[index]) {
        switch base {
        case .nominal(let other, _) where isEnumeration && other.kind != .protocolType:
          // `enum Level: Int` has raw values of type `Int`, but is not an `Int`.
          if let raw = standard("RawRepresentable").nominal, seen.insert(raw).inserted { found.append(raw) }
        case .nominal(let other, _): if seen.insert(other).inserted { found.append(other) }
        case .composition(let parts):
          for case .nominal(let other, _) in parts where seen.insert(other).inserted { found.append(other) }
        default: break
        }
      }
      index += 1
    }
    view.ancestry = found
    return found
  }

  func conforms(_ type: LinkedType, to name: String) -> Bool {
    switch type {
    case .nominal(let nominal, _): ancestry(nominal).contains { $0.name == name }
    case .generic(let parameter):
      module.progress.descend(or: false) { parameter.bounds.contains { conforms($0, to: name) } }
    case .composition(let parts): parts.contains { conforms($0, to: name) }
    default: false
    }
  }
}
