import Daemon
import Localization
import Testing
import Workspace

/// The rules of `check`, each with texts that it must report and texts that it must ignore.
struct AdviceTests {
  static let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(name: "Kit", defaultLocalization: "en", targets: [
      .target(name: "Kit", resources: [.process("Resources")])
    ])
    """

  static func catalog(_ entries: [String: String]) -> String {
    let members = entries.sorted { $0.key < $1.key }.map { "\"\($0.key)\" : { \($0.value) }" }
    return
      "{ \"sourceLanguage\" : \"en\", \"strings\" : {\n\(members.joined(separator: ",\n"))\n}, \"version\" : \"1.0\" }"
  }

  static func unit(_ text: String, _ state: String = "translated") -> String {
    "{ \"stringUnit\" : { \"state\" : \"\(state)\", \"value\" : \"\(text)\" } }"
  }

  static func plural(_ forms: [String: String]) -> String {
    let members = forms.sorted { $0.key < $1.key }.map { "\"\($0.key)\" : \(unit($0.value))" }
    return "{ \"variations\" : { \"plural\" : { \(members.joined(separator: ", ")) } } }"
  }

  static func texts(_ languages: [String: String]) -> String {
    let members = languages.sorted { $0.key < $1.key }.map { "\"\($0.key)\" : \($0.value)" }
    return "\"extractionState\" : \"manual\", \"localizations\" : { \(members.joined(separator: ", ")) }"
  }

  /// Returns the advice for a project by the rules with these ids; `nil` for the default rules.
  static func advice(_ files: [String: String], rules: [String]?) throws -> Advice {
    var snapshot = try ProjectSnapshot(InMemoryTree(texts: files), for: .comparison, with: .standard())
    try snapshot.extract(ExtractionOptions())
    return try Advice(on: snapshot, rules: rules.map { ids in AdviceRule.all.filter { ids.contains($0.id) } })
  }

  static func advice(code: String = "", catalog entries: [String: String] = [:], rule: String) throws -> Advice {
    try advice(
      [
        "Package.swift": manifest, "Sources/Kit/Kit.swift": "import Foundation\n" + code,
        "Sources/Kit/Resources/Localizable.xcstrings": catalog(entries),
      ], rules: [rule])
  }

  /// Returns code with one function for each string, from line 2 on. The part of a string after `|` is its comment.
  static func functions(_ strings: [String]) -> String {
    strings.enumerated().map { index, string in
      let parts = string.split(separator: "|").map(String.init)
      let comment = parts.count > 1 ? ", comment: \"\(parts[1])\"" : ""
      return
        "func f\(index)(a: String, n: Int) -> String { String(localized: \"\(parts[0])\", bundle: .module\(comment)) }\n"
    }.joined()
  }

  @Test("comment-missing reports short texts and texts with arguments, unless they are self-explanatory")
  func commentMissing() throws {
    let advice = try Self.advice(
      code: Self.functions([
        "Book", "\\(a) installed", "New \\(a) session", "\\(a) from \\(a)",
        // These texts are self-explanatory or have a comment.
        "Cancel", "OK", "iCloud", "URL", "\\(n) files", "Open the folder now", "\\(a)", "Read|Verb: to read a book",
        "settings.title", "save_button", "{{ now() }}", "example.org", "Open Folder", "10 min",
        "Temperature", "⇧ (Shift)", "every \\(n) min",
        "Version \\(a)", "Reason: \\(a)", "Sent by \\(a)", "\\(n) of \\(n)",
      ]), rule: "comment-missing")
    #expect(advice.findings.map(\.key.text).sorted() == ["%@ from %@", "%@ installed", "Book", "New %@ session"])
    #expect(advice.findings.map(\.line) == [2, 3, 4, 5])
    #expect(advice.findings.allSatisfy { $0.path == "Sources/Kit/Kit.swift" && $0.severity == .note })
  }

  @Test("comment-missing accepts a comment that is not a literal, but ignores the comment of the next call")
  func computedComment() throws {
    let advice = try Self.advice(
      code: """
        let a = NSLocalizedString(
          "%@ missing", bundle: .module,
          comment: "Button: " + meaning)
        let b = NSLocalizedString("%@ played", bundle: .module, comment: "")
        let c = String(localized: "Watch", bundle: .module); let d = String(localized: "Rest", bundle: .module, comment: "Verb")

