import Localization

extension UnitID {
  /// The unit in a message: `“Feed” of App/Localizable.xcstrings`, with a long key cut off.
  var shown: String { "“\(key.text.prefix(80))” of \(catalog)".withVisibleControls }
}
