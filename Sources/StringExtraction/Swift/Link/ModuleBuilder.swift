/// Facts of the files of one module → its tables.
struct ModuleBuilder {
  let module: Module
  private var extensions: [TypeDeclaration] = []

  init(_ module: Module) { self.module = module }

  /// Declares the module's own types, functions and variables. The extensions follow when all modules have done so.
  mutating func declare(_ files: [FileFacts]) {
    for file in files {
      for case .declaration(let declaration) in file.statements {
        if module.isStub {
          for expanded in StubExpansion.expanded(declaration) { declare(expanded) }
        } else {
          declare(declaration)
        }
      }
    }
  }

  private mutating func declare(_ declaration: Declaration) {
    let scope = TypeScope(module: module)
    switch declaration {
    case .type(let type) where type.kind == .extended: extensions.append(type)
    case .type(let type):
      // Two builds of one type (`#if os`) are one type with the members of both.
      if case .nominal(let known)? = module.types[type.name] {
        Self.fill(known, with: type, scope: TypeScope(module: module, nominal: known))
      } else {
        module.types[type.name] = .nominal(Self.nominal(type, module: module, parent: nil))
      }
    case .alias(let alias): module.types[alias.name] = module.types[alias.name] ?? .alias(alias, scope)
    case .function(let function):
      let member = Member(.function(function), nominal: nil, scope: scope)
      module.members[function.name, default: []].append(member)
      if function.isOperator { module.operators[function.name, default: []].append(member) }
    case .variable(let variable):
      for name in variable.pattern.names {
        module.members[name, default: []].append(Member(.variable(variable, name: name), nominal: nil, scope: scope))
      }
    case .enumCase, .associatedType: break
    }
  }

  /// A declared type, with its members.
  static func nominal(_ type: TypeDeclaration, module: Module, parent: Nominal?, outer: TypeScope? = nil) -> Nominal {
    let nominal = Nominal(name: type.name, module: module, parent: parent, declaration: type)
    module.nominals.append(nominal)
    var scope = outer ?? TypeScope(module: module)
    scope.nominal = nominal
    fill(nominal, with: type, scope: scope)
    return nominal
  }

  private static func fill(_ nominal: Nominal, with type: TypeDeclaration, scope: TypeScope) {
    for inherited in type.inherited { nominal.inherited.append((inherited, scope)) }
    for declaration in type.members {
      switch declaration {
      case .function(let function) where function.kind == .initializer: nominal.hasOwnInitializer = true
      case .variable(let variable) where variable.isStored && !variable.isStatic: nominal.stored.append(variable)
      default: break
      }
      add(
        declaration, to: nominal, scope: scope, requirements: [],
        member: { nominal.members[$0, default: []].append($1) }, type: { nominal.nested[$0] = nominal.nested[$0] ?? $1 }
      )
    }
  }

  private static func add(
    _ declaration: Declaration, to nominal: Nominal, scope: TypeScope, requirements: [RequirementFact],
    member: (String, Member) -> Void, type: (String, TypeEntry) -> Void
  ) {
    switch declaration {
    case .type(let inner):
      guard inner.kind != .extended else { return }
      var outer = scope
      outer.nominal = nominal
      type(inner.name, .nominal(self.nominal(inner, module: scope.module, parent: nominal, outer: outer)))
    case .alias(let alias): type(alias.name, .alias(alias, scope))
    case .associatedType(let associated): type(associated.name, .associated(associated))
    case .function(let function):
      let made = Member(.function(function), nominal: nominal, scope: scope, requirements: requirements)
      member(function.name, made)
      if function.isOperator, !scope.module.isStub { scope.module.operators[function.name, default: []].append(made) }
    case .variable(let variable):
      for name in variable.pattern.names {
        member(
          name, Member(.variable(variable, name: name), nominal: nominal, scope: scope, requirements: requirements))
      }
    case .enumCase(let enumCase):
      member(enumCase.name, Member(.enumCase(enumCase), nominal: nominal, scope: scope))
    }
  }

  /// Extensions may extend types that other extensions declare, so they are gone through until nothing moves.
  mutating func declareExtensions() {
    var pending = extensions
    extensions = []
    let resolver = TypeResolver(module: module)
    while !pending.isEmpty {
      var left: [TypeDeclaration] = []
      for declaration in pending {
        let scope = TypeScope(module: module)
        guard let fact = declaration.extended, let nominal = resolver.resolve(fact, in: scope).nominal else {
          left.append(declaration)
          continue
        }
        extend(nominal, with: declaration)
      }
      if left.count == pending.count { return }
      pending = left
    }
  }

  private func extend(_ nominal: Nominal, with declaration: TypeDeclaration) {
    let module = module
    let scope = TypeScope(module: module, nominal: nominal)
    let isOwn = nominal.module === module
    for inherited in declaration.inherited {
      if isOwn {
        nominal.inherited.append((inherited, scope))
      } else {
        module.conformances[nominal, default: []].append((inherited, scope))
      }
    }
    for inner in declaration.members {
      Self.add(
        inner, to: nominal, scope: scope, requirements: declaration.requirements,
        member: { name, member in
          if isOwn {
            nominal.members[name, default: []].append(member)
          } else {
            module.extensions[nominal, default: [:]][name, default: []].append(member)
          }
        },
        type: { name, entry in
          if isOwn {
            nominal.nested[name] = nominal.nested[name] ?? entry
          } else {
            module.extensionTypes[nominal, default: [:]][name] = entry
          }
        })
    }
  }
}

extension FunctionDeclaration {
  fileprivate var isOperator: Bool {
    guard kind == .function, let first = name.utf8.first else { return false }
    return !(first == UInt8(ascii: "_") || first >= 0x80 || Character(UnicodeScalar(first)).isLetter)
  }
}

extension Pattern {
  /// The names that it binds.
  var names: [String] {
    switch self {
    case .name(let name): [name]
    case .tuple(let elements), .enumCase(_, _, let elements): elements.flatMap(\.pattern.names)
    case .optional(let inner), .typed(let inner, _): inner.names
    case .wildcard, .expression: []
    }
  }
}
