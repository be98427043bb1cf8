/// What languages, and the folders of languages, are called besides their own names: the one table of what they mean. (What Foundation
/// renames a compiled folder to is `LocaleFolder`'s, and differs from CLDR here and there.)
///
/// The names that ISO 639 gave up, and the script and region that go without saying, are CLDR's (`LanguageTable`); what Apple and vendors
/// add to them stands here, with where it is from.
package enum LanguageAliases {
  /// New names of languages by the old ones; some stand for a script or region too (`sh` → `sr-Latn`).
  package static let languages: [String: String] = {
    var names = pairs(LanguageTable.languages)
    // Norwegian is Bokmål to Foundation, and to Xcode, which writes `nb` (xcode-formats.md I). CLDR has both.
    names["no"] = "nb"
    return names
  }()

  /// New names of regions: `UK` → `GB`.
  package static let regions = pairs(LanguageTable.regions)

  /// The names of folders in the days before languages had codes (xcode-formats.md I).
  package static let folderNames = [
    "English": "en", "French": "fr", "German": "de", "Italian": "it", "Japanese": "ja", "Spanish": "es", "Dutch": "nl",
    "Portuguese": "pt",
  ]

  /// What vendors call languages that have another name (xcode-formats.md I), in lower case: Laos has no Spanish of its own.
  static let vendorNames = ["zh-chs": "zh-Hans", "zh-cht": "zh-Hant", "es-la": "es-419", "pb": "pt-BR"]

  /// What Xcode calls what vendors name by its region: the writing, which is what differs.
  static let xcodeNames = ["zh-CN": "zh-Hans", "zh-TW": "zh-Hant"]

  /// The languages of which nobody agrees what they are where no region is said. CLDR and Apple's systems take `pt` for Brazil's, vendors
  /// for Portugal's; `en` and `ar` are, in projects, as often another country's.
  static let withoutOwnRegion: Set = ["pt", "en", "ar"]

  /// What goes without saying, by what is said.
  static let likely = pairs(LanguageTable.likely)

  /// The language of most people in a region: `JP` → `ja-Jpan-JP`.
  static let ofRegions = pairs(LanguageTable.ofRegions)

  private static func pairs(_ text: String) -> [String: String] {
    var pairs: [String: String] = [:]
    for pair in text.split(whereSeparator: \.isWhitespace) {
      let parts = pair.split(separator: "=")
      if let name = parts.first, let meaning = parts.last, parts.count == 2 { pairs[String(name)] = String(meaning) }
    }
    return pairs
  }
}
