@_spi(RawSyntax) import SwiftSyntax

extension FactCompiler {
  /// Lowers a use of ``symbol`` to a literal in its place. The inferred type of this literal shows whether the member is a member of
  /// `LocalizedStringResource`, or is another member with the same name.
  /// - Parameters:
  ///   - node: a member access.
  ///   - arguments: the arguments of the symbol.
  /// - Returns: the literal; `nil` for any other member, and if no symbol is searched for.
  func symbolUse(_ node: RawNode, arguments: @autoclosure () -> [Argument] = []) -> Expression? {
    guard let symbol, symbol.isNamed(text(node[MemberAccessExpr.declName]?[DeclReferenceExpr.baseName])) else {
      return nil
    }
    let base = node[MemberAccessExpr.base]
    let isQualified: Bool
    switch base?.kind {
    case nil:
      guard symbol.isOf(table: nil) else { return nil }
      isQualified = false
    case .declReferenceExpr?:
      guard isResource(base), symbol.isOf(table: nil) else { return nil }
      isQualified = true
    case .memberAccessExpr?:
      let owner = base?[MemberAccessExpr.base]
      guard symbol.isOf(table: text(base?[MemberAccessExpr.declName]?[DeclReferenceExpr.baseName])),
        owner == nil || isResource(owner)
      else { return nil }
      isQualified = owner != nil
    default: return nil
    }
    let literal = StringLiteral(
      segments: [.text(GeneratedSymbol.mark)]
        + arguments().map { .interpolation([Argument(label: nil, value: $0.value)]) },
      place: place(of: node) ?? SourcePlace(line: 1, column: 1))
    return isQualified
      ? .cast(.string(literal), .named("LocalizedStringResource", []), isOptional: false) : .string(literal)
  }

  private func isResource(_ node: RawNode?) -> Bool {
    node?.kind == .declReferenceExpr && text(node?[DeclReferenceExpr.baseName]) == "LocalizedStringResource"
  }
}
