import Foundation

/// Generates the source of `PluralRuleTable`, a file of Localization, from CLDR's `plurals.json`.
enum PluralRuleSource {
  private struct File: Decodable {
    struct Supplemental: Decodable {
      struct Version: Decodable { var _cldrVersion: String }
      var version: Version
      var cardinal: [String: [String: String]]

      enum CodingKeys: String, CodingKey {
        case version
        case cardinal = "plurals-type-cardinal"
      }
    }
    var supplemental: Supplemental
  }

  /// Returns the source of the Swift file.
  /// - Throws: an error if the JSON does not have the structure of CLDR's file.
  static func generate(from json: Data) throws -> String {
    let data = try JSONDecoder().decode(File.self, from: json).supplemental
    var languages: [String: [String]] = [:]
    for (language, rules) in data.cardinal { languages[conditions(of: rules), default: []].append(language) }
    let lines = languages.map { rules, languages in
      languages.sorted().joined(separator: " ") + " |" + (rules.isEmpty ? "" : " " + rules)
    }
    return """
      // CLDR \(data.version._cldrVersion), written by plural-rules (`make plural-rules`); not to be edited.
      // Data: Unicode License V3, © 2004-2025 Unicode, Inc.

      /// CLDR's cardinal plural rules, a line for each set of languages: `languages | category: condition; …`, in CLDR's own condition
      /// syntax. Numbers that satisfy no condition are `other`.
      enum PluralRuleTable {
        /// The version of the data.
        static let version = "\(data.version._cldrVersion)"
        // swift-format-ignore
        static let text = \"\"\"
      \(lines.sorted().map { "    " + $0 }.joined(separator: "\n"))
          \"\"\"
      }

      """
  }

  /// Returns the languages for which CLDR has rules.
  /// - Throws: an error if the JSON does not have the structure of CLDR's file.
  static func languages(of json: Data) throws -> Set<String> {
    Set(try JSONDecoder().decode(File.self, from: json).supplemental.cardinal.keys)
  }

  /// Returns the conditions without their samples, in CLDR's order of categories.
  private static func conditions(of rules: [String: String]) -> String {
    ["zero", "one", "two", "few", "many"].compactMap { category -> String? in
      guard let rule = rules["pluralRule-count-" + category] else { return nil }
      let condition = rule.prefix { $0 != "@" }.split(separator: " ").joined(separator: " ")
      return "\(category): \(condition)"
    }.joined(separator: "; ")
  }
}
