package import Localization
import SwiftParsing
import SwiftSyntax

/// Finds patterns in Swift code by its syntax alone. Extraction has already found which literals are localized.
package struct SwiftCodeReviewer: CodeReviewer {
  package init() {}

  package func review(_ files: [ReviewedFile], of tree: any SourceTree, threads: Int) throws -> CodeReview {
    let reviews = try ParsingThreads.map(files, threads: threads) { file -> CodeReview in
      // Extraction reports files that cannot be read or parsed.
      guard let bytes = try? tree.read(file.path), let parsed = try? SourceParsing.parse(bytes, path: file.path) else {
        return CodeReview()
      }
      let visitor = PatternVisitor(ReviewedSource(file: file, lines: parsed.lines, bytes: bytes))
      visitor.walk(parsed.tree)
      let hidden = visitor.developerCode
      return CodeReview(patterns: visitor.patterns, developerCode: hidden.isEmpty ? [:] : [file.path: hidden])
    }
    let patterns = reviews.flatMap(\.patterns).sorted {
      ($0.path, $0.line, $0.column, $0.kind.rawValue) < ($1.path, $1.line, $1.column, $1.kind.rawValue)
    }
    return CodeReview(
      patterns: patterns, developerCode: reviews.reduce(into: [:]) { $0.merge($1.developerCode) { $0 + $1 } })
  }
}
