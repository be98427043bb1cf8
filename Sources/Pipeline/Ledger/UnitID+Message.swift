import Localization

extension UnitID {
  /// The unit as shown in messages: `“Feed” of App/Localizable.xcstrings`. Long keys are truncated.
  var shown: String { "“\(key.text.prefix(80))” of \(catalog)".withVisibleControls }
}
