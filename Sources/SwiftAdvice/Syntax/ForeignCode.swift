import SwiftSyntax

/// Code that the compiler may copy into other modules: bodies of `@inlinable` declarations, default arguments of visible declarations, and initial
/// values of `@frozen` types. Such code cannot use internal declarations, such as the `Bundle.module` of a package.
extension SyntaxProtocol {
  var isCopiedToOtherModules: Bool {
    var isDefault = false
    var isInitialValue = false
    var child = Syntax(self)
    while let node = child.parent {
      if node.is(FunctionParameterSyntax.self) || node.is(EnumCaseParameterSyntax.self) { isDefault = true }
      if node.is(PatternBindingSyntax.self) { isInitialValue = child.is(InitializerClauseSyntax.self) }
      if node.is(CodeBlockSyntax.self) { isInitialValue = false }
      if let attributes = node.asProtocol((any WithAttributesSyntax).self)?.attributes {
        if attributes.names.contains(where: copying.contains) { return true }
        if isDefault, attributes.names.contains("usableFromInline") { return true }
        if isInitialValue, attributes.names.contains("frozen") { return true }
      }
      // The members of a visible type or extension may be visible, too.
      if isDefault, let modifiers = node.asProtocol((any WithModifiersSyntax).self)?.modifiers,
        modifiers.contains(where: { visible.contains($0.name.text) })
      {
        return true
      }
      child = node
    }
    return false
  }
}

private let copying: Set<String> = [
  "inlinable", "_alwaysEmitIntoClient", "_transparent", "_backDeploy", "backDeployed",
]
private let visible: Set<String> = ["public", "open", "package"]

extension AttributeListSyntax {
  fileprivate var names: [String] {
    compactMap { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription }
  }
}
