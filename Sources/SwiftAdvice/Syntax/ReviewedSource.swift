import Localization
import SwiftParsing
import SwiftSyntax

/// A file under review, with the known facts about its literals.
struct ReviewedSource {
  let file: ReviewedFile
  let lines: LineTable
  let bytes: [UInt8]
  /// The names of localizing functions and types, such as `Text`, that a file of the project declares itself.
  let ownLookups: Set<String>
  /// Facts about the whole file, each computed once. Otherwise the time would not be proportional to the file's size.
  private let answers = Answers()

  init(file: ReviewedFile, lines: LineTable, bytes: [UInt8], ownLookups: Set<String>) {
    self.file = file
    self.lines = lines
    self.bytes = bytes
    self.ownLookups = ownLookups
  }

  func place(of node: some SyntaxProtocol) -> ReviewedFile.Place {
    let place = lines.place(of: node.positionAfterSkippingLeadingTrivia.utf8Offset)
    return ReviewedFile.Place(line: place.line, column: place.column)
  }

  /// Returns the places from the first to the last token of a node.
  func places(of node: some SyntaxProtocol) -> ClosedRange<ReviewedFile.Place> {
    let start = place(of: node)
    let end = lines.place(of: node.endPositionBeforeTrailingTrivia.utf8Offset)
    return start...max(start, ReviewedFile.Place(line: end.line, column: end.column))
  }

  /// Returns whether the file declares a type with this name.
  func declaresType(_ name: String) -> Bool {
    guard !name.isEmpty else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    return ["struct", "class", "enum"].contains { word in
      text.ranges(of: "\(word) \(name)").contains { range in
        range.upperBound == text.endIndex || !(text[range.upperBound].isLetter || text[range.upperBound].isNumber)
      }
    }
  }

  /// Whether the file has a translated text. Its other texts should then be translated, too.
  var hasTranslations: Bool { !file.translated.isEmpty }

  func isLocalized(_ literal: StringLiteralExprSyntax) -> Bool { file.localized.contains(place(of: literal)) }

  func pattern(
    _ kind: CodePattern.Kind, at node: some SyntaxProtocol, _ text: String, fix: CodeFix? = nil, isLikely: Bool = true
  ) -> CodePattern {
    let place = place(of: node)
    return CodePattern(
      kind: kind, path: file.path, line: place.line, column: place.column, text: text, fix: fix, isLikely: isLikely)
  }

  /// Returns whether the file contains a text at any position.
  func mentions(_ text: StaticString) -> Bool {
    if let known = answers.mentions[text.description] { return known }
    let isMentioned = finds(text)
    answers.mentions[text.description] = isMentioned
    return isMentioned
  }

  /// The classes of UIKit for labels, text fields and text views.
  static let labelTypes = ["UILabel", "UITextField", "UITextView"]

  /// Returns how the file uses alignments.
  /// - Parameter node: any node of the file.
  func alignmentUses(_ node: some SyntaxProtocol) -> AlignmentUses {
    if let known = answers.alignmentUses { return known }
    let uses = AlignmentUses(viewMode: .sourceAccurate)
    uses.walk(node.root)
    answers.alignmentUses = uses
    return uses
  }

  /// The names of the variables that are declared or created with one of `labelTypes` in this file.
  var labelNames: Set<String> {
    if let known = answers.labelNames { return known }
    var names: Set<String> = []
    let text = String(decoding: bytes, as: UTF8.self)
    for type in Self.labelTypes {
      for declaration in [" = \(type)(", ": \(type)"] {
        for range in text.ranges(of: declaration) {
          names.insert(String(text[..<range.lowerBound].reversed().prefix { $0.isLetter || $0.isNumber }.reversed()))
        }
      }
    }
    answers.labelNames = names
    return names
  }

  private final class Answers {
    var mentions: [String: Bool] = [:]
    var labelNames: Set<String>?
    var alignmentUses: AlignmentUses?
  }

  private func finds(_ text: StaticString) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      let first = text.utf8Start.pointee
      let count = text.utf8CodeUnitCount
      guard bytes.count >= count else { return false }
      return (0...(bytes.count - count)).contains { start in
        bytes[start] == first && (0..<count).allSatisfy { bytes[start + $0] == text.utf8Start[$0] }
      }
    }
  }
}

extension StringLiteralExprSyntax {
  /// The text of the literal, with `…` for each interpolation.
  var shownText: String {
    segments.map { segment in
      switch segment {
      case .stringSegment(let text): Self.withLineFeeds(text.content.text)
      case .expressionSegment: "…"
      }
    }.joined()
  }

  /// Converts every line ending to a line feed, as Swift does.
  private static func withLineFeeds(_ text: String) -> String {
    text.utf8.contains(0x0D) ? text.replacing("\r\n", with: "\n").replacing("\r", with: "\n") : text
  }

  var hasInterpolation: Bool { segments.contains { $0.is(ExpressionSegmentSyntax.self) } }
}

extension ExprSyntaxProtocol {
  /// The expression itself if it is a literal, or the literal that is the first argument of a call such as `Text("…")` or `String(localized: "…")`.
  var ownLiteral: StringLiteralExprSyntax? {
    if let literal = self.as(StringLiteralExprSyntax.self) { return literal }
    return self.as(FunctionCallExprSyntax.self)?.arguments.first?.expression.as(StringLiteralExprSyntax.self)
  }

  /// The expression without trailing method calls: `Text("…")` for `Text("…").bold()`.
  var withoutModifiers: ExprSyntax {
    var expression = ExprSyntax(self)
    while let call = expression.as(FunctionCallExprSyntax.self),
      let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base, base.is(FunctionCallExprSyntax.self)
    {
      expression = base
    }
    return expression
  }
}

extension FunctionCallExprSyntax {
  /// The name of the called function or type: `Text` for `Text("…")`, `setTitle` for `button.setTitle("…")`.
  var calledName: String? {
    if let name = calledExpression.as(DeclReferenceExprSyntax.self) { return name.baseName.text }
    return calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
  }

  var isMethod: Bool { calledExpression.as(MemberAccessExprSyntax.self)?.base != nil }

  func argument(_ label: String) -> LabeledExprSyntax? { arguments.first { $0.label?.text == label } }
}
