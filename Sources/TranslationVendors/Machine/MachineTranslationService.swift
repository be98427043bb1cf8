internal import Localization

/// A service that translates plain texts, without placeholders, plural forms or catalogs. ``MachineEngine`` adds these.
protocol MachineTranslationService: Sendable {
  /// The kind of vendor, for messages.
  static var kind: String { get }
  /// How parts that the service must not translate are marked.
  static var marking: ProtectedText.Marking { get }
  /// Texts in one request.
  var batchSize: Int { get }
  /// Characters in one request.
  var batchCharacters: Int { get }
  /// Whether a request has one comment, which counts for all its texts.
  var takesComments: Bool { get }
  /// Identifies the settings that decide which texts are refused (``TranslationEngine/fingerprint``).
  var fingerprint: String { get }

  /// The service's codes of target languages.
  func languages() async throws -> [String]

  /// The result of a cheap request, in addition to the languages; `nil` if there is none.
  func probe() async throws -> VendorProbe?

  /// Translates marked texts.
  /// - Parameters:
  ///   - comment: a text that helps to understand the texts; never translated.
  ///   - code: the service's code of the target language.
  /// - Returns: one translation for each text, in their order; `nil` for a text without one.
  /// - Throws: `VendorError` of kind `limitReached` if the account's limit is reached.
  func translate(_ texts: [String], comment: String?, from source: LocaleIdentifier, to code: String) async throws
    -> [String?]
}

extension MachineTranslationService {
  var takesComments: Bool { false }
  func probe() async throws -> VendorProbe? { nil }
}
