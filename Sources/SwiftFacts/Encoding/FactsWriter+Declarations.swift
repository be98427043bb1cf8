extension FactsWriter {
  mutating func generics(_ generics: [GenericParameterFact]) {
    list(generics) {
      $0.string($1.name)
      $0.list($1.bounds) { $0.type($1) }
    }
  }

  mutating func requirements(_ requirements: [RequirementFact]) {
    list(requirements) {
      $0.flag($1.isSameType)
      $0.type($1.left)
      $0.type($1.right)
    }
  }

  mutating func attributes(_ attributes: [AttributeFact]) {
    list(attributes) { writer, attribute in
      // The members and initializers of a property wrapper are looked up, so the names in an attribute count as names of values.
      writer.asExpression {
        $0.type(attribute.type)
        $0.optional(attribute.arguments) { $0.list($1) { $0.argument($1) } }
      }
    }
  }

  mutating func parameters(_ parameters: [ParameterFact]) {
    list(parameters) {
      $0.flags($1.label != nil, $1.isVariadic, $1.hasDefault)
      if let label = $1.label { $0.string(label) }
      $0.string($1.name)
      $0.type($1.type)
      $0.detail($1.defaultValue) { $0.expression($1) }
      $0.list($1.attributes) { writer, name in writer.asExpression { $0.mention(name) } }
    }
  }

  mutating func declaration(_ declaration: Declaration) {
    // A declaration in a closure of an initial value is a part of that value.
    guard isUnit else { return parts(of: declaration) }
    switch declaration {
    case .type(let type):
      names.begin(type.kind == .extended ? .extended : .type, type.name)
      parts(of: declaration)
    case .function(let function):
      names.begin(kind(of: function), function.name)
      parts(of: declaration)
      names.end()
    case .variable(let variable):
      names.begin(names.isInType ? .member : .global, "")
      parts(of: declaration)
      names.end(names: variable.pattern.names, isStored: variable.isStored && !variable.isStatic)
    case .enumCase(let enumCase):
      names.begin(NamedUnit.implicitMembers.contains(enumCase.name) ? .implicit : .member, enumCase.name)
      parts(of: declaration)
      names.end()
    case .alias(let alias):
      names.begin(.alias, alias.name)
      parts(of: declaration)
      names.end()
    case .associatedType(let associated):
      names.begin(.alias, associated.name)
      parts(of: declaration)
      names.end()
    }
  }

  /// Whether a declaration at this position is part of the interface, so other files can look it up.
  private var isUnit: Bool { !isInDetails && !names.isInExpression }

  func kind(of function: FunctionDeclaration) -> NamedUnit.Kind {
    if function.kind == .initializer { return .initializer }
    if function.isOperator { return .operation }
    guard names.isInType else { return .global }
    return NamedUnit.implicitMembers.contains(function.name) ? .implicit : .member
  }

  mutating func parts(of declaration: Declaration) {
    switch declaration {
    case .type(let type):
      tag(0)
      tag(type.kind.rawValue | (type.isPrivate ? FactsEncoding.privateType : 0))
      // Code in a type looks up the type's own name first.
      string(type.name)
      names.mention(type.name, isInInterface: false)
      optional(type.extended) { $0.type($1) }
      generics(type.generics)
      list(type.inherited) { $0.type($1) }
      requirements(type.requirements)
      attributes(type.attributes)
      guard isUnit else { return list(type.members) { $0.declaration($1) } }
      names.enterMembers(of: type)
      list(type.members) { $0.declaration($1) }
      names.leaveMembers()
    case .function(let function):
      tag(1)
      tag(function.kind.rawValue)
      flags(function.isStatic, function.isFailable, function.isDisfavored, function.isPrivate)
      string(function.name)
      generics(function.generics)
      parameters(function.parameters)
      optional(function.result) { $0.type($1) }
      requirements(function.requirements)
      attributes(function.attributes)
      detail(function.body) { $0.body($1) }
    case .variable(let variable):
      tag(2)
      flags(variable.isStatic, variable.isLet, variable.hasInitializer, variable.isStored, variable.isPrivate)
      pattern(variable.pattern)
      optional(variable.type) { $0.type($1) }
      // Without a type annotation, the initial value determines the type.
      if variable.type == nil {
        optional(variable.initializer) { $0.expression($1) }
      } else {
        detail(variable.initializer) { $0.expression($1) }
      }
      attributes(variable.attributes)
      inDetails { $0.flag(variable.initializerHoldsLiteral) }
      detail(variable.getter) { $0.body($1) }
      inDetails { $0.list(variable.observers) { $0.body($1) } }
    case .enumCase(let enumCase):
      tag(3)
      string(enumCase.name)
      optional(enumCase.payload) { $0.parameters($1) }
      detail(enumCase.rawValue) { $0.expression($1) }
    case .alias(let alias):
      tag(alias.isPrivate ? 6 : 4)
      string(alias.name)
      generics(alias.generics)
      type(alias.type)
    case .associatedType(let associated):
      tag(5)
      string(associated.name)
      list(associated.bounds) { $0.type($1) }
    }
  }
}
