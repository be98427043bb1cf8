import SwiftFacts

extension Checker {
  /// Returns the type of a name used as a value.
  func value(named name: String, _ generics: [TypeFact]) -> LinkedType {
    for frame in locals.reversed() {
      if let type = frame[name] { return type }
    }
    if name == "self" { return selfType }
    if name == "Self" {
      if case .metatype = selfType { return selfType }
      return .metatype(selfType)
    }
    if name == "super" { return superType }
    if name.hasPrefix("$"), name.count > 1 { return projection(String(name.dropFirst()), of: selfType) }
    if name.hasPrefix("_"), name.count > 1, let wrapper = wrapperType(String(name.dropFirst()), of: selfType) {
      return wrapper
    }
    if let found = implicitSelfMember(name) { return found }
    if let member = globalMembers(name).first { return resolver.variableType(of: member) }
    let type = resolver.resolve(.named(name, generics), in: scope)
    return type.isUnknown ? .unknown : .metatype(type)
  }

  private var superType: LinkedType {
    guard case .nominal(let nominal, _) = selfType else { return .unknown }
    return resolver.inherited(nominal).first ?? .unknown
  }

  /// Returns the type of a member of `self`, or of a static member of a surrounding type; `nil` if there is none.
  private func implicitSelfMember(_ name: String) -> LinkedType? {
    var isOuter = false
    var owner: LinkedType? = selfType
    while let current = owner {
      let found = memberType(name, of: current)
      if !found.isUnknown { return found }
      let inner: LinkedType
      if case .metatype(let type) = current { inner = type } else { inner = current }
      if !isOuter, case .metatype = current {
      } else if !isOuter {
        let found = memberType(name, of: .metatype(current))
        if !found.isUnknown, case .enumCase? = members(name, of: inner).first?.member.kind { return nil }
      }
      isOuter = true
      owner = inner.nominal?.parent.map { .metatype($0.selfType) }
    }
    return nil
  }

  /// Returns the functions and variables outside types with this name. Private declarations of the current file come first.
  func globalMembers(_ name: String) -> [Member] {
    guard let own = scope.file?.members[name] else { return sharedMembers(name) }
    return own + sharedMembers(name)
  }

  private func sharedMembers(_ name: String) -> [Member] {
    if let known = scope.module.globalCache[name] { return known }
    let found = scope.module.visible.lazy.compactMap { $0.members[name] }.first ?? []
    scope.module.globalCache[name] = found
    return found
  }

  // MARK: members

  struct FoundMember {
    var member: Member
    var substitution: Substitution
  }

  /// Returns the members with this name, each with the substitution that the base determines.
  func members(_ name: String, of type: LinkedType) -> [FoundMember] {
    switch type {
    case .nominal(let nominal, let arguments):
      var own: Substitution = [:]
      for (parameter, argument) in zip(nominal.generics, arguments) where !argument.isUnknown {
        own[parameter] = argument
      }
      let members = resolver.members(name, of: nominal)
      var found: [FoundMember] = []
      found.reserveCapacity(members.count)
      // Members of the same declaring type are adjacent and have the same substitution.
      var declaring: Nominal?
      var substitution = own
      for member in members where member.isVisible(in: scope.file) {
        if member.nominal !== declaring {
          declaring = member.nominal
          substitution = own
          if let parameter = declaring?.selfParameter { substitution[parameter] = type }
          if let declaring, declaring !== nominal, declaring.selfParameter == nil {
            bindSuperclass(declaring, from: nominal, own, into: &substitution)
          }
        }
        if satisfies(member, substitution) { found.append(FoundMember(member: member, substitution: substitution)) }
      }
      return found
    case .generic(let parameter):
      var found: [FoundMember] = []
      resolver.module.progress.descend(or: ()) {
        for bound in parameter.bounds {
          found += members(name, of: bound).map { inner in
            var inner = inner
            for key in inner.substitution.keys where key.name == "Self" { inner.substitution[key] = type }
            return inner
          }
        }
      }
      if found.isEmpty, let nominal = scope.nominal, nominal.selfParameter == parameter {
        found = members(name, of: nominal.instanceType).map { inner in
          var inner = inner
          for key in inner.substitution.keys where key.name == "Self" { inner.substitution[key] = type }
          return inner
        }
      }
      return found
    case .composition(let parts): return parts.flatMap { members(name, of: $0) }
    default: return []
    }
  }

  private func bindSuperclass(
    _ ancestor: Nominal, from nominal: Nominal, _ own: Substitution, into substitution: inout Substitution
  ) {
    for base in resolver.inherited(nominal) {
      guard case .nominal(let other, let arguments) = base else { continue }
      if other === ancestor {
        for (parameter, argument) in zip(other.generics, arguments) {
          substitution[parameter] = resolver.substitute(own, in: argument)
        }
      }
    }
  }

