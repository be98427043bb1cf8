import SwiftFacts

/// The members that one module declares for one type. The table is built at the first look-up of a name, because most types of a large project are
/// never used in a look-up.
final class MemberTable {
  /// The members of a declaration or an extension of the type.
  private struct Part {
    var members: [Declaration]
    unowned var nominal: Nominal
    var scope: TypeScope
    var requirements: [RequirementFact]
    var isPrivate: Bool
  }

  private var parts: [Part] = []
  private var made: [String: [Member]] = [:]

  /// Appends the members of a declaration or extension, without nested types.
  /// - Parameters:
  ///   - requirements: the requirements of the extension's `where` clause.
  ///   - isPrivate: whether the extension is private.
  func add(
    _ members: [Declaration], to nominal: Nominal, scope: TypeScope, requirements: [RequirementFact] = [],
    isPrivate: Bool = false
  ) {
    guard !members.isEmpty else { return }
    parts.append(
      Part(members: members, nominal: nominal, scope: scope, requirements: requirements, isPrivate: isPrivate))
    // Operators are looked up without their type, so the table must contain them immediately.
    guard !scope.module.isStub, members.contains(where: \.isOperator) else { return }
    make()
  }

  subscript(name: String) -> [Member]? {
    if !parts.isEmpty { make() }
    return made[name]
  }

  /// One of the members, chosen arbitrarily; `nil` if there are none.
  var first: Member? {
    if !parts.isEmpty { make() }
    return made.values.first?.first
  }

  func dismantle() {
    parts = []
    made = [:]
  }

  private func make() {
    let pending = parts
    parts = []
    for part in pending {
      for declaration in part.members { add(declaration, part) }
    }
  }

  private func add(_ declaration: Declaration, _ part: Part) {
    switch declaration {
    case .type, .alias, .associatedType: break
    case .function(let function):
      let member = Member(
        .function(function), nominal: part.nominal, scope: part.scope, requirements: part.requirements,
        isInPrivateExtension: part.isPrivate)
      made[function.name, default: []].append(member)
      let module = part.scope.module
      if function.isOperator, !module.isStub { module.operators[function.name, default: []].append(member) }
    case .variable(let variable):
      for name in variable.pattern.names {
        made[name, default: []].append(
          Member(
            .variable(variable, name: name), nominal: part.nominal, scope: part.scope, requirements: part.requirements,
            isInPrivateExtension: part.isPrivate))
      }
    case .enumCase(let enumCase):
      made[enumCase.name, default: []].append(Member(.enumCase(enumCase), nominal: part.nominal, scope: part.scope))
    }
  }
}

/// A module's view of a type. The views of modules differ because modules see different declarations. A view is filled on demand.
final class NominalView {
  let seer: ObjectIdentifier
  /// The type itself, its superclasses and protocols.
  var ancestry: [Nominal]?
  var members: [String: [Member]] = [:]
  var ownMembers: [String: [Member]] = [:]
  /// The members that other modules add to the type.
  var extensions: [MemberTable]?
  /// The types that extensions in other modules nest in the type, by name; `nil` for a name without such a type.
  var nested: [String: TypeEntry?] = [:]
  /// The nested types that the type inherits from its ancestors, by name; `nil` for a name without such a type.
  var nestedInAncestors: [String: TypeEntry?] = [:]
  /// The types in the inheritance clauses of the type's declaration and of the extensions that the module sees.
  var inherited: [LinkedType]?
  /// The types by their names inside the type, without generic arguments.
  var named: [String: LinkedType] = [:]

  init(_ seer: ObjectIdentifier) { self.seer = seer }

  /// Discards the results of look-ups that ran while declarations were still being added.
  func forget() {
    ancestry = nil
    members = [:]
    ownMembers = [:]
  }
}

extension Declaration {
  fileprivate var isOperator: Bool {
    if case .function(let function) = self { function.isOperator } else { false }
  }
}
