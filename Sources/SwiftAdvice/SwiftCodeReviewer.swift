package import Localization
import SwiftParsing
import SwiftSyntax

/// Finds patterns in Swift code by its syntax alone. Extraction has already found which literals are localized.
package struct SwiftCodeReviewer: CodeReviewer {
  package init() {}

  package func patterns(
    in files: [ReviewedFile], of tree: any SourceTree, threads: Int
  ) throws -> [CodePattern] {
    try ParsingThreads.map(files, threads: threads) { file -> [CodePattern] in
      // Extraction reports files that cannot be read or parsed.
      guard let bytes = try? tree.read(file.path), let parsed = try? SourceParsing.parse(bytes, path: file.path) else {
        return []
      }
      let visitor = PatternVisitor(ReviewedSource(file: file, lines: parsed.lines, bytes: bytes))
      visitor.walk(parsed.tree)
      return visitor.patterns
    }.flatMap(\.self).sorted {
      ($0.path, $0.line, $0.column, $0.kind.rawValue) < ($1.path, $1.line, $1.column, $1.kind.rawValue)
    }
  }
}
