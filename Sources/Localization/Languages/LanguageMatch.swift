/// Finds the project's own spelling of a language that a vendor spells otherwise (xcode-formats.md I): `zh_CN` where the project has
/// `zh-Hans`, `iw` for `he`, `uk-UA` for `uk`. What the project has is never renamed.
///
/// Two names are one language where they say the same once all that goes without saying is said, by CLDR's data. A variant of what the
/// project has, `pt-PT` beside `pt` or `es-MX` beside `es-419`, is another language: Xcode knows both, and one's text in the other's place
/// would be wrong text.
package struct LanguageMatch: Sendable {
  private let known: [Set<LocaleIdentifier>]

  /// - Parameter known: the languages there are, in the order in which they count: a catalog's, then the project's.
  package init(_ known: [Set<LocaleIdentifier>]) { self.known = known }

  /// - Returns: the identifier itself where it is known; else the known one that means the same; `nil` where there is none.
  package func find(_ language: LocaleIdentifier) -> LocaleIdentifier? {
    if known.contains(where: { $0.contains(language) }) { return language }
    let spelled = LanguageSubtags(language)
    let meant = spelled.meant
    for languages in known {
      let own = languages.sorted().map { (name: $0, subtags: LanguageSubtags($0)) }
      if let same = own.first(where: { $0.subtags == spelled }) { return same.name }
      // Of several the one that says least: `zh-TW` is `zh-Hant`, also where `zh-Hant-TW` is there (xcode-formats.md I).
      let equal = own.filter { $0.subtags.meant == meant }
      if let best = equal.min(by: { $0.subtags.count < $1.subtags.count }) { return best.name }
    }
    return nil
  }

  /// The known languages that are the same but for the region.
  package func variants(of language: LocaleIdentifier) -> [LocaleIdentifier] {
    let subtags = LanguageSubtags(language)
    return Set(known.joined()).filter { LanguageSubtags($0).isVariant(of: subtags) }.sorted()
  }

  /// Whether both name one language, in any spelling.
  package static func isSame(_ one: LocaleIdentifier, _ other: LocaleIdentifier) -> Bool {
    one == other || LanguageSubtags(one).meant == LanguageSubtags(other).meant
  }

  /// How a language that the project does not have is to be called: as it came where Xcode could have written that, else as
  /// Xcode would spell it (`pt_BR` → `pt-BR`, `zh_TW` → `zh-Hant`).
  /// - Returns: `nil` for what names no language.
  package static func newName(of language: LocaleIdentifier) -> LocaleIdentifier? {
    let subtags = LanguageSubtags(language)
    let name = LocaleIdentifier(subtags.text)
    // `Base` and `mul` are names of folders (xcode-formats.md I), as `English` was: a file there is the source language's.
    guard name.isWellFormed, name.language.utf8.count <= 3, name.rawValue != "mul" else { return nil }
    guard !language.isWellFormed else { return name }
    return LocaleIdentifier(LanguageAliases.xcodeNames[name.rawValue] ?? subtags.replaced.text)
  }
}
