@_spi(RawSyntax) import SwiftSyntax

/// The facts about a macro that can be determined without running it. They are stored as attributes, so they are part of a declaration's interface.
package enum MacroImplementation {
  /// The mark of an `ExpressionMacro` that generates one of Apple's localizing calls around an argument.
  package static let localizing = AttributeFact(type: .named("_localizingExpansion", []), arguments: nil)

  /// Returns the attribute for the definition of a macro as `#externalMacro(module: "M", type: "T")`; empty for any other definition.
  package static func attributes(ofDefinition definition: Expression?) -> [AttributeFact] {
    guard case .macro("externalMacro", let arguments)? = definition, let module = arguments.plainText("module"),
      let type = arguments.plainText("type")
    else { return [] }
    return [AttributeFact(type: .named("externalMacro", [.named(module, []), .named(type, [])]), arguments: nil)]
  }

  static func attributes(of node: RawNode, inherited: [TypeFact]) -> [AttributeFact] {
    let isExpression = inherited.contains { fact in
      switch fact {
      case .named("ExpressionMacro", _), .member(_, "ExpressionMacro", _): true
      default: false
      }
    }
    return isExpression && writesLocalizingCall(node) ? [localizing] : []
  }

  /// Returns whether a literal in the macro's implementation generates a localizing call whose key is an interpolation: `"String(localized:
  /// \(key))"`.
  private static func writesLocalizingCall(_ node: RawNode) -> Bool {
    if node.kind == .stringLiteralSegmentList {
      let segments = Array(node.elements)
      for (segment, next) in zip(segments, segments.dropFirst()) {
        guard segment.kind == .stringSegment, next.kind == .expressionSegment, let text = segment[StringSegment.content]
        else {
          continue
        }
        let written = String(decoding: text.bytes, as: UTF8.self)
        if calls.contains(where: { written.hasSuffix($0) }) { return true }
      }
    }
    for element in node.elements where !element.raw.isToken {
      if writesLocalizingCall(element) { return true }
    }
    return false
  }

  private static let calls = [
    "String(localized: ", "AttributedString(localized: ", "NSLocalizedString(", "LocalizedStringResource(",
    "LocalizedStringKey(", "String.LocalizationValue(", "Text(",
  ]
}

extension [Argument] {
  fileprivate func plainText(_ label: String) -> String? {
    guard case .string(let literal)? = first(where: { $0.label == label })?.value else { return nil }
    return literal.plainText
  }
}
