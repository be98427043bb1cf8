internal import Localization
@_spi(RawSyntax) import SwiftSyntax

/// Code that Release builds compile, but no Debug build, such as the `#else` clause of `#if DEBUG`.
///
/// Dragoman extracts the strings of Debug builds. If a catalog has the key of a literal in such code, the key is kept, because Xcode may have built a
/// Release configuration last (xcode-extraction.md R23).
package enum ReleaseOnlyCode {
  /// The name of a call in the facts whose arguments are the literals of such code. Swift code cannot declare a function with this name, so the
  /// literals have an unknown type.
  package static let callee = ExtractionSite.releaseOnly
}

extension FactCompiler {
  /// Returns a statement with all literals in code that only Release builds compile; `nil` if there are none. The other facts omit this code,
  /// because its declarations can have the same names as those of Debug builds.
  func releaseOnlyStatement(_ root: RawNode) -> Statement? {
    guard hasConditions, symbol == nil else { return nil }
    var literals: [Argument] = []
    collectReleaseOnly(root, isInDebug: true, into: &literals)
    guard !literals.isEmpty else { return nil }
    return .expression(
      .call(CallFact(callee: .name(ReleaseOnlyCode.callee, []), arguments: literals, isSubscript: false)))
  }

  /// Collects the literals of code that only Release builds compile.
  /// - Parameter isInDebug: whether Debug builds also compile the node.
  private func collectReleaseOnly(_ node: RawNode, isInDebug: Bool, into literals: inout [Argument]) {
    guard holdsQuote(node) else { return }
    switch node.kind {
    case .stringLiteralExpr, .simpleStringLiteralExpr:
      if !isInDebug { literals.append(Argument(value: literal(node))) }
    case .ifConfigDecl:
      let debug = Set(liveClauses(node).map { $0.raw.id })
      for clause in liveClauses(node, isDebug: false) {
        collectInside(clause, isInDebug: isInDebug && debug.contains(clause.raw.id), into: &literals)
      }
    default: collectInside(node, isInDebug: isInDebug, into: &literals)
    }
  }

  private func collectInside(_ node: RawNode, isInDebug: Bool, into literals: inout [Argument]) {
    for element in node.elements where !element.raw.isToken {
      collectReleaseOnly(element, isInDebug: isInDebug, into: &literals)
    }
  }
}
