/// The subtags of a language identifier (BCP 47) in their usual case: `zh_hant_tw` has `zh`, `Hant`, `TW`.
struct LanguageSubtags: Hashable {
  private(set) var language: String
  private(set) var script: String?
  private(set) var region: String?
  /// The remaining subtags: variants and unknown subtags.
  private let rest: [String]

  /// Reads the subtags of an identifier. Separators are hyphens, underscores, and the `@` of glibc's names (`sr@latin`). A vendor's own name
  /// (`LanguageAliases.vendorNames`) is replaced with the usual name.
  init(_ identifier: LocaleIdentifier) {
    let own = Self(identifier.rawValue)
    self = LanguageAliases.vendorNames[own.text.lowercased()].map(Self.init) ?? own
  }

  private init(_ name: String) {
    var parts = name.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" || $0 == "@" }[...]
    language = (parts.popFirst() ?? "").lowercased()
    let scripts = ["latin": "Latn", "cyrillic": "Cyrl"]
    if let part = parts.first, let script = scripts[part.lowercased()] ?? Self.script(part) {
      self.script = script
      parts.removeFirst()
    }
    if let part = parts.first, Self.isRegion(part) {
      region = part.uppercased()
      parts.removeFirst()
    }
    // The script of glibc's names follows the region: `sr_RS@latin`.
    if script == nil, let part = parts.first, let script = scripts[part.lowercased()] {
      self.script = script
      parts.removeFirst()
    }
    rest = parts.map { $0.lowercased() }
  }

  private static func script(_ part: Substring) -> String? {
    guard part.utf8.count == 4, part.utf8.allSatisfy(isLetter) else { return nil }
    return part.prefix(1).uppercased() + part.dropFirst().lowercased()
  }

  private static func isRegion(_ part: Substring) -> Bool {
    (part.utf8.count == 2 && part.utf8.allSatisfy(isLetter))
      || (part.utf8.count == 3 && part.utf8.allSatisfy { (0x30...0x39).contains($0) })
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }

  /// The identifier in Xcode's spelling, with hyphens.
  var text: String { ([language, script, region].compactMap(\.self) + rest).joined(separator: "-") }

  /// The number of subtags that the identifier has.
  var count: Int { 1 + (script == nil ? 0 : 1) + (region == nil ? 0 : 1) + rest.count }

  /// The subtags with the names in `LanguageAliases.languages` and `regions` replaced: `iw` becomes `he`, `sh` becomes `sr-Latn`, `UK` becomes `GB`.
  var replaced: LanguageSubtags {
    var new = self
    if let name = LanguageAliases.languages[language] {
      let parts = Self(name)
      new.language = parts.language
      new.script = script ?? parts.script
      new.region = region ?? parts.region
    }
    new.region = new.region.map { LanguageAliases.regions[$0] ?? $0 }
    return new
  }

  /// The subtags with CLDR's defaults added. Different names of one language have equal values: `zh-TW`, `zh-Hant` and `zh-Hant-TW`.
  var meant: LanguageSubtags {
    var full = replaced
    if full.script == nil {
      let likely = full.region.flatMap { LanguageAliases.likely["\(full.language)-\($0)"] } ?? full.likely
      full.script = likely.flatMap { Self($0).script }
    }
    if full.region == nil, !LanguageAliases.withoutOwnRegion.contains(full.language) {
      let likely = full.script.flatMap { LanguageAliases.likely["\(full.language)-\($0)"] } ?? full.likely
      full.region = likely.flatMap { Self($0).region }
    }
    return full
  }

  private var likely: String? { LanguageAliases.likely[language] }

  /// Returns whether language and script are equal, whatever the regions are. This is true for `pt-PT` and `pt-BR`, and for `zh-HK` and
  /// `zh-Hant`, but not for `zh-HK` and `zh-Hans`.
  func isVariant(of other: LanguageSubtags) -> Bool {
    let (one, two) = (meant, other.meant)
    return one.language == two.language && one.script == two.script
  }
}

extension LocaleIdentifier {
  /// The script of the language, from the identifier or from CLDR's data: `Cyrl` for `uk`; `nil` if unknown.
  package var script: String? { LanguageSubtags(self).meant.script }

  /// Whether the language is written from right to left, according to its script.
  package var isRightToLeft: Bool { Self.rightToLeftScripts.contains(script ?? "") }

  /// The scripts of living languages that are written from right to left (CLDR, scriptMetadata). `Aran` is Arabic in Nastaliq style.
  private static let rightToLeftScripts: Set = [
    "Adlm", "Arab", "Aran", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi",
  ]
}
