import SwiftParsing
import SwiftSyntax

/// The public declarations of a package that a stub may need. Their signatures contain a type whose literals Xcode extracts.
package enum StubCandidates {
  /// Returns the signatures of a file's candidates.
  /// - Parameter bytes: a Swift file. If it has syntax errors, the declarations that the parser recognizes are still included.
  /// - Returns: the signatures in source order, one line each, beginning with the surrounding type or extension.
  package static func candidates(in bytes: [UInt8]) -> [String] {
    let visitor = Visitor(viewMode: .sourceAccurate)
    visitor.walk(SourceParsing.parseUnchecked(bytes).tree)
    return visitor.found
  }

  private static let names = [
    "LocalizedStringKey", "LocalizedStringResource", "LocalizationValue", "IntentDialog", "IntentDescription",
    "TextState",
  ]

  private final class Visitor: SyntaxVisitor {
    var found: [String] = []
    /// The surrounding types and extensions, innermost last, each with whether its members are public without a modifier.
    private var owners: [(name: String, isOpen: Bool)] = []

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text, node.modifiers) }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text, node.modifiers) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text, node.modifiers) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text, node.modifiers) }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
      owners.append((node.name.text, isPublic(node.modifiers)))
      return .visitChildren
    }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
      owners.append(("extension " + node.extendedType.trimmedDescription, isPublic(node.modifiers)))
      return .visitChildren
    }
    override func visitPost(_ node: StructDeclSyntax) { owners.removeLast() }
    override func visitPost(_ node: ClassDeclSyntax) { owners.removeLast() }
    override func visitPost(_ node: EnumDeclSyntax) { owners.removeLast() }
    override func visitPost(_ node: ActorDeclSyntax) { owners.removeLast() }
    override func visitPost(_ node: ProtocolDeclSyntax) { owners.removeLast() }
    override func visitPost(_ node: ExtensionDeclSyntax) { owners.removeLast() }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
      add("init" + node.signature.trimmedDescription, node.modifiers)
    }
    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
      add("func " + node.name.text + node.signature.trimmedDescription, node.modifiers)
    }
    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
      add("subscript" + node.parameterClause.trimmedDescription + node.returnClause.trimmedDescription, node.modifiers)
    }
    override func visit(_ node: MacroDeclSyntax) -> SyntaxVisitorContinueKind {
      add("macro " + node.name.text + node.signature.trimmedDescription, node.modifiers)
    }
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
      for binding in node.bindings {
        let type = binding.typeAnnotation?.trimmedDescription ?? ""
        _ = add(node.bindingSpecifier.text + " " + binding.pattern.trimmedDescription + type, node.modifiers)
      }
      return .skipChildren
    }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind {
      if owners.last?.isOpen == true || isPublic(node.modifiers) {
        for element in node.elements { append("case " + element.trimmedDescription) }
      }
      return .skipChildren
    }

    private func enter(_ name: String, _ modifiers: DeclModifierListSyntax) -> SyntaxVisitorContinueKind {
      owners.append((name, false))
      return .visitChildren
    }

    private func add(_ signature: String, _ modifiers: DeclModifierListSyntax) -> SyntaxVisitorContinueKind {
      if isPublic(modifiers)
        || owners.last?.isOpen == true && modifiers.allSatisfy({ !Self.hiding.contains($0.name.text) })
      {
        append(signature)
      }
      return .skipChildren
    }

    private static let hiding: Set<String> = ["private", "fileprivate", "internal", "package"]

    private func append(_ signature: String) {
      guard names.contains(where: { signature.contains($0) }) else { return }
      let line = signature.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      found.append((owners.map(\.name) + [line]).joined(separator: ": "))
    }

    private func isPublic(_ modifiers: DeclModifierListSyntax) -> Bool {
      modifiers.contains { $0.name.text == "public" || $0.name.text == "open" }
    }
  }
}
