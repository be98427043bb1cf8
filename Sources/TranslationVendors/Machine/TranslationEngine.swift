package import Localization

/// A text for an engine, with what helps it.
package struct EngineRequest: Hashable, Sendable {
  package var unit: UnitID
  package var path: VariationPath
  package var source: String
  package var comment: String?

  package init(unit: UnitID, path: VariationPath, source: String, comment: String?) {
    self.unit = unit
    self.path = path
    self.source = source
    self.comment = comment
  }
}

/// An engine's answer to one request.
package enum EngineAnswer: Hashable, Sendable {
  case text(String)
  /// Why there is none: for people.
  case refused(String)
}

/// Something that translates texts at once: the part of an adapter that differs between engines. ``EngineVendor`` does the rest.
package protocol TranslationEngine: Sendable {
  static var kind: String { get }
  /// Texts that one call takes at most.
  var batchSize: Int { get }

  /// Translates texts, all of one language pair.
  /// - Parameter code: the engine's code of the target language.
  /// - Returns: one answer for each request, in their order.
  func translate(_ requests: [EngineRequest], from source: LocaleIdentifier, to code: String) async throws
    -> [EngineAnswer]

  /// The engine's codes of target languages.
  func languages() async throws -> [String]
}
