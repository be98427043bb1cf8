internal import Localization

/// Counts the languages of a catalog. Most entries have the same languages in the same order, so most are found without hashing.
struct LanguageCount {
  private var order: [LocaleIdentifier] = []
  private var known: Set<LocaleIdentifier> = []
  private var position = 0

  var count: Int { order.count }

  mutating func beginEntry() { position = 0 }

  /// - Returns: whether the language was not seen before.
  mutating func insert(_ language: LocaleIdentifier) -> Bool {
    if position < order.count, order[position] == language {
      position += 1
      return false
    }
    if known.insert(language).inserted {
      order.append(language)
      position = order.count
      return true
    }
    // An entry that lacks some languages goes on with the next of them.
    if let next = order[min(position, order.count)...].prefix(8).firstIndex(of: language) { position = next + 1 }
    return false
  }
}
