private import SwiftParser
private import SwiftSyntax

/// What extraction is measured against: SwiftParser and one empty walk of its tree, on the same bytes with the same threads.
package enum ExtractionBenchmarkReference {
  private final class EmptyVisitor: SyntaxVisitor {}

  /// Parses and walks every file.
  /// - Returns: the number of files, so that no optimiser can drop the work.
  package static func parseAndWalk(_ files: [[UInt8]], threads: Int) throws -> Int {
    try ParsingThreads.map(files, threads: threads) { bytes in
      bytes.withUnsafeBufferPointer { buffer in
        let visitor = EmptyVisitor(viewMode: .sourceAccurate)
        visitor.walk(Parser.parse(source: buffer))
        return 1
      }
    }.reduce(0, +)
  }
}
