import Localization
import SwiftSyntax

/// The pattern `Text("Save")` in a package. Without `bundle:`, the text is looked up in the app's bundle, which does not contain it.
enum MissingBundle {
  /// Functions with a parameter `bundle`, each with the labels of the parameters before and after `bundle`.
  private static let takesBundle: [String: (before: Set<String>, after: Set<String>)] = [
    "Text": (["", "tableName"], ["comment"]),
    "String": (["localized", "defaultValue", "options", "table"], ["locale", "comment"]),
    "AttributedString": (
      ["localized", "defaultValue", "options", "table"], ["locale", "comment", "including"]
    ),
    "NSLocalizedString": (["", "tableName"], ["value", "comment"]),
  ]
  /// Functions of SwiftUI without a bundle argument. They accept a `Text` with a bundle instead.
  private static let takesText: Set<String> = [
    "Button", "Label", "Toggle", "Section", "Picker", "Menu", "Link", "TextField", "SecureField", "Stepper", "Slider",
    "DisclosureGroup", "GroupBox", "NavigationLink", "Tab", "ProgressView", "Gauge", "LabeledContent", "DatePicker",
    "ColorPicker", "ShareLink", "CommandMenu", "ControlGroup", "ContentUnavailableView",
    "navigationTitle", "navigationSubtitle", "alert", "confirmationDialog", "help", "badge", "accessibilityLabel",
    "accessibilityHint", "accessibilityValue", "tabItem", "searchable",
  ]

  static func find(in literal: StringLiteralExprSyntax, of source: ReviewedSource) -> CodePattern? {
    guard source.file.ofPackage.contains(source.place(of: literal)), let call = call(around: literal),
      let name = call.calledName, call.argument("bundle") == nil
    else { return nil }
    let text = literal.shownText
    guard hasWords(text), !PackageBuild.excludes(literal) else { return nil }
    if let labels = takesBundle[name], !call.isMethod {
      // Initializers such as `Text(localized:)` and `Text(_:size:)` are not SwiftUI's but the project's own.
      let isPlain =
        name == "String" || name == "AttributedString"
        ? call.argument("localized") != nil : call.arguments.first?.label == nil
      guard isPlain, call.trailingClosure == nil,
        call.arguments.allSatisfy({ argument in
          let label = argument.label?.text ?? ""
          return labels.before.contains(label) || labels.after.contains(label)
        })
      else { return nil }
      return source.pattern(
        .missingBundle, at: literal, text, fix: fix(of: call, name, with: literal, after: labels.before, in: source),
        isLikely: isLikely(literal, source))
    }
    guard takesText.contains(name) else { return nil }
    return source.pattern(.missingBundle, at: literal, text, isLikely: isLikely(literal, source))
  }

  /// Returns whether the package has a translation of the literal, which is not found at run time, or whether the file looks up other texts in the
  /// package and the literal has several words. A single word can be a name that is not translated.
  private static func isLikely(_ literal: StringLiteralExprSyntax, _ source: ReviewedSource) -> Bool {
    if source.file.translated.contains(source.place(of: literal)) { return true }
    return source.hasTranslations && source.mentions(".module") && Prose.words(of: literal.shownText).count > 1
  }

  /// Returns whether a text has words to translate. Values, separators, escaped characters, attributes of inflection and host names are not words.
  private static func hasWords(_ text: String) -> Bool {
    var rest = text[...]
    var plain = ""
    while let start = rest.firstRange(of: "\\u{") ?? rest.firstRange(of: "](inflect") {
      plain += rest[..<start.lowerBound]
      let end = rest[start.upperBound...].firstIndex { $0 == "}" || $0 == ")" } ?? rest.index(before: rest.endIndex)
      rest = rest[rest.index(after: end)...]
    }
    plain += rest
    // A path has no words to translate either.
    if !plain.contains(where: \.isWhitespace), plain.hasPrefix("/") || plain.hasPrefix("~/") { return false }
    // In a host name, a dot is between letters or digits; in `Loading...`, dots are at the end.
    let isHost = !plain.contains(where: \.isWhitespace) && plain.split(separator: ".").count > 1
    // Single capital letters next to values are a code, such as “L…:C…”.
    if plain.contains("…"),
      plain.split(whereSeparator: { !$0.isLetter }).allSatisfy({ $0.count == 1 && $0.isASCIICapital })
    {
      return false
    }
    return !isHost && plain.replacing("\\n", with: "").replacing("\\t", with: "").contains(where: \.isLetter)
  }

  /// Returns the call with the literal as an argument, directly or as a branch of a conditional expression.
  private static func call(around literal: StringLiteralExprSyntax) -> FunctionCallExprSyntax? {
    var next = Syntax(literal).parent
    while let node = next {
      if let argument = node.as(LabeledExprSyntax.self) {
        guard let parent = argument.parent?.parent else { return nil }
        if parent.is(TupleExprSyntax.self) {
          next = parent.parent
          continue
        }
        return parent.as(FunctionCallExprSyntax.self)
      }
      guard
        node.is(UnresolvedTernaryExprSyntax.self) || node.is(SequenceExprSyntax.self) || node.is(ExprListSyntax.self)
      else { return nil }
      next = node.parent
    }
    return nil
  }

  /// Returns whether an expression is a literal, or a conditional expression with a literal in every branch. A value in another
  /// branch may be of a type that names its bundle itself or is looked up by the caller, such as `LocalizedStringResource`. The same is true of a
  /// literal that is converted with `as`.
  private static func isLiteral(_ expression: ExprSyntax) -> Bool {
    if expression.is(StringLiteralExprSyntax.self) { return true }
    if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
      return isLiteral(only.expression)
    }
    guard let elements = expression.as(SequenceExprSyntax.self).map({ Array($0.elements) }) else { return false }
    let branches = elements.compactMap { $0.as(UnresolvedTernaryExprSyntax.self)?.thenExpression }
    guard !branches.isEmpty, branches.allSatisfy(isLiteral), let last = elements.last,
      elements.dropLast().last?.is(UnresolvedTernaryExprSyntax.self) == true
    else { return false }
    return isLiteral(last)
  }

  /// Returns the insertion of `bundle: .module` after the arguments that come before it; `nil` if the result might not compile, or might look up
  /// another text in the package.
  private static func fix(
    of call: FunctionCallExprSyntax, _ name: String, with literal: StringLiteralExprSyntax, after labels: Set<String>,
    in source: ReviewedSource
  ) -> CodeFix? {
    let argument = call.arguments.first { $0.position <= literal.position && literal.endPosition <= $0.endPosition }
    guard let argument, isLiteral(argument.expression), !literal.isCopiedToOtherModules,
      !source.ownLookups.contains(name), !source.file.isOfXcode
    else { return nil }
    let before = call.arguments.prefix { labels.contains($0.label?.text ?? "") }
    guard let last = before.last else { return nil }
    let offset = last.expression.endPositionBeforeTrailingTrivia.utf8Offset
    return CodeFix(range: offset..<offset, replacement: ", bundle: .module")
  }
}

extension Substring {
  fileprivate var isASCIICapital: Bool { utf8.allSatisfy { (0x41...0x5A).contains($0) } }
}
