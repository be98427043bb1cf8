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
  /// The reason for people why there is no translation. The same text is not sent again.
  case refused(String)
  /// The reason for people why there is no translation yet. The next pull tries again.
  case postponed(String)
  /// As `postponed`, but the engine gave no translation to any text: either it or the texts are at fault. A text that gets such an answer
  /// in `EngineRefusals.mostSilences` pulls in a row is refused.
  case silent(String)
}

/// Translates texts immediately. This is the part of an adapter that differs between engines; ``EngineVendor`` has the rest.
package protocol TranslationEngine: Sendable {
  static var kind: String { get }
  /// The maximum number of texts in one call.
  var batchSize: Int { get }
  /// Identifies the settings that decide which texts the engine refuses. A refused text is sent again after they changed.
  var fingerprint: String { get }

  /// Translates texts, all of one language pair and of one round.
  /// - Parameters:
  ///   - code: the engine's code of the target language.
  ///   - keep: writes answers to disk, each with the index of its request. It is called after each request to the engine, before the next
  ///     one, so that a killed process pays for nothing twice. Each request gets one answer.
  func translate(
    _ requests: [EngineRequest], from source: LocaleIdentifier, to code: String,
    keep: ([Int: EngineAnswer]) throws -> Void
  ) async throws

  /// The engine's codes of target languages. An empty list means that the engine takes any language.
  func languages() async throws -> [String]

  /// A cheap check of address, token and settings, without languages; `nil` if asking for the languages checks them.
  func probe() async throws -> VendorProbe?
}

extension TranslationEngine {
  package var fingerprint: String { "" }
  package func probe() async throws -> VendorProbe? { nil }
}
