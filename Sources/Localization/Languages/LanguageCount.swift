/// Counts the languages of a catalog. Most entries have the same languages in the same order, so most lookups need no hashing.
package struct LanguageCount {
  private var order: [LocaleIdentifier] = []
  private var known: Set<LocaleIdentifier> = []
  private var position = 0

  package init() {}

  package var count: Int { order.count }

  package var languages: Set<LocaleIdentifier> { known }

  package mutating func beginEntry() { position = 0 }

  /// The most probable next language. If the guess is right, `stepOver` accepts it without a lookup.
  package var expected: LocaleIdentifier? { position < order.count ? order[position] : nil }

  package mutating func stepOver() { position += 1 }

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
    // An entry that lacks some languages continues with the next of them.
    if let next = order[min(position, order.count)...].prefix(8).firstIndex(of: language) { position = next + 1 }
    return false
  }
}
