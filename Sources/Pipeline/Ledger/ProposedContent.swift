import Localization

/// What the pull request of a delivery branch proposed when its text was written last. If a person closes it, a part of that is nothing new.
package struct ProposedContent: Hashable, Sendable {
  /// The text in the pull request's body that identifies the whole content.
  package var mark: String
  /// Digests of its parts: translations, and lines that sync changes in catalogs.
  package var parts: Set<String>

  package init(mark: String, parts: Set<String>) {
    self.mark = mark
    self.parts = parts
  }
}

extension ProposedContent {
  /// What identifies a delivered translation.
  static func name(of delivered: ReturnedUnit) -> String {
    name(of: delivered.unit, delivered.language, delivered.outcome?.translation ?? "")
  }

  /// - Parameter digest: of the translation.
  static func name(of unit: UnitID, _ language: LocaleIdentifier, _ digest: String) -> String {
    [unit.catalog.text, unit.key.text, language.rawValue, digest].joined(separator: "\u{0}")
  }

  /// The digest of a translation among the parts.
  /// - Parameter name: of the translation.
  static func part(_ name: String) -> String { ContentDigest.hexadecimal(of: Array(name.utf8), bytes: 8) }
}