  /// Returns whether the requirements of the member's extension can hold, such as `where Self == X` or `where Label == Text`.
  private func satisfies(_ member: Member, _ substitution: Substitution) -> Bool {
    guard !member.requirements.isEmpty else { return true }
    for requirement in member.requirements where requirement.isSameType {
      let left = resolver.substitute(substitution, in: resolver.resolve(requirement.left, in: member.scope))
      let right = resolver.substitute(substitution, in: resolver.resolve(requirement.right, in: member.scope))
      if case .nominal(let a, _) = left, case .nominal(let b, _) = right, a !== b, a.kind != .protocolType,
        b.kind != .protocolType
      {
        return false
      }
    }
    return true
  }

  /// Returns the type of `base.name`.
  func member(_ name: String, of base: Expression) -> LinkedType {
    if case .name(let module, _) = base, check(base).isUnknown,
      let other = scope.module.visible.first(where: { $0.name == module })
    {
      if let member = other.members[name]?.first { return resolver.variableType(of: member) }
      let type = resolver.resolve(.member(.named(module, []), name, []), in: scope)
      return type.isUnknown ? .unknown : .metatype(type)
    }
    let type = check(base)
    if name.hasPrefix("$"), name.count > 1 { return projection(String(name.dropFirst()), of: type) }
    return memberType(name, of: type)
  }

  func memberType(_ name: String, of type: LinkedType) -> LinkedType {
    if name == "self" { return type }
    switch type {
    case .metatype(let instance):
      let found = members(name, of: instance).filter(\.member.isStatic)
      if let first = found.first {
        return resolver.substitute(staticSubstitution(first), in: resolver.variableType(of: first.member))
      }
      let nested = resolver.memberType(name, of: instance)
      if !nested.isUnknown, !nested.isGeneric { return .metatype(nested) }
      return .unknown
    case .tuple(let elements, let labels):
      if let index = labels.firstIndex(of: name) ?? Int(name), index < elements.count { return elements[index] }
      return .unknown
    case .unknown: return .unknown
    default:
      let found = members(name, of: type).filter { !$0.member.isStatic }
      if let first = found.first(where: { if case .variable = $0.member.kind { true } else { false } }) ?? found.first {
        return resolver.substitute(first.substitution, in: resolver.variableType(of: first.member))
      }
      return dynamicMember(name, of: type)
    }
  }

  /// Returns the substitution for a static member, including a requirement such as `where Self == X`, which determines the result of a static member
  /// of a protocol.
  func staticSubstitution(_ found: FoundMember) -> Substitution {
    var substitution = found.substitution
    for requirement in found.member.requirements where requirement.isSameType {
      let left = resolver.resolve(requirement.left, in: found.member.scope)
      if case .generic(let parameter) = left {
        substitution[parameter] = resolver.resolve(requirement.right, in: found.member.scope)
      }
    }
    return substitution
  }

  /// Returns the type of a member that is found by `@dynamicMemberLookup` with key paths, as in `$model.title`.
  private func dynamicMember(_ name: String, of type: LinkedType) -> LinkedType {
    for found in members("subscript", of: type) {
      guard case .function(let function) = found.member.kind, function.parameters.first?.label == "dynamicMember",
        let signature = resolver.signature(of: found.member),
        case .nominal(_, let path)? = signature.parameters.first?.type,
        path.count == 2
      else { continue }
      let root = resolver.substitute(found.substitution, in: path[0])
      let value = memberType(name, of: root)
      var substitution = found.substitution
      if case .generic(let parameter) = path[1] { substitution[parameter] = value }
      return resolver.substitute(substitution, in: signature.result)
    }
    return .unknown
  }

  /// Returns the type of `$name`, the projected value of the property's wrapper.
  private func projection(_ name: String, of type: LinkedType) -> LinkedType {
    guard let wrapper = wrapperType(name, of: type), case .nominal(let nominal, let arguments) = wrapper,
      let value = resolver.members("projectedValue", of: nominal).first
    else { return .unknown }
    let substitution = Dictionary(zip(nominal.generics, arguments)) { first, _ in first }
    return resolver.substitute(substitution, in: resolver.variableType(of: value))
  }

  private func wrapperType(_ name: String, of type: LinkedType) -> LinkedType? {
    for found in members(name, of: type) {
      guard case .variable(let variable, _) = found.member.kind,
        case .nominal(let nominal, let arguments)? = resolver.wrapper(of: variable, in: found.member.scope)
      else { continue }
      if arguments.allSatisfy({ $0.isUnknown }), !nominal.generics.isEmpty {
        let value = resolver.substitute(found.substitution, in: resolver.variableType(of: found.member))
        return .nominal(nominal, [value] + nominal.generics.dropFirst().map { _ in .unknown })
      }
      return .nominal(nominal, arguments)
    }
    return nil
  }

  /// Returns the type of `.name` in a context that expects a type. If no such member is found, this is the expected type, or `unknown` if that type
  /// is generic.
  func implicitMember(_ name: String, _ expected: LinkedType) -> LinkedType {
    for target in implicitBases(expected) {
      let found = memberType(name, of: .metatype(target))
      if !found.isUnknown { return found }
    }
    return expected.isGeneric ? .unknown : expected
  }

  /// Returns the types in which an implicit member is looked up.
  func implicitBases(_ expected: LinkedType) -> [LinkedType] {
    if let wrapped = resolver.unwrapped(expected) { return [wrapped, expected] }
    return expected.isUnknown ? [] : [expected]
  }
}
