import Localization
import SwiftSyntax

/// The pattern `String(format: "You have %d messages", n)`. The text is not looked up in a catalog.
enum FormattedText {
  static func find(in call: FunctionCallExprSyntax, of source: ReviewedSource) -> CodePattern? {
    guard let literal = format(of: call), !literal.hasInterpolation, !source.isLocalized(literal),
      Prose.isSentence(literal.shownText), !DeveloperText.contains(call), mayBeShown(source)
    else { return nil }
    return source.pattern(.formattedText, at: literal, literal.shownText, isLikely: source.hasTranslations)
  }

  /// Returns whether the file imports a UI framework. In other files, most formatted texts are for logs and protocols.
  private static func mayBeShown(_ source: ReviewedSource) -> Bool {
    source.mentions("import SwiftUI") || source.mentions("import UIKit") || source.mentions("import AppKit")
      || source.mentions("import Cocoa") || source.mentions("import WidgetKit") || source.mentions("import WatchKit")
  }

  /// Returns the literal of `String(format:)` or `NSString(format:)`, or of `String.localizedStringWithFormat`, which does not look up its format.
  static func format(of call: FunctionCallExprSyntax) -> StringLiteralExprSyntax? {
    guard let first = call.arguments.first else { return nil }
    let isFormat =
      switch call.calledName {
      case "String", "NSString": first.label?.text == "format"
      case "localizedStringWithFormat": first.label == nil
      default: false
      }
    return isFormat ? first.expression.as(StringLiteralExprSyntax.self) : nil
  }
}

/// The pattern `Text(String(format: "%.2f", price))`. Other regions use another decimal separator.
enum FixedNumberFormat {
  static func find(in call: FunctionCallExprSyntax, of source: ReviewedSource) -> CodePattern? {
    guard call.calledName == "String", let literal = FormattedText.format(of: call), !literal.hasInterpolation,
      call.argument("locale") == nil, hasDecimalFraction(literal.shownText), isShown(call, of: source)
    else { return nil }
    return source.pattern(.fixedNumberFormat, at: literal, literal.shownText)
  }

  /// Returns whether a format has a specifier such as `%.2f` or `%f`.
  private static func hasDecimalFraction(_ format: String) -> Bool {
    var rest = Substring(format)
    while let start = rest.firstIndex(of: "%") {
      rest = rest[rest.index(after: start)...]
      let specifier = rest.prefix { !$0.isLetter && $0 != "%" && $0 != "@" && $0 != " " }
      rest = rest[specifier.endIndex...]
      // Coordinates have four or more decimals, and are written in the same way everywhere.
      let isFine = specifier.drop { $0 != "." }.dropFirst().first.map { "456789".contains($0) } ?? false
      if rest.first == "f" && !specifier.contains(".0") && !isFine { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Returns whether the result is shown unchanged: as the argument of a `Text` or `Label`, or in a localized text.
  private static func isShown(_ call: FunctionCallExprSyntax, of source: ReviewedSource) -> Bool {
    guard let argument = call.parent?.as(LabeledExprSyntax.self) else { return false }
    guard let parent = argument.parent?.parent else { return false }
    if let outer = parent.as(FunctionCallExprSyntax.self) {
      return ["Text", "Label"].contains(outer.calledName ?? "") && outer.arguments.first == argument
    }
    guard let segment = parent.as(ExpressionSegmentSyntax.self),
      let literal = segment.parent?.parent?.as(StringLiteralExprSyntax.self)
    else { return false }
    return source.isLocalized(literal)
  }
}
