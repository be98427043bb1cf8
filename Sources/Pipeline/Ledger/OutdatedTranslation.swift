package import Localization

/// A translation on a watched branch that was made for another source text of its unit. Usually, the source text changed, but the translation
/// did not. Xcode marks such translations for review when the source text is changed in its editor. A text editor does not mark them, and
/// `.strings` files have no states.
package struct OutdatedTranslation: Hashable, Sendable {
  /// The unit, with the name that its catalog had when the translation became outdated.
  package var unit: UnitID
  /// The digest of the current source pin.
  package var pin: PinDigest
  /// The digest of the source pin for which the translation was made. If the entry gets this pin back, the translation is valid again.
  package var origin: PinDigest
  package var language: LocaleIdentifier
  /// The digest of the translation. A different translation of the unit is not outdated.
  package var translation: String

  package init(
    unit: UnitID, pin: PinDigest, origin: PinDigest, language: LocaleIdentifier, translation: String
  ) {
    self.unit = unit
    self.pin = pin
    self.origin = origin
    self.language = language
    self.translation = translation
  }
}
