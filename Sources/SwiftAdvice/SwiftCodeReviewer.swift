package import Localization
import SwiftParsing
import SwiftSyntax

/// A reviewer that finds patterns in Swift code that make an app hard to localize (`CodePattern`). It reads only the syntax. Extraction has already
/// determined which literals are localized.
///
/// Parsing and visiting all files of an app would take longer than extraction, which visits less of each file. Therefore only files whose bytes can
/// contain a finding are parsed.
package struct SwiftCodeReviewer: CodeReviewer {
  package init() {}

  package func traits(of bytes: [UInt8]) -> CodeTraits { CodeScreen.traits(of: bytes) }

  package func review(
    _ files: [ReviewedFile], for kinds: Set<CodePattern.Kind>, of tree: any SourceTree, threads: Int
  ) throws -> CodeReview {
    let (all, ownLookups) = try withLookups(files, for: kinds, of: tree, threads: threads)
    // Files whose traits are known need a thread only if they must be parsed.
    let files = all.filter { file in file.traits.map { file.needsReview(for: kinds, $0) } ?? true }
    let reviews = try ParsingThreads.map(files, threads: threads) { file -> CodeReview in
      // Extraction reports files that cannot be read or parsed.
      guard let bytes = try? tree.read(file.path),
        file.traits != nil || file.needsReview(for: kinds, CodeScreen.traits(of: bytes)),
        let parsed = try? SourceParsing.parse(bytes, path: file.path)
      else { return CodeReview() }
      let visitor = PatternVisitor(
        ReviewedSource(file: file, lines: parsed.lines, bytes: bytes, ownLookups: ownLookups))
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

  /// Returns the files, and the names in the traits of all files (`CodeTraits.ownLookups`). The names matter only for texts of packages. If there are
  /// such texts, the traits of all files are determined; otherwise, no names are returned.
  private func withLookups(
    _ files: [ReviewedFile], for kinds: Set<CodePattern.Kind>, of tree: any SourceTree, threads: Int
  ) throws -> (files: [ReviewedFile], names: Set<String>) {
    guard kinds.contains(.missingBundle), files.contains(where: { !$0.ofPackage.isEmpty }) else { return (files, []) }
    let screened = try ParsingThreads.map(files, threads: threads) { file -> ReviewedFile in
      guard file.traits == nil, let bytes = try? tree.read(file.path) else { return file }
      var file = file
      file.traits = CodeScreen.traits(of: bytes)
      return file
    }
    return (screened, screened.reduce(into: Set<String>()) { $0.formUnion($1.traits?.ownLookups ?? []) })
  }
}

extension ReviewedFile {
  /// The patterns that occur only in literals that are localized according to the extraction.
  private static let kindsOfLocalizedTexts: Set<CodePattern.Kind> = [
    .countedChoice, .joinedTexts, .caseByHand, .fixedWidth,
  ]

  /// Returns whether the file can contain one of the patterns, or code for developers that contains a string.
  func needsReview(for kinds: Set<CodePattern.Kind>, _ traits: CodeTraits) -> Bool {
    if let line = traits.developerLine, line <= lastLine { return true }
    if kinds.contains(.missingBundle), !ofPackage.isEmpty { return true }
    let wanted = traits.kinds.intersection(kinds)
    return localized.isEmpty ? !wanted.isSubset(of: Self.kindsOfLocalizedTexts) : !wanted.isEmpty
  }
}
