import Localization
import SwiftParser
import SwiftParsing
import SwiftSyntax

/// An edit of a `Package.swift` that adds the parts that localization needs: `defaultLocalization`, and a resource rule of a target. All other bytes
/// stay the same.
///
/// A rule is added to the list of rules in the target's declaration. If there is no list, it is added too. If the manifest computes the list, the
/// rule is not added.
struct ManifestSplice {
  private let bytes: [UInt8]
  private let calls: ManifestCalls
  private var insertions: [(offset: Int, text: String)] = []

  /// Creates an edit without additions; `nil` if the file cannot be parsed.
  /// - Important: This initializer must run on a thread of `ParsingThreads`.
  init?(_ bytes: [UInt8], at path: TreePath) {
    guard let source = try? SourceParsing.parse(bytes, path: path, limits: .standard), !source.hasError else {
      return nil
    }
    self.bytes = bytes
    calls = ManifestCalls(viewMode: .sourceAccurate)
    calls.walk(source.tree)
  }

  var isEmpty: Bool { insertions.isEmpty }

  /// Returns the whole file with all additions.
  func applied() -> [UInt8] {
    var result = bytes
    for (offset, text) in insertions.sorted(by: { $0.offset > $1.offset }) {
      result.insert(contentsOf: Array(text.utf8), at: offset)
    }
    return result
  }

  /// Adds `defaultLocalization` after the package's name.
  /// - Returns: whether it was added. The manifest must have exactly one `Package(name: …)`, without `defaultLocalization`.
  mutating func setDefaultLocalization(_ language: LocaleIdentifier) -> Bool {
    guard calls.packages.count == 1, let call = calls.packages.first,
      let name = call.arguments.first, name.label?.text == "name",
      !call.arguments.contains(where: { $0.label?.text == "defaultLocalization" })
    else { return false }
    insert("defaultLocalization: \"\(language)\"", behind: name, of: call)
    return true
  }

  /// Adds a rule `.process("…")` to a target.
  /// - Returns: whether the rule was added. The manifest must have exactly one such target, with its rules in its declaration.
  mutating func addResources(_ folder: String, to target: String) -> Bool {
    let found = calls.targets.filter { ManifestCalls.name(of: $0) == target }
    guard found.count == 1, let call = found.first, !folder.contains(where: { "\"\\\n".contains($0) }) else {
      return false
    }
    let rule = ".process(\"\(folder)\")"
    if let resources = call.arguments.first(where: { $0.label?.text == "resources" }) {
      guard let list = resources.expression.as(ArrayExprSyntax.self) else { return false }
      if let last = list.elements.last {
        let start = lead(of: last.leadingTrivia)
        insertions.append((last.expression.endPositionBeforeTrailingTrivia.utf8Offset, ",\(start)\(rule)"))
        // A comma that followed the last rule now follows the new rule.
      } else {
        insertions.append((list.leftSquare.endPosition.utf8Offset, rule))
      }
      return true
    }
    // In SwiftPM's order of arguments, `resources` comes after these.
    let before: Set = ["name", "dependencies", "path", "exclude", "sources"]
    guard let last = call.arguments.last(where: { before.contains($0.label?.text ?? "") }) else { return false }
    insert("resources: [\(rule)]", behind: last, of: call)
    return true
  }

  /// Inserts an argument after another argument, in the same layout: on its own line if the other argument has its own line.
  private mutating func insert(_ argument: String, behind other: LabeledExprSyntax, of call: FunctionCallExprSyntax) {
    let lead = lead(of: other.leadingTrivia)
    if let comma = other.trailingComma {
      let isLast = other.id == call.arguments.last?.id
      insertions.append((comma.endPositionBeforeTrailingTrivia.utf8Offset, "\(lead)\(argument)\(isLast ? "" : ",")"))
    } else {
      insertions.append((other.endPositionBeforeTrailingTrivia.utf8Offset, ",\(lead)\(argument)"))
    }
  }

  /// Returns the white space before a new element, derived from that of its neighbour: a line break and the indentation, or a space. Comments before
  /// the neighbour are not repeated.
  private func lead(of trivia: Trivia) -> String {
    guard trivia.contains(where: { $0.isNewline }) else { return " " }
    let indentation = trivia.pieces.reversed().prefix { piece in
      switch piece {
      case .spaces, .tabs: true
      default: false
      }
    }
    let lineBreak = bytes.contains(0x0D) ? "\r\n" : "\n"
    return lineBreak + indentation.reversed().map { "\(Trivia(pieces: [$0]))" }.joined()
  }
}

/// The calls of a manifest that declare the package, or regular and executable targets. Dependencies on targets have the same form and are included.
private final class ManifestCalls: SyntaxVisitor {
  private(set) var packages: [FunctionCallExprSyntax] = []
  private(set) var targets: [FunctionCallExprSyntax] = []
  private static let kinds: Set = ["target", "executableTarget", "Target"]

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let called =
      node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
      ?? node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    if called == "Package", node.calledExpression.is(DeclReferenceExprSyntax.self) { packages.append(node) }
    if let called, Self.kinds.contains(called) { targets.append(node) }
    return .visitChildren
  }

  /// Returns the name in a target's declaration; `nil` for a dependency, and for a name that is not a literal.
  static func name(of call: FunctionCallExprSyntax) -> String? {
    let labels = call.arguments.map { $0.label?.text ?? "" }
    guard !isDependency(call), labels.first == "name",
      let text = call.arguments.first?.expression.as(StringLiteralExprSyntax.self)
    else { return nil }
    return text.representedLiteralValue
  }

  /// Returns whether a call declares a dependency. `.target(name: "Kit")` can be either a target or a dependency on a target.
  private static func isDependency(_ call: FunctionCallExprSyntax) -> Bool {
    var node = call.parent
    while let current = node {
      if let argument = current.as(LabeledExprSyntax.self), argument.label?.text == "dependencies" { return true }
      if current.is(FunctionCallExprSyntax.self) { return false }
      node = current.parent
    }
    return false
  }
}
