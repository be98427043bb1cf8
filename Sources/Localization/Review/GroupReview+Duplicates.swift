extension GroupReview {
  /// The maximum number of characters of a text that the message about duplicates shows.
  private static let shownCharacters = 60

  /// Returns the texts of two targets with the same id: `“Gut” and “Okay”`. Equal texts are shown with their states.
  static func names(_ one: ExchangeTarget, _ other: ExchangeTarget) -> String {
    func shown(_ target: ExchangeTarget) -> String {
      let text = target.text.summary
      let short = text.count > shownCharacters ? text.prefix(shownCharacters - 1) + "…" : text[...]
      return one.text == other.text ? "“\(short)” (\(target.state ?? "no state"))" : "“\(short)”"
    }
    return "\(shown(one)) and \(shown(other))"
  }
}
