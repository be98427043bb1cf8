package import Localization

/// A translation platform that keeps strings by key. A type that conforms to this protocol contains the code that differs between vendors.
/// ``PlatformVendor`` contains the common code.
///
/// All calls may be repeated. Methods send as many requests as they need, in batches of the vendor's size, and check for cancellation between
/// requests.
///
/// If a platform refuses a whole request because of one string, `add`, `change` and `seed` throw the platform's error, and
/// ``PlatformVendor`` finds the string. If the platform accepts the other strings, the methods throw `StringsRefused` at the end.
package protocol TranslationPlatform: Sendable {
  /// The kind of the vendor, for messages.
  static var kind: String { get }
  /// Whether all plural forms of a text are in one string. Otherwise each form is a separate string.
  static var keepsPlurals: Bool { get }

  /// Whether ``open(_:for:)`` adds a language that ``languages()`` does not show.
  static var addsLanguages: Bool { get }

  /// The maximum length of comments at the platform, in UTF-16 code units; `nil` if there is no limit. A longer comment is cut before it is
  /// sent and compared.
  static var commentLimit: Int? { get }

  /// Whether the platform's length limits count the characters of placeholders.
  static var countsPlaceholders: Bool { get }

  /// Whether the platform accepts a request for languages only if the token is valid.
  static var checksTokens: Bool { get }

  /// Returns the platform's codes of the target languages to which the token gives access.
  func languages() async throws -> [String]

  /// Returns the platform's code of the source language; `nil` if the platform has no source language, or has none before the first strings
  /// are added.
  func sourceLanguage() async throws -> String?

  /// Returns the existing parts of the platform that contain the source texts of these catalogs. Platforms with a source language for each
  /// catalog implement this method. By default, the only part is the project, with the language of ``sourceLanguage()``.
  func sources(of catalogs: Set<TreePath>) async throws -> [PlatformSource]

  /// Returns sentences, for messages, about the languages in which the platform accepts source texts.
  func sourceFacts() async throws -> [String]

  /// Returns the strings that the platform has under these names. Names that the platform does not have are missing from the result.
  func strings(_ ids: Set<PlatformID>) async throws -> [PlatformID: StoredString]

  /// Adds strings that the platform does not have.
  func add(_ strings: [PlatformString]) async throws

  /// Sets source text, comment and length limit of existing strings, and shows archived strings again. If the source text does not change, the
  /// translations are kept. If it changes, the platform marks or removes the translations in its own way.
  func change(_ strings: [PlatformString]) async throws

  /// Ensures that people can translate these catalogs into a language. This method is called after the strings of the catalogs were added. On
  /// platforms whose projects have the same languages for all strings, this method does nothing.
  /// - Parameter code: the platform's code of the language.
  func open(_ code: String, for catalogs: Set<TreePath>) async throws

  /// Whether ``attach(_:)`` uploads screenshots.
  static var takesScreenshots: Bool { get }

  /// Uploads screenshots and connects them with existing strings. A screenshot that the platform already has under its title is not uploaded
  /// again.
  /// - Returns: a message for each screenshot that the platform refused permanently. The strings are sent without these screenshots.
  func attach(_ screenshots: [PlatformScreenshot]) async throws -> [String]

  /// Whether ``enter(_:from:code:)`` stores terms.
  static var takesGlossary: Bool { get }

  /// Adds terms and translations that the platform's glossary does not have, and updates translations that we entered before
  /// (``PlatformTerm/step(over:)``). This method never deletes or replaces terms and translations that people entered.
  /// - Parameter code: the platform's code of the target language.
  /// - Returns: the terms for which somebody else entered another translation, with that translation.
  func enter(_ terms: [PlatformTerm], from source: LocaleIdentifier, code: String) async throws -> [String: String]

  /// Adds missing translations as finished translations. This method replaces an existing translation only if ``PlatformTranslation/mayReplace(_:)``
  /// returns true.
  /// - Parameter code: the platform's code of the language.
  func seed(_ translations: [PlatformTranslation], code: String) async throws

  /// Whether ``seed(_:code:)`` can replace translations. If not, a source text that changed back is not restored at the platform if a translation
  /// would also have to be replaced.
  static var replacesTranslations: Bool { get }

  /// Returns the translations of these strings. Strings without a translation are left out.
  func translations(_ ids: Set<PlatformID>, code: String) async throws -> [PlatformTranslation]

  /// Returns the people who made these translations, by string. Unknown people are left out. This method is called only for accepted translations,
  /// and only if the pipeline names translators.
  /// - Parameter code: the platform's code of the language.
  func translators(of translations: [PlatformTranslation], code: String) async throws -> [PlatformID: Translator]

  /// Hides strings that no watched branch needs any more. If the platform cannot hide strings, they are tagged, or removed if the platform can
  /// restore them with their translations.
  func archive(_ ids: Set<PlatformID>) async throws

  /// Deletes strings. This method is called only if the option `removed` in the pipeline file is `delete`.
  func delete(_ ids: Set<PlatformID>) async throws
}

extension TranslationPlatform {
  package func sourceLanguage() async throws -> String? { nil }

  package func sources(of catalogs: Set<TreePath>) async throws -> [PlatformSource] {
    try await sourceLanguage().map { [PlatformSource(owner: "the project", code: $0, step: "Use a project for")] } ?? []
  }

  package func sourceFacts() async throws -> [String] {
    try await sourceLanguage().map { ["Source texts are in \($0)."] } ?? []
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

/// A part of a platform that has its own source language, such as a project.
package struct PlatformSource: Sendable {
  /// The name of the part in messages: `the project`.
  var owner: String
  /// The platform's code of the language.
  var code: String
  /// The advice for a wrong source language. The correct language is appended to the advice.
  var step: String
}
