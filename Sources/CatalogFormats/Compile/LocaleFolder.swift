internal import Localization

/// The `.lproj` folder that Xcode's compiler gives a language.
///
/// Foundation makes identifiers canonical before: subtags in their usual case, names of languages that ISO 639 gave up, scripts that go
/// without saying. Separators stay (`pt_BR`). Observed in the compiler's output; Foundation's own table is longer than what any project
/// here needs.
enum LocaleFolder {
  private static let languages = [
    "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "no": "nb", "tl": "fil", "cmn": "zh", "mol": "mo",
  ]
  private static let regions = ["UK": "GB"]
  /// The script that a language is written in where it says none.
  private static let scripts = [
    "sr": "Cyrl", "az": "Latn", "uz": "Latn", "bs": "Latn", "hr": "Latn", "ha": "Latn", "mn": "Cyrl", "kk": "Cyrl",
    "pa": "Guru",
  ]
  private static let chineseRegions = ["Hans": "CN", "Hant": "TW"]

  /// - Returns: `nil` where the identifier is no language, so that it may name no folder.
  static func name(of language: LocaleIdentifier) -> String? {
    let separator: Character = language.rawValue.utf8.contains(UInt8(ascii: "_")) ? "_" : "-"
    let hyphenated = LocaleIdentifier(
      language.rawValue.split(separator: "_", omittingEmptySubsequences: false).joined(separator: "-"))
    guard hyphenated.isWellFormed else { return nil }
    var subtags = hyphenated.rawValue.split(separator: "-").map(String.init)
    subtags[0] = subtags[0].lowercased()
    if subtags.count > 1, subtags[0] == "zh", subtags[1].lowercased() == "cmn" { subtags.remove(at: 1) }
    for index in subtags.indices.dropFirst() {
      switch (index, subtags[index].utf8.count) {
      case (1, 4): subtags[index] = subtags[index].prefix(1).uppercased() + subtags[index].dropFirst().lowercased()
      case (1...2, 2): subtags[index] = subtags[index].uppercased()
      default: break
      }
    }
    subtags[0] = languages[subtags[0]] ?? subtags[0]
    if let last = subtags.last, subtags.count > 1, let region = regions[last] { subtags[subtags.count - 1] = region }
    if subtags.count > 1, subtags[1] == scripts[subtags[0]] { subtags.remove(at: 1) }
    if subtags.count == 3, subtags[0] == "zh", chineseRegions[subtags[1]] == subtags[2] { subtags.remove(at: 1) }
    return subtags.joined(separator: String(separator))
  }
}
