import CatalogFormats
import Localization
import Testing

/// Tests of translations that the format cannot express, and of localizations that cannot be changed.
extension StringCatalogWriteTests {
  static let unit = VariedText.text(StringUnit(state: .translated, value: "x"))

  @Test(
    "translations that Xcode does not compile or would lose are refused, with their key and language",
    arguments: [
      Translation(text: .plural([.other: .plural([.other: unit])])),
      Translation(text: .plural([.other: .device([.other: unit])])),
      Translation(text: .device([.other: .plural([.other: unit])])), Translation(text: .plural([:])),
      Translation(
        text: .plural([.other: unit]),
        substitutions: ["a": Substitution(argumentNumber: 1, formatSpecifier: "d", forms: .plural([.other: unit]))]),
      Translation(text: unit, substitutions: ["a": Substitution(argumentNumber: 1, formatSpecifier: "d", forms: unit)]),
      Translation(text: .device([.other: .phrases(PhraseSet(state: .new, values: ["a"]))])),
    ])
  func refusals(translation: Translation) throws {
    for key in ["Bird", "Cat", "Unknown"] as [UnitKey] {
      let fault = try #require(throws: InputFault.self) {
        try Self.edit(Self.base) { $0.entries[key, default: CatalogEntry()].translations["de"] = translation }
      }
      #expect(fault.diagnostics.first?.message.contains("cannot write the key \"\(key)\" in 'de'") == true)
    }
    #expect(throws: InputFault.self) {
      try Self.format.write(
        Catalog(path: Self.path, sourceLanguage: "en", entries: ["a": CatalogEntry(translations: ["de": translation])]),
        over: nil)
    }
  }

  @Test(
    "a language with overlapping or unknown forms is kept when read, but refused when changed",
    arguments: [
      #""stringUnit" : {"state" : "new", "value" : "x"}, "variations" : {"plural" : {"other" : {"stringUnit" : {"state" : "new", "value" : "y"}}}}"#,
      #""variations" : {"plural" : {"other" : {"stringUnit" : {"state" : "new", "value" : "y"}}}, "device" : {"mac" : {"stringUnit" : {"state" : "new", "value" : "y"}}}}"#,
      #""variations" : {"width" : {"20" : {"stringUnit" : {"state" : "new", "value" : "y"}}}}"#,
    ])
  func overlaps(shape: String) throws {
    let text =
      #"{"sourceLanguage" : "en", "strings" : {"a" : {"localizations" : {"de" : {"# + shape
      + #"}}}}, "version" : "1.0"}"#
    #expect(try Self.edit(text) { _ in } == text)
    let other = try Self.edit(text) { $0.entries["a"]?.translations["fr"] = Translation("z") }
    #expect(other.contains(shape))
    let fault = try #require(throws: InputFault.self) {
      try Self.edit(text) { $0.entries["a"]?.translations["de"] = Translation("z") }
    }
    #expect(fault.diagnostics.first?.message.contains("cannot change the key") == true)
    #expect(fault.diagnostics.first?.column != nil)
  }
}
