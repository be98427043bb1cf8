import SwiftParser
import SwiftParsing
import SwiftSyntax

/// The reference for the extraction benchmarks: SwiftParser and one empty walk of its tree, on the same bytes with the same number of threads.
enum ParserReference {
  private final class EmptyVisitor: SyntaxVisitor {}

  /// Parses and walks every file.
  /// - Returns: the number of files. This result depends on the work, so the optimizer cannot remove the work.
  static func parseAndWalk(_ files: [[UInt8]], threads: Int) throws -> Int {
    try ParsingThreads.map(files, threads: threads) { bytes in
      bytes.withUnsafeBufferPointer { buffer in
        let visitor = EmptyVisitor(viewMode: .sourceAccurate)
        visitor.walk(Parser.parse(source: buffer))
        return 1
      }
    }.reduce(0, +)
  }
}
