extension GroupReview {
  /// The maximum number of characters of a text in the message about duplicates.
  private static let shownCharacters = 60

  /// Names two targets of the same id: `“Gut” and “Okay”`. Equal texts are named with their states.
  static func names(_ one: ExchangeTarget, _ other: ExchangeTarget) -> String {
    func shown(_ target: ExchangeTarget) -> String {
      let text = target.text.summary
      let short = text.count > shownCharacters ? text.prefix(shownCharacters - 1) + "…" : text[...]
      return one.text == other.text ? "“\(short)” (\(target.state ?? "no state"))" : "“\(short)”"
    }
    return "\(shown(one)) and \(shown(other))"
  }
}
