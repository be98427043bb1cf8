import SwiftFacts

extension Checker {
  func macro(_ name: String, _ arguments: [Argument], _ expected: LinkedType, _ context: LiteralContext)
    -> LinkedType
  {
    if let type = localizingMacro(name, arguments) { return type }
    let candidates = globalMembers(name).compactMap { member -> Candidate? in
      guard case .function(let function) = member.kind, function.kind == .macro else { return nil }
      return candidate(member, [:])
    }
    if let type = resolve(candidates, arguments, expected, api: "#" + name) { return type }
    visitLoose(arguments, api: "#" + name, declarations: candidates.count)
    return .unknown
  }

  /// Checks a macro of the project whose expansion localizes its first argument, such as `#localized("…")`, which becomes `String(localized: "…")`.
  ///
  /// Macros are never run. Instead, the source code of the implementation must contain a localizing call of Apple with an argument as its key.
  /// - Returns: the type of the expansion; `nil` for any other macro, and if the first argument has a label or is not a literal.
  func localizingMacro(_ name: String, _ arguments: [Argument]) -> LinkedType? {
    guard let first = arguments.first, first.label == nil, case .string = first.value else { return nil }
    let declarations = globalMembers(name).compactMap { member -> FunctionDeclaration? in
      guard case .function(let function) = member.kind, function.kind == .macro else { return nil }
      return function
    }
    guard let macro = declarations.first(where: isLocalizing) else { return nil }
    var context = LiteralContext(api: "#" + name)
    for argument in arguments.dropFirst() {
      switch (argument.label, argument.value) {
      case ("comment"?, .string(let literal)): context.comment = literal.plainText
      case ("table"?, .string(let literal)), ("tableName"?, .string(let literal)):
        context.table = literal.plainText.map { .named($0) } ?? .computed
      default: check(argument.value)
      }
    }
    let universal = TypeScope(module: scope.module)
    check(first.value, resolver.resolve(.named("_LocalizationKey", []), in: universal), context)
    return macro.result.map { resolver.resolve($0, in: universal) } ?? .unknown
  }

  /// Returns whether the repository contains the implementation that `#externalMacro` names, and this implementation generates a localizing call
  /// around an argument.
  private func isLocalizing(_ macro: FunctionDeclaration) -> Bool {
    guard let definition = macro.attributes.first(where: { $0.name == "externalMacro" }),
      case .named(_, let parts) = definition.type, case .named(let moduleName, _)? = parts.first,
      case .named(let typeName, _)? = parts.last,
      let module = scope.module.visible.first(where: { $0.name == moduleName && !$0.isStub }),
      case .nominal(let implementation)? = module.types[typeName]
    else { return false }
    return implementation.declaration.attributes.contains { $0.type == MacroImplementation.localizing.type }
  }
}
