import Localization
import SwiftSyntax

/// `String(localized: "Edit").uppercased()`: without a locale, “i” becomes “I” also in Turkish, where it is “İ”.
enum CaseByHand {
  private static let texts: Set<String> = ["String", "NSLocalizedString"]

  static func find(in call: FunctionCallExprSyntax, of source: ReviewedSource) -> CodePattern? {
    guard call.arguments.isEmpty, let name = call.calledName, name == "uppercased" || name == "lowercased",
      let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base?.as(FunctionCallExprSyntax.self),
      texts.contains(base.calledName ?? ""), let literal = base.ownLiteral, source.isLocalized(literal),
      // A name, such as “Socks5”.
      !literal.shownText.contains(where: \.isNumber), !isCompared(call)
    else { return nil }
    return source.pattern(.caseByHand, at: literal, literal.shownText)
  }

  /// Returns whether the result is only searched, as in `lowercased().hasPrefix(…)`.
  private static func isCompared(_ call: FunctionCallExprSyntax) -> Bool {
    guard let member = call.parent?.as(MemberAccessExprSyntax.self) else { return false }
    return ["hasPrefix", "hasSuffix", "contains", "range", "firstRange"].contains(member.declName.baseName.text)
  }
}
