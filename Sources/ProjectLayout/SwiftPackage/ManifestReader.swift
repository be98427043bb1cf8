import Localization
import StructuredText
import SwiftParsing
import SwiftSyntax

/// A reader of `Package.swift` files. The files are parsed and never run.
enum ManifestReader {
  /// Returns whether a file with a manifest's name is a manifest. Apps can also have sources named `Package.swift`.
  static func isManifest(_ bytes: [UInt8]) -> Bool {
    contains(bytes, "PackageDescription") || contains(bytes, "swift-tools-version")
  }

  /// Reads a manifest. If the file cannot be parsed, its targets are unknown.
  /// - Important: This function must run on a thread of `ParsingThreads`.
  static func read(_ bytes: [UInt8], at path: TreePath) -> PackageManifest {
    let limits = SourceLimits(
      fileBytes: ManifestLimits.bytes, bracketDepth: SourceLimits.standard.bracketDepth,
      squareDepth: SourceLimits.standard.squareDepth, chainLength: SourceLimits.standard.chainLength)
    let source: ParsedSource
    do { source = try SourceParsing.parse(bytes, path: path, limits: limits) } catch {
      return unreadable(path, error.diagnostics)
    }
    let converter = SourceLocationConverter(fileName: path.text, tree: source.tree)
    if source.hasError {
      let conflicts = MergeRegion.all(in: bytes).map { region in
        Diagnostic(
          path: path.text, line: region.start.line, column: region.start.column, severity: .error,
          message: "\(region.message); \(ManifestSyntaxErrors.effect)", hint: MergeRegion.hint)
      }
      guard conflicts.isEmpty else { return unreadable(path, conflicts) }
      return unreadable(path, ManifestSyntaxErrors.diagnostics(of: source.tree, path: path, converter: converter))
    }
    var model = ManifestModel(path: path, toolsVersion: toolsVersion(of: bytes), converter: converter)
    guard let package = ManifestInterpreter().package(of: source.tree)?.call else {
      let diagnostic = Diagnostic(
        path: path.text, line: 1, column: 1, severity: .error,
        message: "the manifest has no `let package = Package(…)`, so its targets are unknown")
      return unreadable(path, [diagnostic])
    }
    model.read(package)
    return model.manifest
  }

  private static func unreadable(_ path: TreePath, _ diagnostics: [Diagnostic]) -> PackageManifest {
    .unreadable(path, because: diagnostics, diagnostics: diagnostics)
  }

  private static func toolsVersion(of bytes: [UInt8]) -> ToolsVersion? {
    let head = String(decoding: bytes.prefix(2048), as: UTF8.self)
    for line in head.split(whereSeparator: \.isNewline).prefix(20) {
      guard line.hasPrefix("//"), let colon = line.firstIndex(of: ":"), line[..<colon].contains("swift-tools-version")
      else { continue }
      let version = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }.prefix {
        $0.isNumber || $0 == "."
      }
      let numbers = version.split(separator: ".").map { Int($0) }
      if let major = numbers.first ?? nil {
        return ToolsVersion(major: major, minor: (numbers.dropFirst().first ?? nil) ?? 0)
      }
    }
    return nil
  }

  private static func contains(_ bytes: [UInt8], _ word: StaticString) -> Bool {
    let word = Array("\(word)".utf8)
    guard let first = word.first, bytes.count >= word.count else { return false }
    return (0...(bytes.count - word.count)).contains { start in
      bytes[start] == first && bytes[start..<(start + word.count)].elementsEqual(word)
    }
  }
}

/// The syntax errors of a manifest.
private final class ManifestSyntaxErrors: SyntaxVisitor {
  private let path: TreePath
  private let converter: SourceLocationConverter
  private var found: [Diagnostic] = []
  /// The maximum number of reported errors. One wrong character can cause many errors.
  private static let limit = 20
  static let effect = "the targets of the package are unknown"

  private init(path: TreePath, converter: SourceLocationConverter) {
    self.path = path
    self.converter = converter
    super.init(viewMode: .all)
  }

  static func diagnostics(
    of tree: SourceFileSyntax, path: TreePath, converter: SourceLocationConverter
  ) -> [Diagnostic] {
    let visitor = ManifestSyntaxErrors(path: path, converter: converter)
    visitor.walk(tree)
    guard visitor.found.isEmpty else { return visitor.found }
    return [
      Diagnostic(path: path.text, line: 1, column: 1, severity: .error, message: "the manifest is not valid Swift")
    ]
  }

  override func visit(_ node: UnexpectedNodesSyntax) -> SyntaxVisitorContinueKind {
    let text = node.trimmedDescription.prefix { !$0.isNewline }.prefix(40)
    report(node.positionAfterSkippingLeadingTrivia, "unexpected `\(text)`")
    return .skipChildren
  }

  override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
    guard token.presence == .missing else { return .skipChildren }
    // A missing token is reported after the previous token, not at the start of the next line.
    let position = token.previousToken(viewMode: .sourceAccurate)?.endPositionBeforeTrailingTrivia ?? token.position
    report(position, token.text.isEmpty ? "something is missing" : "expected `\(token.text)`")
    return .skipChildren
  }

  override func visit(_ node: MissingExprSyntax) -> SyntaxVisitorContinueKind {
    report(node.position, "expected an expression")
    return .skipChildren
  }

  private func report(_ position: AbsolutePosition, _ cause: String) {
    guard found.count < Self.limit else { return }
    let place = converter.location(for: position)
    found.append(
      Diagnostic(
        path: path.text, line: place.line, column: place.column, severity: .error,
        message: "\(cause); \(Self.effect)"))
  }
}
