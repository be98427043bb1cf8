import Localization
package import SwiftFacts

/// The explanation of one literal for `extract --why`, with the rule that applied.
package struct LiteralExplanation: Hashable, Sendable {
  /// The line, counted from 1.
  package var line: Int
  /// The column in UTF-8 bytes, counted from 1.
  package var column: Int
  /// The literal's text, with interpolations as `\(…)`.
  package var text: String
  /// Whether the literal is a key, in code that a build of the target compiles.
  package var isTaken: Bool
  /// The type of the literal, as far as it is known.
  package var type: String
  /// The callee or context that determined the type.
  package var context: String
  /// The rule by which the literal was extracted, or the reason why it was not, as a clause of a message.
  package var rule: String
  /// The change after which the literal would be extracted, as a clause of a message; `nil` if it is extracted, or should not be.
  package var advice: String?

  package init(
    line: Int, column: Int, text: String, isTaken: Bool, type: String, context: String, rule: String,
    advice: String? = nil
  ) {
    self.line = line
    self.column = column
    self.text = text
    self.isTaken = isTaken
    self.type = type
    self.context = context
    self.rule = rule
    self.advice = advice
  }
}

/// A map from declarations to files, for the targets that are linked together.
package struct DeclarationPlaces {
  private var paths: [ObjectIdentifier: TreePath] = [:]

  package init(_ units: some Sequence<TargetLinker.Unit>) {
    for unit in units {
      for (source, facts) in zip(unit.target.swiftSources, unit.interfaces) {
        for case .declaration(let declaration) in facts.statements { add(declaration, source.path, depth: 0) }
      }
    }
  }

  private mutating func add(_ declaration: Declaration, _ path: TreePath, depth: Int) {
    switch declaration {
    case .type(let type):
      paths[ObjectIdentifier(type)] = path
      guard depth < 100 else { return }
      for member in type.members { add(member, path, depth: depth + 1) }
    case .function(let function): paths[ObjectIdentifier(function)] = path
    case .variable(let variable): paths[ObjectIdentifier(variable)] = path
    case .enumCase(let enumCase): paths[ObjectIdentifier(enumCase)] = path
    case .alias, .associatedType: break
    }
  }

  /// Returns the file that declares a member; `nil` for a member declared in a body, and for members of the SDK.
  func path(of member: Member) -> TreePath? {
    switch member.kind {
    case .function(let function): paths[ObjectIdentifier(function)]
    case .variable(let variable, _): paths[ObjectIdentifier(variable)]
    case .enumCase(let enumCase): paths[ObjectIdentifier(enumCase)]
    case .memberwise: member.nominal.flatMap { paths[ObjectIdentifier($0.declaration)] }
    }
  }
}

