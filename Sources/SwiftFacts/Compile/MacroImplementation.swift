@_spi(RawSyntax) import SwiftSyntax

/// What code says of a macro without running it, kept as attributes so that it belongs to a declaration's interface.
package enum MacroImplementation {
  /// Stands on an `ExpressionMacro` whose code writes a localizing call of Apple's around an argument.
  package static let localizing = AttributeFact(type: .named("_localizingExpansion", []), arguments: nil)

  /// The definition `#externalMacro(module: "M", type: "T")` of a macro.
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

  /// Whether generated source has an interpolation where a localizing call has its key: `"String(localized: \(key))"`.
  private static func writesLocalizingCall(_ node: RawNode) -> Bool {
    if node.kind == .stringLiteralSegmentList {
      let segments = Array(node.elements)
      for (segment, next) in zip(segments, segments.dropFirst()) {
        guard segment.kind == .stringSegment, next.kind == .expressionSegment, let text = segment.child(0) else {
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
