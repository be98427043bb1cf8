import Localization
import Testing

/// Limits on imports. A catalog that exceeds these limits could not be read again.
@Suite("Limits on what an import adds")
struct ImportLimitTests {
  private let path: TreePath = "App/Localizable.xcstrings"

  private func file(_ language: LocaleIdentifier, _ units: [ExchangeUnit]) -> ExchangeFile {
    ExchangeFile(original: path.text, sourceLanguage: "en", targetLanguage: language, units: units)
  }

  private func unit(_ place: String = "", _ target: String = "x") -> ExchangeUnit {
    ExchangeUnit(
      key: "key", path: VariationPath(text: place) ?? .root, source: .text("key"),
      target: ExchangeTarget(.text(target), state: "translated"))
  }

  @Test("files in languages beyond the limit are held unless the catalog already has the language")
  func languages() {
    let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { String(UnicodeScalar($0)) }
    let all = letters.flatMap { first in letters.map { LocaleIdentifier(first + $0) } }.filter { $0 != "en" }
    // The source language counts towards the limit too.
    let languages = all.prefix(CatalogLimits.languages - 1)
    var entry = CatalogEntry()
    for language in languages.dropLast() { entry.translations[language] = Translation("y") }
    let files = [0, CatalogLimits.languages - 2, CatalogLimits.languages - 1, CatalogLimits.languages - 1]
      .map { file(all[$0], [unit()]) }
    let result = ImportReview(catalogs: [path: catalog(["key": entry])], policy: .asXcode).review(files)
    let held = Verdict.held(.notWritable("a catalog can have at most 500 languages"))
    #expect(result.outcomes.map(\.verdict) == [.taken, .taken, held, held])
    #expect(result.catalogs[path]?.languages.count == CatalogLimits.languages)
  }

  @Test("all forms of a text with more forms than the limit are held")
  func forms() {
    let units = (0...CatalogLimits.forms).map { unit("device.d\($0)") }
    let result = ImportReview(catalogs: [path: catalog(["key": CatalogEntry()])], policy: .asXcode)
      .review([file("de", units)])
    #expect(result.catalogs.isEmpty && result.outcomes.count == CatalogLimits.forms + 1)
    #expect(result.outcomes.allSatisfy { if case .held = $0.verdict { true } else { false } })
  }

  @Test("a language that only another catalog has must have a well-formed name", arguments: ["a/b", "..", "x\n"])
  func names(language: LocaleIdentifier) {
    let table: TreePath = "App/en.lproj/T.strings"
    let catalogs = [
      path: catalog(["key": CatalogEntry(translations: [language: Translation("x")])]),
      table: catalog(["key": CatalogEntry(translations: ["en": Translation("key")])], path: table),
    ]
    let files = [path, table].map {
      ExchangeFile(
        original: $0.text, sourceLanguage: "en", targetLanguage: language, units: [unit("", "y")])
    }
    let result = ImportReview(catalogs: catalogs, policy: .asXcode).review(files)
    #expect(result.outcomes.map(\.verdict) == [.taken, .held(.unknownLanguage([]))])
  }

  @Test("a unit without a translation is held only for this reason")
  func withoutTarget() {
    let units = [
      ExchangeUnit(key: "unknown", source: .text("unknown")), ExchangeUnit(key: "key", source: .text("key")),
    ]
    var other = file("de", units)
    other.original = "Gone.xcstrings"
    let result = ImportReview(catalogs: [path: catalog(["key": CatalogEntry()])], policy: .asXcode)
      .review([file("de", units), other])
    #expect(result.outcomes.map(\.verdict) == Array(repeating: .held(.noTarget), count: 4))
  }
}
