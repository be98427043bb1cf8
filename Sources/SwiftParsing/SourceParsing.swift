package import Localization
@_spi(RawSyntax) import SwiftParser
package import SwiftSyntax

/// A parsed Swift file.
package struct ParsedSource: Sendable {
  package let tree: SourceFileSyntax
  package let lines: LineTable
  /// Whether the parser found a syntax error. The tree still contains the code around the error.
  package var hasError: Bool { tree.hasError }
}

/// Functions that parse Swift source after `SourceGuard` has refused source that SwiftParser cannot handle safely.
package enum SourceParsing {
  /// The maximum nesting level. Deeper code is not parsed. This is SwiftParser's own limit in release builds. SwiftParser's limit in debug builds is
  /// 20, which real code exceeds.
  private static let nestingLevel = 256

  /// Parses a file. Must be called on a thread of `ParsingThreads`, because nested code needs more stack than other threads have.
  /// - Throws: the fault of `SourceGuard`, as a diagnostic with line and column.
  package static func parse(_ bytes: [UInt8], path: TreePath, limits: SourceLimits = .standard) throws(InputFault)
    -> ParsedSource
  {
    if let fault = SourceGuard.check(bytes, limits: limits) { throw InputFault(fault.diagnostic(path: path)) }
    return parseUnchecked(bytes)
  }

  /// Parses bytes without a check. `SourceGuard` must have checked them before, or they must come from a trusted source, such as a stub.
  package static func parseUnchecked(_ bytes: [UInt8]) -> ParsedSource {
    bytes.withUnsafeBufferPointer { buffer in
      ParsedSource(tree: Parser.parse(source: buffer, maximumNestingLevel: nestingLevel), lines: LineTable(buffer))
    }
  }

  /// Parses the remaining parts of a file. All places refer to the whole file.
  package static func parse(_ source: StrippedSource) -> ParsedSource {
    source.bytes.withUnsafeBufferPointer {
      ParsedSource(tree: Parser.parse(source: $0, maximumNestingLevel: nestingLevel), lines: source.lines)
    }
  }

  /// Parses the remaining parts of a file, or the whole file if the remaining parts have a syntax error. The scanner uses no grammar, so it may have
  /// removed a part of a regex literal that contains `//` or a brace.
  ///
  /// If the whole file also has an error, it is parsed as Swift 5. In Swift 5, `@MainActor(T) -> Void` is a function type; in Swift 6, the
  /// parentheses belong to the attribute. The result is used only if it has no error.
  package static func parse(_ source: StrippedSource, of whole: [UInt8]) -> ParsedSource {
    var parsed = parse(source)
    if parsed.hasError, source.bytes.count < whole.count { parsed = parseUnchecked(whole) }
    guard parsed.hasError else { return parsed }
    let older = whole.withUnsafeBufferPointer { buffer in
      ParsedSource(
        tree: Parser.parse(source: buffer, maximumNestingLevel: nestingLevel, swiftVersion: .v5),
        lines: LineTable(buffer))
    }
    return older.hasError ? parsed : older
  }
}
