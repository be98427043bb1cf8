import SwiftFacts

/// A builder of the tables of one module from the facts of its files.
struct ModuleBuilder {
  let module: Module
  /// The extensions, each with the scope of its file.
  private var extensions: [(declaration: TypeDeclaration, scope: TypeScope)] = []

  init(_ module: Module) { self.module = module }

  /// Declares the module's own types, aliases, functions and variables. Extensions are kept until all modules have declared theirs
  /// (`declareExtensions`).
  mutating func declare(_ files: [FileFacts]) {
    for file in files {
      guard !module.isStub else {
        for case .declaration(let declaration) in file.statements {
          for expanded in StubExpansion.expanded(declaration) { declare(expanded, in: nil) }
        }
        continue
      }
      let own = FileScope()
      module.files.append(own)
      for case .declaration(let declaration) in file.statements { declare(declaration, in: own) }
    }
  }

  /// Declares a top-level declaration of a file. A private declaration belongs to the file, any other to the module.
  private mutating func declare(_ declaration: Declaration, in file: FileScope?) {
    let scope = TypeScope(module: module, file: file)
    switch declaration {
    case .type(let type) where type.kind == .extended: extensions.append((type, scope))
    case .type(let type):
      let owner = type.isPrivate ? file : nil
      // Two declarations with the same name (in clauses of `#if os`) are one type with the members of both.
      if case .nominal(let known)? = entry(type.name, in: owner) {
        Self.fill(known, with: type, scope: TypeScope(module: module, file: file, nominal: known))
      } else {
        add(.nominal(Self.nominal(type, module: module, parent: nil, outer: scope)), as: type.name, to: owner)
      }
    case .alias(let alias):
      let owner = alias.isPrivate ? file : nil
      if entry(alias.name, in: owner) == nil { add(.alias(alias, scope), as: alias.name, to: owner) }
    case .function(let function):
      let member = Member(.function(function), nominal: nil, scope: scope)
      add(member, as: function.name, to: file)
      if function.isOperator { module.operators[function.name, default: []].append(member) }
    case .variable(let variable):
      for name in variable.pattern.names {
        add(Member(.variable(variable, name: name), nominal: nil, scope: scope), as: name, to: file)
      }
    case .enumCase, .associatedType: break
    }
  }

  private func entry(_ name: String, in file: FileScope?) -> TypeEntry? {
    if let file { file.types[name] } else { module.types[name] }
  }

  private func add(_ entry: TypeEntry, as name: String, to file: FileScope?) {
    if let file { file.types[name] = entry } else { module.types[name] = entry }
  }

  private func add(_ member: Member, as name: String, to file: FileScope?) {
    if let file, member.isPrivate {
      file.members[name, default: []].append(member)
    } else {
      module.members[name, default: []].append(member)
    }
  }

  /// Creates a declared type with its members.
  static func nominal(_ type: TypeDeclaration, module: Module, parent: Nominal?, outer: TypeScope? = nil) -> Nominal {
    let nominal = Nominal(name: type.name, module: module, parent: parent, declaration: type)
    nominal.file = outer?.file
    module.nominals.append(nominal)
    var scope = outer ?? TypeScope(module: module)
    scope.nominal = nominal
    fill(nominal, with: type, scope: scope)
    return nominal
  }

  private static func fill(_ nominal: Nominal, with type: TypeDeclaration, scope: TypeScope) {
    for inherited in type.inherited { nominal.inherited.append((inherited, scope)) }
    nominal.declarations.append(type)
    nominal.table.add(type.members, to: nominal, scope: scope)
    for declaration in type.members {
      guard let (name, entry) = nested(declaration, in: nominal, scope: scope) else { continue }
      nominal.nested[name] = nominal.nested[name] ?? entry
    }
  }

  /// Returns the nested type, alias or associated type that a member declares; `nil` for any other member.
  private static func nested(
    _ declaration: Declaration, in nominal: Nominal, scope: TypeScope
  ) -> (name: String, entry: TypeEntry)? {
    let found: (name: String, entry: TypeEntry)
    switch declaration {
    case .type(let inner):
      guard inner.kind != .extended else { return nil }
      var outer = scope
      outer.nominal = nominal
      found = (inner.name, .nominal(self.nominal(inner, module: scope.module, parent: nominal, outer: outer)))
    case .alias(let alias): found = (alias.name, .alias(alias, scope))
    case .associatedType(let associated): found = (associated.name, .associated(associated))
    case .function, .variable, .enumCase: return nil
    }
    scope.module.progress.nestedNames.insert(found.name)
    return found
  }

  /// Declares the extensions. An extension may extend a type that another extension declares. Therefore the remaining extensions are tried again
  /// until nothing changes. Extensions of unknown types are ignored.
  mutating func declareExtensions() {
    var pending = extensions
    extensions = []
    let resolver = TypeResolver(module: module)
    while !pending.isEmpty {
      var left: [(declaration: TypeDeclaration, scope: TypeScope)] = []
      for (declaration, scope) in pending {
        guard let fact = declaration.extended, let nominal = resolver.resolve(fact, in: scope).nominal else {
          left.append((declaration, scope))
          continue
        }
        extend(nominal, with: declaration, in: scope.file)
      }
      if left.count == pending.count { return }
      pending = left
    }
  }

  private func extend(_ nominal: Nominal, with declaration: TypeDeclaration, in file: FileScope?) {
    let module = module
    let scope = TypeScope(module: module, file: file, nominal: nominal)
    let isOwn = nominal.module === module
    for inherited in declaration.inherited {
      if isOwn {
        nominal.inherited.append((inherited, scope))
      } else {
        module.conformances[nominal, default: []].append((inherited, scope))
      }
    }
    let table = isOwn ? nominal.table : module.extensions[nominal] ?? MemberTable()
    if !isOwn { module.extensions[nominal] = table }
    table.add(
      declaration.members, to: nominal, scope: scope, requirements: declaration.requirements,
      isPrivate: declaration.isPrivate)
    for inner in declaration.members {
      guard let (name, entry) = Self.nested(inner, in: nominal, scope: scope) else { continue }
      if isOwn {
        nominal.nested[name] = nominal.nested[name] ?? entry
      } else {
        module.extensionTypes[nominal, default: [:]][name] = entry
      }
    }
  }
}
