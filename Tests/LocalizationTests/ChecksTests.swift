import Localization
import Testing

@Suite("Checks of translations")
struct ChecksTests {
  static func said(_ findings: [CheckFinding]) -> [String] { findings.map { "\($0.severity.rawValue): \($0.message)" } }

  /// Source text, translation, and expected findings.
  static let markupTable: [(String, String, [String])] = [
    ("plain", "schlicht", []), ("2 * 3 * 4", "2 * 3 * 4", []), ("snake_case_name", "snake_case_name", []),
    ("a^[b", "a^[b", []),
    ("**Bold** text", "**Fetter** Text", []), ("__Bold__", "**Fett**", []), ("***both***", "***beides***", []),
    ("**Bold** text", "Fetter Text", ["warning: a bold text (**…**) is missing"]),
    (
      "**Bold** text", "**Fetter Text",
      ["error: the markup ** has no counterpart", "warning: a bold text (**…**) is missing"]
    ),
    ("**Bold** text", "** Fetter ** Text", ["warning: a bold text (**…**) is missing"]),
    ("*a* and *b*", "*a* und b", ["warning: an italic text (*…*) is missing"]),
    ("Run `ls`", "Starte `ls`", []), ("Run `ls`", "Starte ls", ["warning: a code span (`…`) is missing"]),
    ("Run `ls`", "Starte `ls", ["error: the markup ` has no counterpart", "warning: a code span (`…`) is missing"]),
    ("~~old~~", "~~alt~~", []), ("~~old~~", "alt", ["warning: a strikethrough text (~~…~~) is missing"]),
    (#"\*a\*"#, #"\*a\*"#, []), ("plain", "**fett**", ["warning: a bold text (**…**) is not in the source text"]),
    ("^[%lld bird](inflect: true)", "^[%lld Vogel](inflect: true)", []),
    ("^[%lld bird](inflect: true)", "%lld Vögel", ["warning: ^[…](inflect: true) is missing"]),
    ("^[bird](inflect: yes) **now**", "^[Vogel](inflect: yes) **jetzt**", []),
    (
      "^[%lld bird](inflect: true)", "^[%lld Vogel](inflect: wahr)",
      ["error: the attributes (inflect: wahr) are invalid"]
    ),
    (
      "^[%lld bird](inflect: true)", "^[%lld Vogel] (inflect: true)",
      ["error: the markup ^[ has no counterpart", "warning: ^[…](inflect: true) is missing"]
    ),
    (
      "^[%lld bird](inflect: true)", "^[%lld Vogel（inflect: true）",
      ["error: the markup ^[ has no counterpart", "warning: ^[…](inflect: true) is missing"]
    ),
    ("^[a](inflect: true, agreeWithArgument: 1)", "^[b](agreeWithArgument: 1, inflect: true)", []),
    (
      "^[a](morphology: { partOfSpeech: \"noun\", number: \"plural\" })",
      "^[b](morphology: { partOfSpeech: \"noun\" })", []
    ),
    ("^[a](inflect: true)", "^[b](inflect: true, x: 1)", ["warning: the attribute x is not in the source text"]),
    ("^[**%lld** bird](inflect: true)", "^[**%lld** Vogel](inflect: true)", []),
    ("[Terms](https://x.org/terms)", "[Bedingungen](https://x.org/terms)", []),
    ("[Terms](https://x.org/terms)", "Bedingungen", ["warning: a link is missing"]),
    (
      "[Terms](https://x.org/en/terms)", "[AGB](https://x.org/de/terms)",
      ["note: the link to https://x.org/en/terms now goes to the localized https://x.org/de/terms"]
    ),
    (
      "[Wiki](https://en.wikipedia.org/wiki)", "[Wiki](https://de.wikipedia.org/wiki)",
      ["note: the link to https://en.wikipedia.org/wiki now goes to the localized https://de.wikipedia.org/wiki"]
    ),
    (
      "[H](https://x.org/h?hl=en)", "[H](https://x.org/h?hl=pt-BR)",
      ["note: the link to https://x.org/h?hl=en now goes to the localized https://x.org/h?hl=pt-BR"]
    ),
    (
      "[Terms](https://x.org/terms)", "[AGB](https://evil.org/terms)",
      ["warning: the link to https://x.org/terms now goes to https://evil.org/terms"]
    ),
    (
      "[Terms](https://x.org/terms)", "[AGB](http://x.org/terms)",
      ["warning: the link to https://x.org/terms now goes to http://x.org/terms"]
    ),
    (
      "[Terms](https://x.org/terms)", "[AGB] (https://x.org/terms)", ["warning: a link is missing"]
    ),
    (
      "[Terms](https://x.org/terms)", "[AGB](https://x.org/terms",
      ["error: the markup ]( has no counterpart", "warning: a link is missing"]
    ),
    ("[a](%@) [b](%@)", "[b](%@) [a](%@)", []), ("text", "[a](b:c)", ["warning: a link is not in the source text"]),
    ("**[%@](https://x.org)**", "**[%@](https://x.org)**", []),
  ]

  @Test("incomplete markup and changed link targets are reported", arguments: markupTable)
  func markup(source: String, translation: String, expected: [String]) {
    #expect(Self.said(MarkupCheck.findings(of: translation, against: source)) == expected)
  }

  @Test(
    "a returned text with broken markup is held; a text that lost markup is accepted",
    arguments: [
      ("Tap <b>here</b>", "Hier <b>tippen</b>", nil), ("Tap <b>here</b>", "Hier tippen", nil),
      ("Tap <b>here</b>", "<b>Hier tippen", "the tag <b> is not closed"),
      ("Tap <b>here</b>", "Hier</b> tippen", "the tag </b> is in the wrong place"),
      ("<b>a</b> <i>b</i>", "<b>a <i>b</b></i>", "the tag </b> is in the wrong place"),
      ("<link>a</link>", "<link>a<link>", "the tag <link> is not closed"),
      ("One<p>two", "Eins<p>zwei", nil), ("</b>odd<b>", "</b>so<b>", nil), ("Open", "<b>Öffnen", nil),
      ("Enter <your name> and <b>go</b>", "<Ihr Name> eingeben, dann <b>los</b>", nil),
      ("Press `<b>` or <b>x</b>", "`<b>` oder <b>x</b>", nil), ("a < b <b>c</b>", "a < b <b>c</b>", nil),
      ("[Terms](https://x.org/t)", "[AGB] (https://x.org/t)", "the link to https://x.org/t is broken"),
      ("[Terms](https://x.org/t)", "AGB", nil), ("**a**", "**a", "the markup ** has no counterpart"),
    ] as [(String, String, String?)])
  func fault(_ source: String, _ translation: String, _ fault: String?) {
    #expect(MarkupCheck.fault(of: translation, against: source) == fault)
  }

  @Test("nested brackets are checked in linear time")
  func depth() {
    let deep = String(repeating: "^[", count: 5_000) + "x" + String(repeating: "](inflect: true)", count: 5_000)
    #expect(!MarkupCheck.findings(of: deep, against: "**a**").isEmpty)
  }

  /// Source text, translation, language, path, and expected findings.
  static let placeholdersTable: [(String, String, LocaleIdentifier, String, [String])] = [
    ("%lld birds", "%lld Vögel", "de", "", []), ("%lld birds", "%ld Vögel", "de", "", []),
    ("%lld birds", "%qi Vögel", "de", "", []),
    ("%lld birds", "%d Vögel", "de", "", ["error: %d formats argument 1, which is %lld"]),
    ("%d birds", "%lld Vögel", "de", "", ["error: %lld formats argument 1, which is %d"]),
    ("%d birds", "%u %x", "de", "", ["error: %x is not in the source text"]), ("%d birds", "%u", "de", "", []),
    ("%@ birds", "%s Vögel", "de", "", ["error: %s formats argument 1, which is %@"]),
    ("%@ of %lld", "%2$lld von %1$@", "de", "", []),
    ("%@ of %lld", "%lld von %@", "de", "", ["error: %lld formats argument 1, which is %@"]),
    ("%@ of %@", "%2$@ von %@", "de", "", ["warning: numbered and unnumbered arguments are mixed"]),
    (
      "%@ of %@", "%1$@ von %@", "de", "",
      ["error: %@ is missing", "warning: numbered and unnumbered arguments are mixed"]
    ),
    ("%*d", "%*d", "de", "", []), ("%*d", "%d", "de", "", ["error: %*d is missing"]),
    ("%.2f km", "%.1f km", "de", "", []),
    ("%lld birds", "%arg Vögel", "de", "", ["error: %arg is allowed only in the forms of a substitution"]),
    ("%lld birds", "ein Vogel", "de", "plural.one", []),
    (
      "%lld birds", "птах", "uk", "plural.one",
      ["warning: the form does not show the number, but uk uses “one” for several numbers"]
    ),
    ("%lld birds", "жодного птаха", "uk", "plural.zero", []),
    ("%lld birds", "птахів", "uk", "plural.many", ["error: %lld is missing"]),
    ("50% off", "50 % Rabatt", "de", "", []),
    ("%lld%% off", "%lld% Rabatt", "de", "", ["error: it has a single % instead of %%"]),
    ("Open ${app}", "Öffne ${App}", "de", "", ["error: ${App} is not in the source text"]),
  ]

  @Test(
    "arguments that break a text are errors, and arguments that may be wrong are warnings", arguments: placeholdersTable
  )
  func placeholders(
    source: String, translation: String, language: LocaleIdentifier, at place: String, expected: [String]
  ) {
    let forms = SourceForms(
      key: "key",
      entry: CatalogEntry(translations: [
        "en": place.isEmpty ? Translation(source) : plurals(["one": source, "other": source])
      ]), sourceLanguage: "en")
    let findings = PlaceholderCheck(source: forms).findings(of: .text(translation), at: path(place), in: language)
    #expect(Self.said(findings) == expected)
  }

  /// Language, plural categories, and expected findings.
  static let categoriesTable: [(LocaleIdentifier, [String], [String])] = [
    ("en", ["one", "other"], []), ("en", ["zero", "one", "other"], []),
    ("en", ["other"], ["error: en needs the plural form “one”"]),
    ("ja", ["other"], []), ("ja", ["zero", "other"], []),
    ("ja", ["one", "other"], ["warning: ja never shows the plural form “one”"]),
    ("uk", ["one", "other"], ["error: uk needs the plural form “few”", "error: uk needs the plural form “many”"]),
    ("fr", ["one", "many", "other"], []), ("fr", ["one", "other"], []), ("he", ["one", "two", "many", "other"], []),
    ("de", ["one", "few", "other"], ["warning: de never shows the plural form “few”"]),
    ("en", ["=0", "one", "other"], ["warning: en never shows the plural form “=0”"]), ("xx", ["one", "other"], []),
  ]

  @Test("a plural must have exactly the forms that its language uses", arguments: categoriesTable)
  func categories(language: LocaleIdentifier, forms: [String], expected: [String]) {
    let translation = plurals(Dictionary(uniqueKeysWithValues: forms.map { ($0, "%lld") }))
    #expect(Self.said(PluralCheck.findings(in: translation, for: language)) == expected)
    let substituted = substituted("%#@n@", "n", Dictionary(uniqueKeysWithValues: forms.map { ($0, "%arg") }))
    #expect(Self.said(PluralCheck.findings(in: substituted, for: language)) == expected)
  }

  @Test("a long text with unclosed markup is checked without hanging", arguments: ["<b ", "`<b ", "\\<b "])
  func endless(piece: String) {
    let text = String(repeating: piece, count: 300_000)
    #expect(TagCheck.fault(of: text, against: text) == nil)
    #expect(TagCheck.fault(of: "<b>x</b>" + text, against: text) == "the tag <b> is not in the source text")
  }
}
