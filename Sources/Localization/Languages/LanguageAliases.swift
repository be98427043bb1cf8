/// Alternative names of languages, regions and language folders. The names to which Foundation renames compiled folders are in `LocaleFolder`,
/// because a few of them differ from CLDR.
///
/// Withdrawn and three-letter ISO 639 names, and default scripts and regions, are from CLDR (`LanguageTable`). The additions of Apple and of vendors
/// are declared in this file, with their sources.
package enum LanguageAliases {
  /// Current names of languages by their former names and their three-letter names. Some of these imply a script or region (`sh` → `sr-Latn`).
  package static let languages: [String: String] = {
    var names = pairs(LanguageTable.languages)
    // Foundation and Xcode treat Norwegian as Bokmål and write `nb` (xcode-formats.md I). CLDR has both.
    names["no"] = "nb"
    return names
  }()

  /// Current names of regions by their former names: `UK` → `GB`.
  package static let regions = pairs(LanguageTable.regions)

  /// The language codes for the English names of language folders that were formerly used (xcode-formats.md I).
  package static let folderNames = [
    "English": "en", "French": "fr", "German": "de", "Italian": "it", "Japanese": "ja", "Spanish": "es", "Dutch": "nl",
    "Portuguese": "pt",
  ]

  /// Vendors' own names of languages (xcode-formats.md I), in lower case. In `es-la`, `la` means Latin America, not Laos, which has no variant of
  /// Spanish.
  static let vendorNames = ["zh-chs": "zh-Hans", "zh-cht": "zh-Hant", "es-la": "es-419", "pb": "pt-BR"]

  /// Xcode's names of the languages that vendors identify by a region and Xcode by a script, by the vendors' names.
  static let xcodeNames = ["zh-CN": "zh-Hans", "zh-TW": "zh-Hant"]

  /// Languages whose default region is disputed. `pt` means Brazil in CLDR and Apple's systems, but Portugal for vendors. In projects, `en`
  /// and `ar` often mean other countries too.
  static let withoutOwnRegion: Set = ["pt", "en", "ar"]

  /// The complete identifiers with CLDR's default subtags, by the given subtags.
  static let likely = pairs(LanguageTable.likely)

  /// The main language of a region: `JP` → `ja-Jpan-JP`.
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
