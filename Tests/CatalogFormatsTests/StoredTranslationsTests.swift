import CatalogFormats
import Localization
import Testing

/// Tests that translations that are decoded on demand behave like translations that are already decoded.
@Suite struct StoredTranslationsTests {
  private static let file = """
    {
      "sourceLanguage" : "en",
      "strings" : {
        "birds" : {
          "localizations" : {
            "de" : { "stringUnit" : { "state" : "translated", "value" : "V\\u00f6gel" } },
            "fr" : { "variations" : { "plural" : {
              "one" : { "stringUnit" : { "state" : "new", "value" : "oiseau" } },
              "other" : { "stringUnit" : { "state" : "translated", "value" : "oiseaux" } } } } },
            "it" : null,
            "ja" : { "unknown" : 1 },
            "uk" : { "stringUnit" : { "value" : "птахи", "state" : "needs_review" } }
          }
        },
        "none" : { "localizations" : { "it" : null } }
      },
      "version" : "1.0"
    }
    """

  private static let plural = Translation(
    text: .plural([
      .one: .text(StringUnit(state: .new, value: "oiseau")),
      .other: .text(StringUnit(state: .translated, value: "oiseaux")),
    ]))

  private let catalog: Catalog
  private var birds: Translations { catalog.entries["birds"]?.translations ?? [:] }

  init() throws { catalog = try StringCatalogFormat().read(Array(Self.file.utf8), at: "L.xcstrings") }

  @Test("each translation is read unchanged, and empty localizations are ignored")
  func read() {
    #expect(birds["de"] == Translation("Vögel"))
    #expect(birds["fr"] == Self.plural)
    #expect(birds["uk"] == Translation("птахи", state: .needsReview))
    for language in ["it", "ja", "en"] as [LocaleIdentifier] { #expect(birds[language] == nil) }
    #expect(birds.keys == ["de", "fr", "uk"])
    #expect(birds.count == 3)
    #expect(catalog.languages == ["en", "de", "fr", "uk"])
    #expect(catalog.entries["none"]?.translations.isEmpty == true)
  }

  @Test("translations that are decoded on demand equal the same translations from any other source")
  func equality() throws {
    let made: Translations = [
      "uk": Translation("птахи", state: .needsReview), "de": Translation("Vögel"), "fr": Self.plural,
    ]
    #expect(birds == made)
    #expect(made == birds)
    #expect(Set([birds, made]).count == 1)
    let again = try StringCatalogFormat().read(Array(Self.file.utf8), at: "L.xcstrings")
    #expect(again == catalog)
    func changed(replacing old: String, by new: String) throws -> Translations? {
      try StringCatalogFormat().read(Array(Self.file.replacing(old, with: new).utf8), at: "L.xcstrings")
        .entries["birds"]?.translations
    }
    #expect(try changed(replacing: "\"sourceLanguage\" : ", by: "\"sourceLanguage\":") == made)
    #expect(try changed(replacing: "\"state\" : ", by: "\"state\":") == made)
    #expect(try changed(replacing: "oiseaux", by: "oiseauX") != birds)
    var other = birds
    other["de"] = Translation("Vögel", state: .needsReview)
    #expect(other != birds)
    other["de"] = Translation("Vögel")
    #expect(other == birds)
  }

  @Test("a changed translation is stored in addition to the file's and can be reverted")
  func changes() {
    var changed = birds
    changed["de"] = nil
    changed["fr"] = Translation("oiseaux")
    changed["nl"] = Translation("vogels")
    #expect(Set(changed.keys) == ["fr", "nl", "uk"])
    #expect(changed.count == 3)
    #expect(changed["de"] == nil)
    #expect(changed["fr"] == Translation("oiseaux"))
    #expect(changed != birds)
    for language in ["fr", "nl", "uk"] as [LocaleIdentifier] { changed[language] = nil }
    #expect(changed.isEmpty)
    #expect(changed == [:])
    #expect(birds.count == 3)
  }

  @Test("states of translations are read without decoding their texts")
  func states() {
    let languages: [LocaleIdentifier] = ["de", "fr", "it", "uk"]
    let states = CompletionStates(of: languages, machineTranslatedCounts: false).of(birds)
    #expect(states == [.translated, .new, nil, .needsReview])
    for (language, state) in zip(languages, states) {
      #expect(Completion.state(of: birds[language], in: language) == state ?? .new)
    }
  }

  @Test("empty texts and texts with a missing substitution are found without decoding the others")
  func unusual() throws {
    let shown = [
      "x", "# 1", "12345678#", "\\u0025 a", "a \\u0023 b", "\\u0020a", " a", "\\nb", "Vögel und Käfer", "«a»", "鳥と「虫」",
      "\u{3000}鳥", "\u{200B}a", "…", "\u{FF21}",
    ]
    let missing = [
      "", " ", "\\n\\t", "\\u0020", "\\u00a0", "\u{A0}", "\u{200B}", "\u{2060}", "\u{3000}", "\u{FEFF}", "%#@b@",
      "12345678 %#@b@", "%\\u0023@b@", "a\\n%1$#@b@ \\\" x",
    ]
    func translated(_ values: [String]) throws -> Int? {
      let entries = values.enumerated().map {
        "\"\($0)\" : { \"localizations\" : { \"de\" : { \"stringUnit\" : { "
          + "\"state\" : \"translated\", \"value\" : \"\($1)\" } } } }"
      }
      let file =
        "{ \"sourceLanguage\" : \"en\", \"strings\" : { \(entries.joined(separator: ", ")) }, \"version\" : \"1.0\" }"
      let catalog = try StringCatalogFormat().read(Array(file.utf8), at: "L.xcstrings")
      #expect(catalog.entries.count == values.count)
      return Completion.report(catalogs: [catalog], languages: ["de"]).languages.first?.translated
    }
    #expect(try translated(shown) == shown.count)
    #expect(try translated(missing) == 0)
  }
}
