import SwiftFacts

/// The expansion of `_Title` in a stub to three declarations, as in SwiftUI: with `LocalizedStringKey`, with `LocalizedStringResource`, and
/// (disfavored) with `some StringProtocol`. `_Key` is expanded to the first and the last of these declarations, as in most packages.
enum StubExpansion {
  static func expanded(_ declaration: Declaration) -> [Declaration] {
    switch declaration {
    case .function(let function) where function.parameters.contains(where: { isTitle($0.type) }):
      var made: [Declaration] = [
        .function(replacing(function, with: .named("LocalizedStringKey", []), isDisfavored: function.isDisfavored)),
        .function(replacing(function, with: .opaque(.named("StringProtocol", [])), isDisfavored: true)),
      ]
      if function.parameters.contains(where: { isTitle($0.type, "_Title") }) {
        made.insert(
          .function(
            replacing(function, with: .named("LocalizedStringResource", []), isDisfavored: function.isDisfavored)),
          at: 1)
      }
      return made
    case .type(let type):
      let members = type.members.flatMap { expanded($0) }
      guard members.count != type.members.count || members.count > 0 else { return [declaration] }
      return [
        .type(
          TypeDeclaration(
            kind: type.kind, name: type.name, extended: type.extended, generics: type.generics,
            inherited: type.inherited,
            requirements: type.requirements, attributes: type.attributes, members: members))
      ]
    default: return [declaration]
    }
  }

  private static func isTitle(_ type: TypeFact) -> Bool { isTitle(type, "_Title") || isTitle(type, "_Key") }

  private static func isTitle(_ type: TypeFact, _ abbreviation: String) -> Bool {
    switch type {
    case .named(abbreviation, _): true
    case .named("Optional", let arguments): arguments.first.map { isTitle($0, abbreviation) } ?? false
    default: false
    }
  }

  private static func replacing(_ function: FunctionDeclaration, with type: TypeFact, isDisfavored: Bool)
    -> FunctionDeclaration
  {
    FunctionDeclaration(
      kind: function.kind, name: function.name, isStatic: function.isStatic, isFailable: function.isFailable,
      isDisfavored: isDisfavored, generics: function.generics,
      parameters: function.parameters.map { parameter in
        var parameter = parameter
        switch parameter.type {
        case .named("_Title", _), .named("_Key", _): parameter.type = type
        case .named("Optional", let arguments) where arguments.first.map({ isTitle($0) }) == true:
          parameter.type = .named("Optional", [type])
        default: break
        }
        return parameter
      }, result: function.result, requirements: function.requirements, attributes: function.attributes,
      body: function.body)
  }
}
