import Localization
import Workspace

/// Checks that refuse options with an unknown key or language.
extension ImportCommand {
  /// Refuses a key or a language that neither the project nor the bundles have, because a misspelled `--skip` would skip nothing. Called before
  /// anything is written.
  func refuseUnknownChoices(in review: ReviewedImport, of snapshot: ProjectSnapshot) throws {
    let selectors = (take + skip).map(\.selector)
    guard !selectors.isEmpty else { return }
    let keys = Set(review.outcomes.map(\.unit.key))
    let languages = Set(review.outcomes.map(\.language)).union(snapshot.project.languages)
      .union(snapshot.catalogs.values.flatMap(\.languages))
    func isKnown(_ key: UnitKey) -> Bool {
      keys.contains(key) || snapshot.catalogs.values.contains { $0.entries[key] != nil }
    }
    for selector in selectors {
      switch selector {
      case .key(let key) where !isKnown(key):
        let whole = ExchangeIdentifier.readings(of: key.text).map(\.key).first(where: isKnown)
        throw CommandFailure.unknown(
          key.text, among: whole.map { [$0.text] } ?? keys.map(\.text).sorted(),
          message(
            "neither the project nor the bundles have the key %@; nothing was written", key.text.cutForMessage,
            comment: "An error of import: a key that --take or --skip gives."))
      case .language(let language) where LanguageMatch([languages]).find(language) == nil:
        throw CommandFailure.unknown(
          language, among: languages,
          message(
            "neither the project nor the bundles have the language %@; nothing was written", language.rawValue,
            comment: "An error of import: a language that --take or --skip gives."))
      default: break
      }
    }
  }

  /// Refuses a `--language` option for a language that no bundle has, because it would have no effect. Called before anything is written.
  /// - Parameter came: the languages of the bundles, as the bundles spell them.
  func refuseUnknownLanguages(of meanings: LanguageMeanings, besides came: Set<LocaleIdentifier>) throws {
    guard let language = meanings.unused(for: came).first else { return }
    throw CommandFailure.unknown(
      language, among: came,
      message(
        "the bundles have no language %@; nothing was written", language.rawValue,
        comment: "An error of import: a language that --language gives."))
  }
}
