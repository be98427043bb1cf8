package import SwiftParsing
@_spi(RawSyntax) import SwiftSyntax

/// A survey of all string literals of a file. If the facts omit a literal because of its place in the code, the survey contains the reason.
package struct LiteralSurvey {
  package struct Found: Sendable {
    package var literal: StringLiteral
    /// The reason why the facts omit the literal, as a clause of a message; `nil` if its place in the code is no reason to omit it.
    package var reason: String?
  }

  private static let unreachable = "in `if false`, which Xcode does not extract"

  private let compiler: FactCompiler
  private var found: [Found] = []

  package static func literals(of source: ParsedSource) -> [Found] {
    FactCompiler.with(source) { compiler, root in
      var survey = LiteralSurvey(compiler: compiler)
      survey.visit(root, reason: nil)
      return survey.found
    } ?? []
  }

  private init(compiler: FactCompiler) { self.compiler = compiler }

  private mutating func visit(_ node: RawNode, reason: String?) {
    guard compiler.holdsQuote(node) else { return }
    switch node.kind {
    case .stringLiteralExpr, .simpleStringLiteralExpr:
      if case .string(let literal) = compiler.literal(node) { found.append(Found(literal: literal, reason: reason)) }
    case .macroExpansionDecl where compiler.text(node[MacroExpansionDecl.macroName]) == "Preview",
      .macroExpansionExpr where compiler.text(node[MacroExpansionExpr.macroName]) == "Preview":
      visitChildren(of: node, reason: reason ?? "in a preview, which Xcode does not extract")
      return
    case .structDecl, .classDecl, .enumDecl:
      if FactCompiler.isPreview(compiler.inheritedTypes(node[TypeDecl.inheritanceClause])) {
        visitChildren(of: node, reason: reason ?? "in a PreviewProvider, which Xcode does not extract")
        return
      }
    case .ifExpr where compiler.isNever(node):
      let then = node[IfExpr.body]
      for element in node.elements where !element.raw.isToken {
        let isThen = element.raw.id == then?.raw.id
        visit(element, reason: isThen ? reason ?? Self.unreachable : reason)
      }
      return
    case .closureExpr where reason == Self.unreachable:
      visitChildren(of: node, reason: nil)
      return
    case .ifConfigDecl:
      let live = Set(compiler.liveClauses(node).map { $0.raw.id })
      for clause in node[IfConfigDecl.clauses]?.elements.map({ $0 }) ?? [] {
        let dead = reason ?? "in an #if clause that no debug build for Apple platforms compiles"
        visitChildren(of: clause, reason: live.contains(clause.raw.id) ? reason : dead)
      }
      return
    default: break
    }
    visitChildren(of: node, reason: reason)
  }

  private mutating func visitChildren(of node: RawNode, reason: String?) {
    for element in node.elements where !element.raw.isToken { visit(element, reason: reason) }
  }
}
