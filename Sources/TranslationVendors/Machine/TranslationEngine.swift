package import Localization

/// A text for an engine, with its context.
package struct EngineRequest: Hashable, Sendable {
  package var unit: UnitID
  package var path: VariationPath
  package var source: String
  package var comment: String?
  package var context: EngineContext

  package init(
    unit: UnitID, path: VariationPath, source: String, comment: String?, context: EngineContext = EngineContext()
  ) {
    self.unit = unit
    self.path = path
    self.source = source
    self.comment = comment
    self.context = context
  }
}

/// An engine's answer to one request.
package enum EngineAnswer: Hashable, Sendable {
  case text(String)
  /// There is no translation, for this reason. The same text is not sent again with the same settings.
  case refused(String)
  /// There is no translation yet, for this reason. The next pull sends the text again.
  case postponed(String)
  /// There is no translation yet, because the engine translated none of the texts. The cause may be the engine or the texts. A text that gets
  /// such an answer in `EngineRefusals.mostSilences` consecutive pulls is refused.
  case silent(String)
}

/// An engine that translates texts as soon as they are requested. A type that conforms to this protocol contains the code that differs between
/// engines; ``EngineVendor`` contains the common code.
package protocol TranslationEngine: Sendable {
  static var kind: String { get }
  /// The maximum number of texts in one call.
  var batchSize: Int { get }
  /// An identifier of the settings that affect which texts the engine refuses. When the identifier changes, refused texts are sent again.
  var fingerprint: String { get }

  /// Translates texts that all have the same language pair and round.
  /// - Parameters:
  ///   - code: the engine's code of the target language.
  ///   - keep: writes answers to disk, each with the index of its request. This closure is called after each request to the engine, before the next
  ///     request is sent. Therefore no answer is paid for twice if the process exits. Each request gets one answer.
  func translate(
    _ requests: [EngineRequest], from source: LocaleIdentifier, to code: String,
    keep: ([Int: EngineAnswer]) throws -> Void
  ) async throws

  /// Returns the engine's codes of target languages. An empty list means that the engine accepts any language.
  func languages() async throws -> [String]

  /// Checks the address, token and settings with a cheap request, but not the languages, and returns the result; `nil` if the request for the
  /// languages already checks address, token and settings.
  func probe() async throws -> VendorProbe?
}

extension TranslationEngine {
  package var fingerprint: String { "" }
  package func probe() async throws -> VendorProbe? { nil }
}