/// A writer of explanations that describe the checker's result for a literal in words.
package struct ExplanationWriting {
  package let places: DeclarationPlaces

  /// - Parameter isCompiled: whether a build of the target for one of its platforms compiles the literal.
  func explanation(
    of literal: StringLiteral, expected: LinkedType, isLocalizable: Bool, isCompiled: Bool, context: LiteralContext
  ) -> LiteralExplanation {
    LiteralExplanation(
      line: Int(literal.place.line), column: Int(literal.place.column), text: literal.sketch,
      isTaken: isLocalizable && isCompiled, type: expected.name, context: context.api,
      rule: rule(expected, context) + (isCompiled ? "" : ", in code for platforms that the target is not built for"),
      advice: isLocalizable ? nil : LiteralAdvice.advice(for: context))
  }

  private func rule(_ expected: LinkedType, _ context: LiteralContext) -> String {
    switch context.origin {
    case .macroName: return "the key of `\(context.api)`, matched by name"
    case .undeclared:
      return "an argument of `\(context.api)`, which has no known declaration, so the type is unknown"
    case .unfit(let count):
      let declarations = count == 1 ? "the one known declaration" : "none of the \(count) known declarations"
      return
        "an argument of `\(context.api)`: \(declarations) \(count == 1 ? "does not take" : "takes") these arguments"
    case .argument(let candidate, let index):
      let parameter = candidate.signature.parameters[index]
      let name = parameter.label.map { "argument `\($0):`" } ?? "argument \(index + 1)"
      let place = "\(name) of \(described(candidate, context.api))"
      if context.isValue { return place + ", a default value, not a key" }
      return place + clause(expected)
    case .context: return self.place(context.api, expected) + clause(expected)
    }
  }

  private func clause(_ type: LinkedType) -> String {
    switch type {
    case .unknown, .dependent: ", of unknown type"
    case .generic(let parameter): ", of the generic type `\(parameter.name)`, so a literal is a String"
    case .nominal(let nominal, _) where nominal.name == "_LocalizationKey":
      ", which is a string; Xcode extracts it if it has no interpolation"
    case .nominal(let nominal, _) where nominal.name == "_DirectKey":
      ", which is String; Xcode extracts it if the whole argument is a literal without interpolation"
    default: ", which is \(type.name)"
    }
  }

  /// Returns a description of the place of a literal that is not an argument.
  private func place(_ api: String, _ type: LinkedType) -> String {
    switch api {
    case "return": "the result of a function or property"
    case "closure": "the value of a closure, or an argument of a closure"
    case "default": "the default value of a parameter"
    case "case": "the raw value of an enum"
    case "=": "the value of a variable or property"
    case "as": "the operand of `as`"
    case "": "a part of an expression"
    case "==", "!=", "<", ">", "<=", ">=", "===", "!==", "~=": "an operand of `\(api)`"
    default: "the literal of `\(api)( … )`"
    }
  }

  private func described(_ candidate: Candidate, _ api: String) -> String {
    guard let member = candidate.member else { return "`\(api)`" }
    let labels = candidate.signature.parameters.map { ($0.label ?? "_") + ":" }.joined()
    let owner = member.nominal.map { $0.fullName + "." } ?? ""
    let name: String
    switch member.kind {
    case .function(let function): name = function.name
    case .variable(_, let variable): name = variable
    case .enumCase(let enumCase): name = enumCase.name
    case .memberwise: name = "init"
    }
    let declared = "`\(owner)\(name)(\(labels))`"
    if member.scope.module.isStub { return "\(declared) of \(member.scope.module.name)" }
    if case .memberwise = member.kind {
      return "the memberwise initializer \(declared)" + (places.path(of: member).map { ", declared in \($0)" } ?? "")
    }
    return declared + (places.path(of: member).map { ", declared in \($0)" } ?? "")
  }
}

extension Nominal {
  /// The name, preceded by the names of the surrounding types.
  fileprivate var fullName: String {
    var names = [name]
    var outer = parent
    while let next = outer, names.count < 20 {
      names.append(next.name)
      outer = next.parent
    }
    return names.reversed().joined(separator: ".")
  }
}

extension StringLiteral {
  /// The literal as text for people.
  package var sketch: String {
    segments.map { segment in
      switch segment {
      case .text(let text): text
      case .interpolation: "\\(…)"
      }
    }.joined()
  }
}

extension LinkedType {
  /// The type as text for people.
  var name: String {
    switch self {
    case .nominal(let nominal, let arguments):
      arguments.isEmpty ? nominal.name : "\(nominal.name)<\(arguments.map(\.name).joined(separator: ", "))>"
    case .tuple(let elements, _): "(\(elements.map(\.name).joined(separator: ", ")))"
    case .function(let inputs, let output): "(\(inputs.map(\.name).joined(separator: ", "))) -> \(output.name)"
    case .generic(let parameter): parameter.name
    case .dependent(let base, let name): "\(base.name).\(name)"
    case .composition(let parts): parts.isEmpty ? "Any" : parts.map(\.name).joined(separator: " & ")
    case .metatype(let inner): "\(inner.name).Type"
    case .unknown: "unknown"
    }
  }
}