        """, rule: "comment-missing")
    #expect(advice.findings.map(\.key.text) == ["%@ played", "Watch"])
  }

  @Test("comment-echo reports a comment that only repeats the key or the text")
  func commentEcho() throws {
    let advice = try Self.advice(
      code: Self.functions([
        "Open|Open", "\\(a) installed|%@ installed.", "Close|Button: closes the window", "Watch",
      ]), catalog: ["a.title": "\"comment\" : \"A Title\", " + Self.texts(["en": Self.unit("Welcome")])],
      rule: "comment-echo")
    #expect(Set(advice.findings.map(\.key.text)) == ["Open", "%@ installed", "a.title"])
  }

  @Test("argument-unexplained reports a comment that explains none of several arguments")
  func argumentUnexplained() throws {
    let advice = try Self.advice(
      code: Self.functions([
        "\\(a) in \\(a)|Heading of the search", "\\(a) on \\(a)|1: name of the file, 2: the disk",
        "\\(a) at \\(a)|The first argument is a person", "\\(a) alone|Heading", "\\(a) by \\(a)|Author of a book",
        "\\(a) or \\(a)|Choice of two people", "\\(a) from \\(a)|No comment provided by engineer.",
        // The text names its arguments.
        "Version \\(a) (build \\(a))|On the page of the app", "Reason: \\(a) Day: \\(a)|Notice",
        "\\(n) of \\(n)|Progress header",
        "Source: \\(a)://\\(a)|Link",
      ]), rule: "argument-unexplained")
    #expect(advice.findings.map(\.key.text) == ["%@ in %@"])
  }

  @Test("plural-missing reports a whole number before a plural noun in a text without plural forms")
  func pluralMissing() throws {
    let right = ["%lld files", "Delete %lld photos?", "%1$lld of %2$lld people", "%d days left"]
    let wrong = [
      // These texts have no number, a noun that is not counted, no noun, or a noun that the system inflects.
      "%lld requires a restart", "Line %lld contains a tab", "%lld ms", "%02d hours", "%@ files", "%lld%% files",
      "^[%lld files](inflect: true)", "%lld is odd", "#%lld files", "%lld", "%lld new", "%.1f miles", "%x bytes",
    ]
    var entries = Dictionary(
      uniqueKeysWithValues: (right + wrong).map { ($0, "\"extractionState\" : \"manual\"") })
    entries["%lld birds"] = Self.texts(["en": Self.plural(["one": "%lld bird", "other": "%lld birds"])])
    entries["%lld cats"] = Self.texts(["de": Self.plural(["one": "%lld Katze", "other": "%lld Katzen"])])
    let advice = try Self.advice(catalog: entries, rule: "plural-missing")
    #expect(Set(advice.findings.map(\.key.text)) == Set(right))
    #expect(advice.findings.allSatisfy { $0.severity == .warning && $0.line != nil })
  }

  @Test("plural-number-missing reports plural forms that are used for several numbers but do not show the number")
  func pluralNumberMissing() throws {
    let english = Self.plural(["one": "One file", "other": "%lld files"])
    let advice = try Self.advice(
      catalog: [
        "files %lld": Self.texts([
          "en": english,
          "uk": Self.plural(["one": "Один файл", "few": "%lld файли", "many": "%lld файлів", "other": "%lld файлу"]),
          "de": Self.plural(["one": "Eine Datei", "other": "%lld Dateien"]),
          // In French, one form is used for both 0 and 1.
          "fr": Self.plural(["one": "Un fichier", "other": "%lld fichiers"]),
        ])
      ], rule: "plural-number-missing")
    #expect(advice.findings.map(\.language) == ["uk"])
    #expect(advice.findings.first?.form == [.plural(.one)])
  }

  @Test(
    "placeholder-mismatch reports different arguments, but not a different order or a text that is still untranslated")
  func placeholders() throws {
    let advice = try Self.advice(
      catalog: [
        "%lld of %@": Self.texts([
          "de": Self.unit("%@ von %@"), "fr": Self.unit("%2$@ : %1$lld"), "it": Self.unit("%lld", "needs_review"),
          "es": Self.unit("%@", "new"),
        ]),
        "50% off": Self.texts(["de": Self.unit("50 % Rabatt"), "fr": Self.unit("50 % de réduction")]),
        "Plain": Self.texts(["de": Self.unit("Einfach 5 %")]),
        "followers %lld %@": Self.texts([
          "en": "{ \"stringUnit\" : { \"state\" : \"translated\", \"value\" : \"%#@followers@\" }, \"substitutions\" : "
            + "{ \"followers\" : { \"formatSpecifier\" : \"lld\", \"variations\" : { \"plural\" : { \"one\" : "
            + "\(Self.unit("%2$@ follower")), \"other\" : \(Self.unit("%2$@ followers")) } } } } }",
          "ko": Self.unit("%2$@ 팔로워"),
        ]),
      ], rule: "placeholder-mismatch")
    #expect(advice.findings.map(\.language) == ["de", "it"])
    #expect(advice.findings.allSatisfy { $0.severity == .error && $0.key == "%lld of %@" })
  }

  @Test("markup-mismatch reports lost and broken markup, but not markup that only the translation has")
  func markup() throws {
    let advice = try Self.advice(
      catalog: [
        "Read the [terms](https://example.com)": Self.texts([
          "de": Self.unit("Die Bedingungen lesen"), "fr": Self.unit("Lire les [conditions](https://example.com)"),
        ]),
        "**Now** or never": Self.texts([
          "de": Self.unit("**Jetzt oder nie"), "fr": Self.unit("**Maintenant** ou jamais"),
          "it": Self.unit("**Ora** o *mai*"),
        ]),
        "Plain": Self.texts(["de": Self.unit("**Einfach**")]),
        // The texts have a plain asterisk, spaces around a link target, or underscores that are the app's own markup.
        "For **readers** only": Self.texts(["de": Self.unit("Nur für **Leser*innen**")]),
        "[Help](https://example.com/h)": Self.texts(["et": Self.unit("[Abi]( https://example.com/h )")]),
        // The translations have quotation marks or nothing in place of code marks, or do not emphasize a word.
        "Run `tool` now": Self.texts(["de": Self.unit("„tool“ jetzt ausführen"), "fr": Self.unit("Exécuter")]),
        "This *and* that": Self.texts(["ja": Self.unit("これもあれも")]),
        "Our _terms_ apply": Self.texts(["zh-Hans": Self.unit("我们的_条款_适用")]),
        "^[%lld file](inflect: true)": Self.texts(["uk": Self.unit("Файлів: %lld")]),
        // The translations have less emphasis, and a link to a page in the language of the translation.
        "All of *the* **birds** in __town__ and _beyond_": Self.texts(["nl": Self.unit("Alle **vogels** in de stad")]),
        "See [birds](https://en.example.org/wiki/Bird)": Self.texts([
          "nl": Self.unit("Zie [vogels](https://nl.example.org/wiki/Vogel)")
        ]),
        "Read [this](https://example.org/privacy-en.html)": Self.texts([
          "nl": Self.unit("Lees [dit](https://example.org/privacy-nl.html)"),
          "ru": Self.unit("Читать [это](https://example.org/terms-ru.html)"),
        ]),
        "**Reason:** %@ **Day:** %@": Self.texts(["de": Self.unit("Grund: %@ Tag: %@")]),
      ], rule: "markup-mismatch")
    #expect(
      advice.findings.map { "\($0.key) \($0.language?.rawValue ?? "")" }.sorted() == [
        "**Now** or never de", "**Reason:** %@ **Day:** %@ de",
        "Read [this](https://example.org/privacy-en.html) ru", "Read the [terms](https://example.com) de",
      ])
  }

  @Test("plural-category-missing reports a missing form for whole numbers, unless the form would equal another form")
  func pluralCategory() throws {
    let english = Self.plural(["one": "%lld file", "other": "%lld files"])
    let advice = try Self.advice(
      catalog: [
        "files %lld": Self.texts([
          "en": english, "uk": Self.plural(["one": "%lld файл", "other": "%lld файлу"]),
          // In Czech, `many` is for fractions. Turkish nouns do not change after a number, and Japanese has one form.
          "cs": Self.plural(["one": "%lld soubor", "few": "%lld soubory", "other": "%lld souborů"]),
          "tr": Self.plural(["other": "%lld dosya"]), "ja": Self.plural(["other": "%lld 個"]),
          "de": Self.plural(["other": "%lld Dateien"]),
        ]),
        // The source text has no form for 1 either.
        "replaced %lld": Self.texts([
          "en": Self.plural(["other": "%lld replaced"]), "de": Self.plural(["other": "%lld ersetzt"]),
        ]),
        "sent %lld": Self.texts(["en": Self.plural(["other": "%lld letters"])]),
        // One text for all numbers is enough for Japanese, for Turkish, and for “replaced”, whose source text also has only one form.
        "flat %lld": Self.texts([
          "en": english, "uk": Self.unit("%lld файлу"), "de": Self.unit("%lld Dateien"), "ja": Self.unit("%lld 個"),
          "tr": Self.unit("%lld dosya"),
        ]),
        "replaced flat %lld": Self.texts([
          "en": Self.plural(["other": "%lld replaced"]), "de": Self.unit("%lld ersetzt"),
        ]),
      ], rule: "plural-category-missing")
    #expect(
      advice.findings.map { "\($0.key) \($0.language?.rawValue ?? "")" }.sorted() == [
        "files %lld de", "files %lld uk", "flat %lld de", "flat %lld uk", "sent %lld ",
      ])
    #expect(advice.findings.contains { $0.message.contains("“few”, “many”") })
    #expect(advice.findings.contains { $0.message.contains("“few”, “many”, “one”") })
  }

  @Test("same-as-source reports copied sentences, but not names, other states or variants of the source language")
  func sameAsSource() throws {
    let copy = { (text: String) in
      Self.texts([
        "de": Self.unit(text), "en-GB": Self.unit(text), "fr": Self.unit(text, "needs_review"),
        "it": Self.unit("Altro"),
      ])
    }
    let advice = try Self.advice(
      catalog: [
        "Delete all of them": copy("Delete all of them"), "Terms of Service": copy("Terms of Service"),
        "Tap to Play on Trains": copy("Tap to Play on Trains"),
        "/path/to/folder/here": copy("/path/to/folder/here"), "OK then": copy("OK then"),
        "www.example.org/more/help": copy("www.example.org/more/help"), "user@example.org": copy("user@example.org"),
        "bird,nest,feather,wing": copy("bird,nest,feather,wing"),
        "© 2026 The makers. All rights reserved.": copy("© 2026 The makers. All rights reserved."),
        "Lorem ipsum dolor sit amet": copy("Lorem ipsum dolor sit amet"),
        "Never touch this name": "\"shouldTranslate\" : false, " + copy("Never touch this name"),
      ], rule: "same-as-source")
    #expect(advice.findings.map(\.language) == ["de"])
    #expect(advice.findings.first?.key == "Delete all of them")
  }

  @Test("keys-alike reports keys that differ in case, white space or final punctuation")
  func keysAlike() throws {
    let keys = [
      "Sign In", "Sign in", "Try again", "Try again.", "Loading...", "Loading…", "Save  as", "Save as",
      // The texts are different: a menu item that opens a dialog, and a word inside a sentence.
      "Open", "Open…", "None", "none", "Close", "Closed",
      // The text is only a number.
      "%lld", "%lld.",
    ]
    let advice = try Self.advice(
      catalog: Dictionary(uniqueKeysWithValues: keys.map { ($0, "\"extractionState\" : \"manual\"") }),
      rule: "keys-alike")
    let described = try Self.advice(
      catalog: [
        "Split editor": "\"comment\" : \"Tooltip\", \"extractionState\" : \"manual\"",
        "Split Editor": "\"comment\" : \"Command\", \"extractionState\" : \"manual\"",
      ], rule: "keys-alike")
    #expect(described.findings.isEmpty)
    #expect(Set(advice.findings.map(\.key.text)) == ["Sign in", "Try again.", "Loading…", "Save as"])
  }

  @Test("concatenated reports texts that begin or end with a space, but not separators")
  func concatenated() throws {
    let advice = try Self.advice(
      code: Self.functions(["Sent by "]),
      catalog: [
        " ago": "\"extractionState\" : \"manual\"", " – ": "\"extractionState\" : \"manual\"",
        "%@ ": "\"extractionState\" : \"manual\"", "Whole": "\"extractionState\" : \"manual\"",
        "Old ": "\"extractionState\" : \"stale\"",
      ], rule: "concatenated")
    #expect(Set(advice.findings.map(\.key.text)) == ["Sent by ", " ago"])
    #expect(advice.findings.contains { $0.path == "Sources/Kit/Kit.swift" && $0.line == 2 })
  }
}
