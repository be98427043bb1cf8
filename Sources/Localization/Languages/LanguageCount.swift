/// Collects the languages of a catalog. Most entries have the same languages in the same order, so most languages are found without hashing.
package struct LanguageCount {
  private var order: [LocaleIdentifier] = []
  private var known: Set<LocaleIdentifier> = []
  private var position = 0

  package init() {}

  package var count: Int { order.count }

  package var languages: Set<LocaleIdentifier> { known }

  package mutating func beginEntry() { position = 0 }

  /// The most probable next language; `nil` at the end of the known order. If the guess is right, the caller calls `stepOver`, which needs no lookup.
  package var expected: LocaleIdentifier? { position < order.count ? order[position] : nil }

  package mutating func stepOver() { position += 1 }

  /// Adds a language of the current entry.
  /// - Returns: whether the language was not seen before.
  @discardableResult
  package mutating func insert(_ language: LocaleIdentifier) -> Bool {
    if language == expected {
      stepOver()
      return false
    }
    if known.insert(language).inserted {
      order.append(language)
      position = order.count
      return true
    }
    // If an entry lacks some languages, the search continues after the language that was found.
    if let next = order[min(position, order.count)...].prefix(8).firstIndex(of: language) { position = next + 1 }
    return false
  }
}
