/// Checks of returned translations. In a round, a translation is held if `fault` returns a message; `dragoman import` only warns. A message from
/// `loss` is only reported.
extension MarkupCheck {
  /// Returns a message about broken markup, which people would see: a mark or tag without its counterpart, attributes that cannot be parsed, or a
  /// link whose text and target are no longer connected. `nil` if there is none.
  package static func fault(of translation: String, against source: String) -> String? {
    if let error = findings(of: translation, against: source).first(where: { $0.severity == .error }) {
      return error.message
    }
    return brokenLink(in: translation, against: source) ?? TagCheck.broken(in: translation, against: source)
  }

  /// Returns a message about broken markup; `nil` if there is none. Phrases of string sets have no markup.
  static func fault(of translation: ExchangeText, against source: ExchangeText) -> String? {
    guard case (.text(let text), .text(let original)) = (translation, source) else { return nil }
    return fault(of: text, against: original)
  }

  /// Returns a message about a link, address or tag that the translation lost, added or changed without breaking it; `nil` if there is none.
  package static func loss(of translation: String, against source: String) -> String? {
    linkLoss(of: translation, against: source) ?? TagCheck.fault(of: translation, against: source)
      ?? AddressCheck.change(of: translation, against: source)
  }

  private static func linkLoss(of translation: String, against source: String) -> String? {
    guard MarkupText.mayHaveMarks(source) else { return nil }
    let (original, given) = (MarkupText(source), MarkupText(translation))
    let changed = original.links.isEmpty ? [] : links(given, original, at: .root)
    return changed.first { $0.severity != .note }?.message
  }

  /// Returns a message about a link of the source text whose target is plain text in the translation: `[Terms] (https://example.com)`. `nil` if there
  /// is none.
  private static func brokenLink(in translation: String, against source: String) -> String? {
    guard MarkupText.mayHaveMarks(source), translation.contains("(") else { return nil }
    let (original, given) = (MarkupText(source), MarkupText(translation))
    guard given.links.count < original.links.count else { return nil }
    let found = Set(given.links.map(\.target))
    return original.links.first { !found.contains($0.target) && translation.contains("(\($0.target)") }.map {
      "the link to \($0.target) is broken"
    }
  }
}
