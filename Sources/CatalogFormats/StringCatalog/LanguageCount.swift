internal import Localization
internal import StructuredText

/// Counts the languages of a catalog. Most entries have the same languages in the same order, so most are found without hashing.
struct LanguageCount {
  private var order: [LocaleIdentifier] = []
  private var known: Set<LocaleIdentifier> = []
  private var position = 0

  var count: Int { order.count }

  mutating func beginEntry() { position = 0 }

  /// - Parameter key: the key of a localization.
  /// - Returns: the language, where it was not seen before.
  mutating func insert(_ key: JSONNode, of document: JSONDocument) -> LocaleIdentifier? {
    if position < order.count, document.string(key, isExactly: order[position].rawValue) {
      position += 1
      return nil
    }
    let language = LocaleIdentifier(document.string(key))
    if known.insert(language).inserted {
      order.append(language)
      position = order.count
      return language
    }
    // An entry that lacks some languages goes on with the next of them.
    if let next = order[min(position, order.count)...].prefix(8).firstIndex(of: language) { position = next + 1 }
    return nil
  }
}
