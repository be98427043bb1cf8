/// Finds the project's own spelling of a language that a vendor spells otherwise (formats.md I): `zh_CN` where the project has
/// `zh-Hans`, `iw` for `he`, `uk-UA` for `uk`. What the project has is never renamed.
package struct LanguageMatch: Sendable {
  private let known: [Set<LocaleIdentifier>]

  /// - Parameter known: the languages there are, in the order in which they count: a catalog's, then the project's.
  package init(_ known: [Set<LocaleIdentifier>]) { self.known = known }

  /// - Returns: the identifier itself where it is known; else the known one that means the same; `nil` where there is none.
  package func find(_ language: LocaleIdentifier) -> LocaleIdentifier? {
    if known.contains(where: { $0.contains(language) }) { return language }
    let names = Self.equivalents(of: Self.canonical(language))
    for languages in known {
      for name in names {
        // Two spellings of one name in a project are two languages; the first is as good as the other.
        if let own = languages.sorted().first(where: { Self.canonical($0) == name }) { return own }
      }
    }
    return nil
  }

  /// How a language that the project does not have is to be called: as it came where Xcode could have written that, else as
  /// Xcode would spell it (`pt_BR` → `pt-BR`, `zh_TW` → `zh-Hant`).
  /// - Returns: `nil` for what names no language.
  package static func newName(of language: LocaleIdentifier) -> LocaleIdentifier? {
    let name = LocaleIdentifier(canonical(language))
    // `Base` and `mul` are names of folders (formats.md I), as `English` was: a file there is the source language's.
    guard name.isWellFormed, name.language.utf8.count <= 3, name.rawValue != "mul" else { return nil }
    guard !language.isWellFormed else { return name }
    guard language.rawValue.utf8.contains(UInt8(ascii: "_")) else { return nil }
    return LocaleIdentifier(vendorNames[name.rawValue] ?? name.rawValue)
  }

  /// Hyphens, the language in lower case, the script capitalised, the region in upper case.
  private static func canonical(_ language: LocaleIdentifier) -> String {
    let parts = language.rawValue.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    return parts.enumerated().map { index, part in
      if index == 0 { return part.lowercased() }
      if part.utf8.count == 4, part.allSatisfy(\.isLetter) {
        return part.prefix(1).uppercased() + part.dropFirst().lowercased()
      }
      return part.uppercased()
    }.joined(separator: "-")
  }

  /// All names of a language in the order in which they are looked for, itself first.
  private static func equivalents(of name: String) -> [String] {
    var names = [name]
    for group in groups where group.contains(name) { names += group.filter { $0 != name } }
    // A region that says no more than the language does.
    let parts = name.split(separator: "-")
    if parts.count == 2, ownRegions[String(parts[0])] == String(parts[1]) {
      names.append(String(parts[0]))
    } else if parts.count == 1, let region = ownRegions[name] {
      names.append("\(name)-\(region)")
    }
    return names
  }

  /// Names of one language, the one that Xcode writes first.
  private static let groups: [[String]] = [
    ["zh-Hans", "zh-CN", "zh-Hans-CN", "zh-CHS"], ["zh-Hant", "zh-TW", "zh-Hant-TW", "zh-CHT"],
    ["zh-HK", "zh-Hant-HK"],
    ["he", "iw", "he-IL", "iw-IL"], ["id", "in", "id-ID", "in-ID"], ["yi", "ji"], ["nb", "no", "nb-NO", "no-NO"],
    ["fil", "tl", "fil-PH", "tl-PH"], ["es-419", "es-LA", "es-MX"], ["sr-Latn", "sh"], ["pt-PT", "pt"],
  ]

  /// How Xcode spells what vendors call otherwise.
  private static let vendorNames: [String: String] = {
    var names: [String: String] = [:]
    // Of what may be meant as it stands, nothing is called otherwise: `es-MX` is a language of its own where nobody has `es-419`.
    let kept: Set = ["pt", "es-MX", "nb-NO", "no", "zh-Hant-TW", "zh-Hant-HK", "zh-Hans-CN"]
    for group in groups {
      for name in group.dropFirst() where !kept.contains(name) { names[name] = group[0] }
    }
    return names
  }()

  /// The region that a language has where none is said, of languages that have one home. English, Spanish of the Americas,
  /// Portuguese and Chinese differ by region, so that they are not here.
  private static let ownRegions: [String: String] = [
    "bg": "BG", "ca": "ES", "cs": "CZ", "da": "DK", "de": "DE", "el": "GR", "es": "ES", "et": "EE", "eu": "ES",
    "fa": "IR",
    "fi": "FI", "fr": "FR", "gl": "ES", "hi": "IN", "hr": "HR", "hu": "HU", "hy": "AM", "is": "IS", "it": "IT",
    "ja": "JP",
    "ka": "GE", "kk": "KZ", "ko": "KR", "lt": "LT", "lv": "LV", "mk": "MK", "ms": "MY", "nl": "NL", "nn": "NO",
    "pl": "PL",
    "ro": "RO", "ru": "RU", "sk": "SK", "sl": "SI", "sq": "AL", "sr": "RS", "sv": "SE", "th": "TH", "tr": "TR",
    "uk": "UA",
    "vi": "VN",
  ]
}
