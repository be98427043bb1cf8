import Foundation

/// Generates the source of `LanguageTable`, a file of Localization, from CLDR's `aliases.json` and `likelySubtags.json`.
enum LanguageTableSource {
  private struct Aliases: Decodable {
    struct Supplemental: Decodable {
      var version: Version
      var metadata: Metadata
    }
    struct Version: Decodable { var _cldrVersion: String }
    struct Metadata: Decodable { var alias: Kinds }
    struct Kinds: Decodable { var languageAlias, territoryAlias: [String: Alias] }
    struct Alias: Decodable { var _replacement: String }
    var supplemental: Supplemental
  }

  private struct Likely: Decodable {
    struct Supplemental: Decodable { var likelySubtags: [String: String] }
    var supplemental: Supplemental
  }

  /// Returns the source of the Swift file.
  /// - Parameter languages: the languages whose likely script and region are included, in addition to the targets of aliases.
  /// - Throws: an error if the JSON does not have the structure of CLDR's files.
  static func generate(aliases: Data, likely: Data, languages: Set<String>) throws -> String {
    let data = try JSONDecoder().decode(Aliases.self, from: aliases).supplemental
    let subtags = try JSONDecoder().decode(Likely.self, from: likely).supplemental.likelySubtags
    // Three kinds of aliases are omitted: languages of several subtags, which are dialects or grandfathered tags, regions whose code does not have
    // two characters, and regions that became several regions, which are ambiguous.
    let names = data.metadata.alias.languageAlias.filter { !$0.key.contains("-") }.mapValues(\._replacement)
    let regions = data.metadata.alias.territoryAlias.filter {
      $0.key.utf8.count == 2 && !$0.value._replacement.contains(" ")
    }.mapValues(\._replacement)
    let known = languages.union(names.values.map { String($0.prefix { $0 != "-" }) })
    // Entries for only a script or a region (`und-…`) are not languages.
    let places = subtags.filter { name, _ in
      let language = String(name.prefix { $0 != "-" })
      return language != "und" && known.contains(language)
    }
    let ofRegions = Dictionary(
      uniqueKeysWithValues: subtags.compactMap { name, meaning in
        name.hasPrefix("und-") && name.utf8.count == 6 ? (String(name.dropFirst(4)), meaning) : nil
      })
    return """
      // CLDR \(data.version._cldrVersion), written by plural-rules (`make plural-rules`); not to be edited.
      // Data: Unicode License V3, © 2004-2025 Unicode, Inc.

      /// CLDR's aliases of languages and regions, and the likely script and region of each language.
      enum LanguageTable {
        /// The version of the data.
        static let version = "\(data.version._cldrVersion)"
        /// `old=new`: names of languages. A new name can have a script or region.
        // swift-format-ignore
        static let languages = \"\"\"
      \(lines(names))
          \"\"\"
        /// `old=new`: regions.
        // swift-format-ignore
        static let regions = \"\"\"
      \(lines(regions))
          \"\"\"
        /// `given identifier=full identifier`.
        // swift-format-ignore
        static let likely = \"\"\"
      \(lines(places))
          \"\"\"
        /// `region=the language that most people there speak`.
        // swift-format-ignore
        static let ofRegions = \"\"\"
      \(lines(ofRegions))
          \"\"\"
      }

      """
  }

  /// Formats pairs, sorted by their names, with twelve pairs per line.
  private static func lines(_ pairs: [String: String]) -> String {
    let texts = pairs.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
    return stride(from: 0, to: texts.count, by: 12).map { start in
      "    " + texts[start..<min(start + 12, texts.count)].joined(separator: " ")
    }.joined(separator: "\n")
  }
}
