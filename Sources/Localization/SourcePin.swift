/// What a translation was made for: all source forms of a text unit and the types of their placeholders. The comment is no part of it
/// (architecture.md, decision 5), nor is any state.
package struct SourcePin: Hashable, Sendable, Codable {
  /// A text that is equal exactly when the pins are; callers digest it where they need something short.
  package let canonical: String

  package init(canonical: String) { self.canonical = canonical }

  package init(key: UnitKey, entry: CatalogEntry, sourceLanguage: LocaleIdentifier) {
    canonical = key.text
  }
}
