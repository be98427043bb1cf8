import Localization
import SwiftSyntax

/// The pattern `String(localized: "Edit").uppercased()`, also with `lowercased()`. Without a locale, “i” becomes “I” even in Turkish, which uses “İ”.
enum CaseByHand {
  private static let texts: Set<String> = ["String", "NSLocalizedString"]

  static func find(in call: FunctionCallExprSyntax, of source: ReviewedSource) -> CodePattern? {
    guard call.arguments.isEmpty, let name = call.calledName, name == "uppercased" || name == "lowercased",
      let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base?.as(FunctionCallExprSyntax.self),
      texts.contains(base.calledName ?? ""), let literal = base.ownLiteral, source.isLocalized(literal),
      // A text with a digit is a name, such as “Socks5”.
      !literal.shownText.contains(where: \.isNumber), !isCompared(call)
    else { return nil }
    return source.pattern(.caseByHand, at: literal, literal.shownText)
  }

  /// Returns whether the result is only searched or compared, as in `lowercased().hasPrefix(…)`.
  private static func isCompared(_ call: FunctionCallExprSyntax) -> Bool {
    guard let member = call.parent?.as(MemberAccessExprSyntax.self) else { return false }
    return ["hasPrefix", "hasSuffix", "contains", "range", "firstRange"].contains(member.declName.baseName.text)
  }
}
