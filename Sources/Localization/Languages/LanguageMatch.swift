/// Finds the project's spelling of a language that a vendor spells differently (xcode-formats.md I): `zh_CN` for the project's `zh-Hans`,
/// `iw` for `he`, `uk-UA` for `uk`. An identifier that the project uses is never renamed.
///
/// Two names mean one language if they are equal after CLDR's default subtags are added. Regional variants are different languages: `pt-PT`
/// and `pt`, `es-MX` and `es-419`. Xcode distinguishes them, and a text of one variant would be wrong in the other.
package struct LanguageMatch: Sendable {
  private let known: [Set<LocaleIdentifier>]

  /// Creates a search among known languages.
  /// - Parameter known: the known languages by precedence: first the catalog's, then the project's.
  package init(_ known: [Set<LocaleIdentifier>]) { self.known = known }

  /// Returns the identifier itself if it is known, or else the known identifier of the same language; `nil` if there is none.
  package func find(_ language: LocaleIdentifier) -> LocaleIdentifier? {
    if known.contains(where: { $0.contains(language) }) { return language }
    let spelled = LanguageSubtags(language)
    let meant = spelled.meant
    for languages in known {
      let own = languages.sorted().map { (name: $0, subtags: LanguageSubtags($0)) }
      if let same = own.first(where: { $0.subtags == spelled }) { return same.name }
      // If several known languages match, the identifier with the fewest subtags is returned: `zh-Hant` for `zh-TW`, even if `zh-Hant-TW` is known
      // too (xcode-formats.md I).
      let equal = own.filter { $0.subtags.meant == meant }
      if let best = equal.min(by: { $0.subtags.count < $1.subtags.count }) { return best.name }
    }
    return nil
  }

  /// Returns the known languages with the same language and script, whatever their regions are.
  package func variants(of language: LocaleIdentifier) -> [LocaleIdentifier] {
    let subtags = LanguageSubtags(language)
    return Set(known.joined()).filter { LanguageSubtags($0).isVariant(of: subtags) }.sorted()
  }

  /// Returns the known language that a name probably means: the same language in another spelling (`de_DE` for `de`), the language of another region
  /// (`de-AT` for `de-DE`), or a language with a similar name. `nil` if there is none.
  package func nearest(to name: String) -> LocaleIdentifier? {
    let language = LocaleIdentifier(name)
    return find(language) ?? variants(of: language).first
      ?? NearestName.nearest(to: name, among: Set(known.joined()).map(\.rawValue).sorted()).map(
        LocaleIdentifier.init(_:))
  }

  /// Returns `; did you mean …?` for the end of a message, or an empty string if no known language is near.
  package func suffix(_ name: String) -> String { nearest(to: name).map { "; did you mean `\($0)`?" } ?? "" }

  /// Returns whether both identifiers mean the same language, in any spelling.
  package static func isSame(_ one: LocaleIdentifier, _ other: LocaleIdentifier) -> Bool {
    one == other || LanguageSubtags(one).meant == LanguageSubtags(other).meant
  }

  /// Returns the name for a language that is new to the project. Only the letter case of a well-formed identifier changes, unless it is a vendor's
  /// own name (`zh-CHS` → `zh-Hans`). Any other identifier gets Xcode's spelling (`pt_BR` → `pt-BR`, `zh_TW` → `zh-Hant`).
  /// - Returns: `nil` if the identifier is not the name of a language.
  package static func newName(of language: LocaleIdentifier) -> LocaleIdentifier? {
    let subtags = LanguageSubtags(language)
    let name = LocaleIdentifier(subtags.text)
    // `Base` and `mul` are names of folders, not of languages (xcode-formats.md I). Names such as `English` were formerly used for folders too.
    guard name.isWellFormed, name.language.utf8.count <= 3, name.rawValue != "mul" else { return nil }
    guard !language.isWellFormed else { return name }
    return LocaleIdentifier(LanguageAliases.xcodeNames[name.rawValue] ?? subtags.replaced.text)
  }
}
