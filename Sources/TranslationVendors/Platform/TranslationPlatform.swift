package import Localization

/// A translation platform that keeps strings by key: the part of an adapter that differs between vendors. ``PlatformVendor`` does the rest.
///
/// All calls may be repeated. Methods send as many requests as they need, in batches of the vendor's size, and check for cancellation
/// between them. None holds more than one page of answers beside its result.
///
/// If a platform refuses a whole request because of one string, `add`, `change` and `seed` throw its error, and ``PlatformVendor`` finds
/// the string. If it accepts the other strings, they throw `StringsRefused` at the end.
package protocol TranslationPlatform: Sendable {
  /// The kind, for messages.
  static var kind: String { get }
  /// Whether all plural forms are in one string. Otherwise each form is a separate string.
  static var keepsPlurals: Bool { get }

  /// Whether ``open(_:for:)`` adds a language that ``languages()`` does not show.
  static var addsLanguages: Bool { get }

  /// How much of a comment the platform keeps, in UTF-16 units; `nil` without a limit. A longer one is cut before it is sent and compared.
  static var commentLimit: Int? { get }

  /// Whether the platform's length limits include placeholders as they are written.
  static var countsPlaceholders: Bool { get }

  /// Whether the platform answers a request for languages only if the token is valid.
  static var checksTokens: Bool { get }

  /// The platform's codes of those target languages that the token may see.
  func languages() async throws -> [String]

  /// The platform's code of the language that it takes source texts for; `nil` if it has none, or none until strings are there.
  func sourceLanguage() async throws -> String?

  /// The parts of the platform to which the source texts of these catalogs go, as far as they exist. Platforms with a source language for
  /// each catalog implement it; the default is the project (``sourceLanguage()``).
  func sources(of catalogs: Set<TreePath>) async throws -> [PlatformSource]

  /// Sentences that say in which languages the platform accepts source texts, for messages.
  func sourceFacts() async throws -> [String]

  /// Returns the strings that the platform has under these names. Names that it does not have are missing from the result.
  func strings(_ ids: Set<PlatformID>) async throws -> [PlatformID: StoredString]

  /// Adds strings that the platform does not have.
  func add(_ strings: [PlatformString]) async throws

  /// Changes source text, comment, length limit and archived state to these; translations stay, marked as the platform marks stale ones.
  func change(_ strings: [PlatformString]) async throws

  /// Ensures that people can translate these catalogs into a language. Called once their strings exist. Platforms whose projects have the
  /// same languages for all strings need not do anything.
  /// - Parameter code: the platform's code of the language.
  func open(_ code: String, for catalogs: Set<TreePath>) async throws

  /// Whether ``attach(_:)`` uploads pictures.
  static var takesScreenshots: Bool { get }

  /// Uploads pictures and connects them with strings that are there. A picture that the platform has under its title is not uploaded again.
  /// - Returns: the pictures that the platform refused permanently, with its reasons; the strings are sent without them.
  func attach(_ screenshots: [PlatformScreenshot]) async throws -> [String]

  /// Whether ``enter(_:from:code:)`` keeps terms.
  static var takesGlossary: Bool { get }

  /// Adds terms that the platform's glossary does not have, and translations that are missing or that we entered before
  /// (``PlatformTerm/step(over:)``). It never deletes or replaces what people entered.
  /// - Parameter code: the platform's code of the target language.
  /// - Returns: the terms whose translation was entered by somebody else, with that translation.
  func enter(_ terms: [PlatformTerm], from source: LocaleIdentifier, code: String) async throws -> [String: String]

  /// Adds missing translations, as finished ones. It replaces an existing one only if ``PlatformTranslation/mayReplace(_:)`` says so.
  /// - Parameter code: the platform's code of the language.
  func seed(_ translations: [PlatformTranslation], code: String) async throws

  /// Whether ``seed(_:code:)`` can replace translations. A source text is not set back where its translation cannot be.
  static var replacesTranslations: Bool { get }

  /// The translations of these strings, those without one left out.
  func translations(_ ids: Set<PlatformID>, code: String) async throws -> [PlatformTranslation]

  /// Who made these translations, by string; unknown ones are left out. Called only for translations that are taken,
  /// if the pipeline names translators.
  /// - Parameter code: the platform's code of the language.
  func translators(of translations: [PlatformTranslation], code: String) async throws -> [PlatformID: Translator]

  /// Hides strings that no branch has any more, or tags them if the platform cannot hide strings.
  func archive(_ ids: Set<PlatformID>) async throws

  /// Deletes strings, if the pipeline file says so.
  func delete(_ ids: Set<PlatformID>) async throws
}

extension TranslationPlatform {
  package func sourceLanguage() async throws -> String? { nil }

  package func sources(of catalogs: Set<TreePath>) async throws -> [PlatformSource] {
    try await sourceLanguage().map { [PlatformSource(owner: "the project", code: $0, step: "Use a project for")] } ?? []
  }

  package func sourceFacts() async throws -> [String] {
    try await sourceLanguage().map { ["Source texts are in \($0) there."] } ?? []
  }

  package static var checksTokens: Bool { true }
  package static var addsLanguages: Bool { false }
  package static var replacesTranslations: Bool { true }
  package static var commentLimit: Int? { nil }
  package static var countsPlaceholders: Bool { true }

  package func translators(
    of translations: [PlatformTranslation], code: String
  ) async throws -> [PlatformID: Translator] {
    Dictionary(translations.compactMap { found in found.translator.map { (found.id, $0) } }) { first, _ in first }
  }

  package static var takesScreenshots: Bool { false }

  package func attach(_ screenshots: [PlatformScreenshot]) async throws -> [String] { [] }

  package static var takesGlossary: Bool { false }

  package func enter(
    _ terms: [PlatformTerm], from source: LocaleIdentifier, code: String
  ) async throws -> [String: String] { [:] }

  package func open(_ code: String, for catalogs: Set<TreePath>) async throws {}
}

/// A part of a platform that has one source language.
package struct PlatformSource: Sendable {
  /// As messages name it: `the project`.
  var owner: String
  /// The platform's code of the language.
  var code: String
  /// Advice for a different source language, which is appended.
  var step: String
}
