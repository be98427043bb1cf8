internal import Localization

/// A service that translates marked texts. ``MachineEngine`` handles placeholders, plural forms and the sizes of requests.
protocol MachineTranslationService: Sendable {
  /// The vendor's kind, for messages.
  static var kind: String { get }
  /// The marks for parts that the service must not translate.
  static var marking: ProtectedText.Marking { get }
  /// The maximum number of texts in one request.
  var batchSize: Int { get }
  /// The maximum number of characters in one request.
  var batchCharacters: Int { get }
  /// Whether a request can have a comment. The comment applies to all texts of the request.
  var takesComments: Bool { get }
  /// An identifier of the settings that affect which texts are refused (``TranslationEngine/fingerprint``).
  var fingerprint: String { get }

  /// Returns the service's codes of target languages.
  func languages() async throws -> [String]

  /// Checks the credentials with a cheap request, and returns the result; `nil` if the request for the languages already checks the credentials.
  func probe() async throws -> VendorProbe?

  /// Translates marked texts.
  /// - Parameters:
  ///   - comment: an explanation of the texts, which is not translated.
  ///   - code: the service's code of the target language.
  /// - Returns: one element for each text, in the order of the texts: the translation, or `nil` if there is none.
  /// - Throws: `VendorError` of kind `limitReached` if the account's limit is reached.
  func translate(_ texts: [String], comment: String?, from source: LocaleIdentifier, to code: String) async throws
    -> [String?]
}

extension MachineTranslationService {
  var takesComments: Bool { false }
  func probe() async throws -> VendorProbe? { nil }
}
