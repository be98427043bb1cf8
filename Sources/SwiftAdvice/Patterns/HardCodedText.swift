import Localization
import SwiftSyntax

/// The pattern `label.text = "Nothing found"`, or such a text as an argument, as in `button.setTitle("Save", for: .normal)`. The text is shown, but
/// not looked up in a catalog.
enum HardCodedText {
  /// Members of UIKit and AppKit that show a text.
  static let memberWords: [StaticString] = [
    "text", "title", "placeholder", "prompt", "subtitle", "messageText", "informativeText", "toolTip",
    "accessibilityLabel", "accessibilityHint", "placeholderString", "largeContentTitle",
  ]
  private static let members = Set(memberWords.map(\.description))
  /// Functions that show texts, each with the labels of the arguments that are shown.
  private static let calls: KeyValuePairs<StaticString, Set<String>> = [
    "setTitle": [""], "UIAlertController": ["title", "message"], "UIAlertAction": ["title"],
    "UIBarButtonItem": ["title"], "UIAction": ["title"], "UIMenu": ["title"], "UIContextualAction": ["title"],
    "UIKeyCommand": ["title"], "NSMenuItem": ["title"], "addButton": ["withTitle"], "UITabBarItem": ["title"],
    "UIApplicationShortcutItem": ["localizedTitle", "localizedSubtitle"],
  ]
  static let callWords = calls.map(\.key)
  private static let labels = Dictionary(uniqueKeysWithValues: calls.map { ($0.key.description, $0.value) })

  static func find(in assignment: Assignment, of source: ReviewedSource) -> CodePattern? {
    guard members.contains(assignment.member), let literal = assignment.value.as(StringLiteralExprSyntax.self),
      !source.isLocalized(literal), Prose.isSentence(literal.shownText), !isInSample(literal),
      !isReplaced(literal, by: assignment.member, in: source),
      !isOfDevelopers(literal.shownText),
      assignment.member != "title" || !source.mentions("titleVisibility = .hidden")
    else { return nil }
    return source.pattern(.hardCodedText, at: literal, literal.shownText, isLikely: source.hasTranslations)
  }

  /// Returns whether the words of a text show that it is not for users, as in “Debug: low memory” and “Internal Settings”.
  private static func isOfDevelopers(_ text: String) -> Bool {
    ["Debug", "Internal ", "Dev "].contains { text.hasPrefix($0) } || text.hasSuffix(" Debug")
      || text.contains("lorem ipsum")
  }

  /// Returns whether the literal is the initial text of a view in a variable's initial value, and the file sets this text again elsewhere.
  private static func isReplaced(
    _ literal: StringLiteralExprSyntax, by member: String, in source: ReviewedSource
  ) -> Bool {
    var next = Syntax(literal).parent
    while let node = next, !node.is(FunctionDeclSyntax.self), !node.is(InitializerDeclSyntax.self) {
      if let binding = node.as(PatternBindingSyntax.self), binding.initializer != nil,
        let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
      {
        let uses = ["\(name).\(member)", "\(name)?.\(member)", "\(name)!.\(member)"]
        let text = String(decoding: source.bytes, as: UTF8.self)
        if uses.contains(where: { text.contains("\($0) =") || text.contains("\($0)(") }) { return true }
      }
      next = node.parent
    }
    return false
  }

  /// Returns whether a text is in a function or variable whose name begins with `preview`, `mock` or `sample`.
  private static func isInSample(_ literal: StringLiteralExprSyntax) -> Bool {
    var next = Syntax(literal).parent
    while let node = next {
      let name =
        node.as(FunctionDeclSyntax.self)?.name.text
        ?? node.as(PatternBindingSyntax.self)?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
      if let name = name?.lowercased(), ["preview", "mock", "sample"].contains(where: name.hasPrefix) { return true }
      next = node.parent
    }
    return false
  }

  static func find(in call: FunctionCallExprSyntax, of source: ReviewedSource) -> [CodePattern] {
    guard let name = call.calledName else { return [] }
    if name == "Text", !call.isMethod { return joined(in: call, of: source) }
    guard let labels = labels[name] else { return [] }
    return call.arguments.compactMap { argument in
      guard labels.contains(argument.label?.text ?? ""),
        let literal = argument.expression.as(StringLiteralExprSyntax.self), !source.isLocalized(literal),
        !isOfDevelopers(literal.shownText), !isReplaced(literal, by: name, in: source),
        Prose.isTitle(literal.shownText) || Prose.isSentence(literal.shownText)
      else { return nil }
      return source.pattern(.hardCodedText, at: literal, literal.shownText, isLikely: source.hasTranslations)
    }
  }

  /// Finds texts joined with a value, such as `Text("Hello, " + name)`. Such a `Text` shows a `String`, which is not looked up in a catalog.
  private static func joined(in call: FunctionCallExprSyntax, of source: ReviewedSource) -> [CodePattern] {
    guard let first = call.arguments.first, first.label == nil,
      let sequence = first.expression.as(SequenceExprSyntax.self),
      sequence.elements.contains(where: { $0.as(BinaryOperatorExprSyntax.self)?.operator.text == "+" }),
      let literal = sequence.elements.lazy.compactMap({ $0.as(StringLiteralExprSyntax.self) }).first(where: {
        !source.isLocalized($0) && Prose.words(of: $0.shownText).contains { $0.contains(where: \.isLowercase) }
      })
    else { return [] }
    return [source.pattern(.hardCodedText, at: literal, literal.shownText, isLikely: source.hasTranslations)]
  }
}
