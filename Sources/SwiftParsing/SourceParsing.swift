package import Localization
@_spi(RawSyntax) import SwiftParser
package import SwiftSyntax

/// A Swift file as the parser understood it.
package struct ParsedSource: Sendable {
  package let tree: SourceFileSyntax
  package let lines: LineTable
  /// Whether the parser met something that is not Swift; what stands around it is in the tree all the same.
  package var hasError: Bool { tree.hasError }
}

/// Swift source → syntax tree, with what the parser cannot survive kept from it.
package enum SourceParsing {
  /// Parses a file. Call it on a thread of `ParsingThreads`: nested code needs more stack than other threads have.
  /// - Throws: the guard's fault, as a diagnostic with line and column.
  package static func parse(_ bytes: [UInt8], path: TreePath, limits: SourceLimits = .standard) throws(InputFault)
    -> ParsedSource
  {
    if let fault = SourceGuard.check(bytes, limits: limits) { throw InputFault(fault.diagnostic(path: path)) }
    return parseUnchecked(bytes)
  }

  /// Parses bytes that the guard has seen.
  package static func parseUnchecked(_ bytes: [UInt8]) -> ParsedSource {
    bytes.withUnsafeBufferPointer { buffer in
      ParsedSource(tree: Parser.parse(source: buffer), lines: LineTable(buffer))
    }
  }

  /// Parses what is left of a file; places are those of the whole.
  package static func parse(_ source: StrippedSource) -> ParsedSource {
    source.bytes.withUnsafeBufferPointer { ParsedSource(tree: Parser.parse(source: $0), lines: source.lines) }
  }

  /// Parses what is left of a file, or, where that has a fault, the whole: the scan knows no grammar, and may have cut into a regex
  /// literal that holds `//` or a brace. Where that has one, too, the whole as Swift 5, in which `@MainActor(T) -> Void` is a function
  /// type; in Swift 6 the parentheses are the attribute's.
  package static func parse(_ source: StrippedSource, of whole: [UInt8]) -> ParsedSource {
    var parsed = parse(source)
    if parsed.hasError, source.bytes.count < whole.count { parsed = parseUnchecked(whole) }
    guard parsed.hasError else { return parsed }
    let older = whole.withUnsafeBufferPointer { buffer in
      ParsedSource(tree: Parser.parse(source: buffer, swiftVersion: .v5), lines: LineTable(buffer))
    }
    return older.hasError ? parsed : older
  }
}
