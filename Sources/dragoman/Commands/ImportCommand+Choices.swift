import ArgumentParser
import Localization
import Workspace

/// Checks of the keys and languages in the options `--take`, `--skip` and `--language`, and their errors.
extension ImportCommand {
  /// Refuses a `--take` or `--skip` with a key or a language that neither the project nor the bundles have, because a misspelled name would select
  /// nothing. Called before anything is written.
  func refuseUnknownChoices(in review: ReviewedImport, of snapshot: ProjectSnapshot) throws {
    let selectors = (take + skip).map(\.selector)
    guard !selectors.isEmpty else { return }
    let keys = Set(review.outcomes.map(\.unit.key))
    let languages = Self.languages(of: snapshot).union(review.outcomes.map(\.language))
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
        throw Self.unknown(language, among: languages)
      default: break
      }
    }
  }

  private static func languages(of snapshot: ProjectSnapshot) -> Set<LocaleIdentifier> {
    snapshot.project.languages.union(snapshot.catalogs.values.flatMap(\.languages))
  }

  private static func unknown(_ language: LocaleIdentifier, among known: Set<LocaleIdentifier>) -> CommandFailure {
    CommandFailure.unknown(
      language, among: known,
      message(
        "neither the project nor the bundles have the language %@; nothing was written", language.rawValue,
        comment: "An error of import: a language that --take, --skip or --language gives."))
  }

  /// Refuses a `--language` for a language that no bundle has, because it would have no effect. Also refuses `--language A=B` if neither the project
  /// nor the bundles have B, because a misspelled name would become a new language. Called before anything is written.
  /// - Parameter came: the languages of the bundles, as the bundles spell them.
  func refuseUnknownLanguages(
    of meanings: LanguageMeanings, from came: Set<LocaleIdentifier>, in snapshot: ProjectSnapshot
  ) throws {
    if let language = meanings.unused(for: came).first {
      throw CommandFailure.unknown(
        language, among: came,
        message(
          "the bundles have no language %@; nothing was written", language.rawValue,
          comment: "An error of import: a language that --language gives."))
    }
    let known = Self.languages(of: snapshot).union(came)
    if let language = meanings.unknown(among: known).first { throw Self.unknown(language, among: known) }
  }

  /// Returns the error for a value of `--language` that is refused before anything is read.
  static func refusal(_ refusal: LanguageMeanings.Refusal, of value: String) -> ValidationError {
    switch refusal {
    case .malformed:
      ValidationError(
        message(
          "%@ is neither a language such as pt-PT nor a pair of languages such as pt-PT=pt.", value,
          comment: "Refusal of --language by import."))
    case .differentLanguages(let came, let other):
      ValidationError(
        message(
          "%1$@ and %2$@ are different languages; --language takes two names of one language, such as pt-PT=pt.",
          came.rawValue, other.rawValue, comment: "Refusal of --language by import: two languages."))
    case .contradiction(let came, let earlier, let other):
      ValidationError(
        message(
          "--language imports %1$@ as %2$@ and as %3$@; give only one of them.", came.rawValue, earlier.rawValue,
          other.rawValue, comment: "Refusal of --language by import: a language, and two answers for it."))
    }
  }
}
