import Daemon
import Localization
import Testing
import Workspace

/// False positives found in public projects. For each kind of false positive there is an example that the rule must ignore and an example that the
/// rule must report.
struct AdvicePrecisionTests {
  private static func keys(_ strings: [String], _ rule: String) throws -> [String] {
    try AdviceTests.advice(code: AdviceTests.functions(strings), rule: rule).findings.map(\.key.text)
  }

  @Test("comment-missing ignores texts that have only one meaning in a user interface")
  func wordsWithOneMeaning() throws {
    let words = [
      "Save", "Close", "Name", "Date", "Search", "Today", "Next", "General", "Import", "Stop", "Open", "All", "None",
    ]
    #expect(try Self.keys(words, "comment-missing") == ["Open", "All", "None"])
  }

  @Test("comment-missing ignores arguments that the words around them explain")
  func explainedArguments() throws {
    let clear = [
      // The argument is in quotation marks or parentheses, or follows a label, a comma or a dash.
      "Could not open “\\(a)”", "Delete '\\(a)'?", "`\\(a)` failed", "Sorted (\\(a))", "Hello, \\(a)", "格式：\\(a)",
      "Price - \\(a)",
      // The argument is next to a noun that names it, a unit, or “of”.
      "Wrong \\(a) profile", "The region \\(a)", "\\(a) GB", "\\(a) Gbit/s", "\\(a) of \\(a)", "Read by \\(a)",
      "v\\(a) changes",
      // The argument is in a long sentence, or is a number.
      "The settings of \\(a) could not be written to the disk", "\\(n) files deleted, size \\(a)",
      "\\(a) is used by another app now",
      "Query %s", "\\(a)x", "**\\(a)** added **\\(a)**", "\\(a) (signed)", "于\\(a)过期",
      // The argument is at the end of the text, or after a complete sentence.
      "Open \\(a)", "Uninstall \\(a)?", "Scroll to \\(a)", "For example. \\(a)",
    ]
    #expect(try Self.keys(clear, "comment-missing") == [])
    let unclear = ["\\(a) remaining", "All \\(a) items", "\\(a) does not support \\(a)"]
    #expect(try Self.keys(unclear, "comment-missing").count == 3)
    #expect(
      try Self.keys(["\\(a) (\\(n) options)|Format", "Machine \\(a), version \\(a)|Row"], "argument-unexplained") == [])
  }

  @Test("comment-echo ignores comments that are sentences, or equal to the text of a symbolic key")
  func echoOfSentences() throws {
    #expect(
      try Self.keys(
        ["The rule could not be changed|The rule could not be changed", "Star|Star", "settings_star|settings_star"],
        "comment-echo")
        == ["Star", "settings_star"])
    let named = try AdviceTests.advice(
      catalog: ["settings.hide": "\"comment\" : \"Hide\", " + AdviceTests.texts(["en": AdviceTests.unit("Hide")])],
      rule: "comment-echo")
    #expect(named.findings.isEmpty)
  }

  @Test("rules ignore tests and debug views")
  func developers() throws {
    let code = "import Foundation\nlet a = String(localized: \"Book\")\n"
    let advice = try AdviceTests.advice(
      [
        "Package.swift": AdviceTests.manifest, "Sources/Kit/StateDebugView.swift": code,
        "Sources/Kit/Tests/Kit.swift": code.replacing("Book", with: "Watch"),
        "Sources/Kit/View.swift": code.replacing("Book", with: "Open"),
        "Sources/Kit/Resources/Localizable.xcstrings": AdviceTests.catalog([:]),
      ], rules: ["comment-missing"])
    #expect(advice.findings.map(\.key.text) == ["Open"])
  }

  @Test("plural-missing ignores keys for a single plural form, and same-as-source ignores shell commands")
  func ownPluralForms() throws {
    let catalog = [
      "files_many": AdviceTests.texts(["en": AdviceTests.unit("%d files")]),
      "files_total": AdviceTests.texts(["en": AdviceTests.unit("%d files in total")]),
    ]
    #expect(
      try AdviceTests.advice(catalog: catalog, rule: "plural-missing").findings.map(\.key.text) == ["files_total"])
    let command = "defaults write org.example.app ignore true"
    #expect(
      try AdviceTests.advice(
        catalog: [command: AdviceTests.texts(["de": AdviceTests.unit(command)])], rule: "same-as-source"
      ).findings.isEmpty)
  }

  @Test(
    "placeholder-mismatch ignores English word endings, same-as-source ignores code, and concatenated ignores layout spaces"
  )
  func endingsAndLayout() throws {
    let files = ["%lld file%@", "%lld of %@"].map { ($0, AdviceTests.texts(["ko": AdviceTests.unit("%lld 파일")])) }
    #expect(
      try AdviceTests.advice(catalog: Dictionary(uniqueKeysWithValues: files), rule: "placeholder-mismatch").findings
        .map(\.key.text) == ["%lld of %@"])
    let code = "The rate is (Int(value)) now"
    #expect(
      try AdviceTests.advice(
        catalog: [code: AdviceTests.texts(["de": AdviceTests.unit(code)])], rule: "same-as-source"
      ).findings.isEmpty)
    let texts = [" Preferences", "  - Open it", " Birds ", " points", "Sent by ", " (beta)", "Done. ", "Size: "]
    let advice = try AdviceTests.advice(
      catalog: Dictionary(uniqueKeysWithValues: texts.map { ($0, "\"extractionState\" : \"manual\"") }),
      rule: "concatenated")
    #expect(Set(advice.findings.map(\.key.text)) == [" points", "Sent by "])
  }

  @Test("placeholder-mismatch reports a reference to a substitution that the translation lacks, or in a plural form")
  func references() throws {
    let forms = AdviceTests.plural(["one": "%arg bird", "other": "%arg birds"]).dropFirst().dropLast()
    func substituted(_ text: String) -> String {
      let substitutions = "\"substitutions\" : { \"n\" : { \"argNum\" : 1, \"formatSpecifier\" : \"lld\", \(forms) } }"
      return "\(AdviceTests.unit(text).dropLast()), \(substitutions) }"
    }
    let advice = try AdviceTests.advice(
      catalog: [
        "%lld birds": AdviceTests.texts([
          "en": substituted("%#@n@ in all"), "de": substituted("%#@n@ insgesamt"),
          "fr": AdviceTests.unit("%#@n@ en tout"),
          "it": AdviceTests.plural(["one": "%lld uccello", "other": "%#@n@ in tutto"]),
        ])
      ], rule: "placeholder-mismatch")
    #expect(
      advice.findings.map(\.message) == [
        "fr: the translation does not define %#@n@, so users see the reference",
        "it: %#@n@ cannot be used in a plural form; use %1$lld",
      ])
  }

  @Test("rules about translations ignore the pseudo-language qqq, which documents messages")
  func messageDocumentation() throws {
    let advice = try AdviceTests.advice(
      catalog: [
        "Port %@ is in use": AdviceTests.texts(["qqq": AdviceTests.unit("An error"), "de": AdviceTests.unit("Belegt")])
      ],
      rule: "placeholder-mismatch")
    #expect(advice.findings.map(\.language) == ["de"])
  }

  @Test("keys-alike ignores keys that differ only in a line break or in the case of a unit")
  func lineBreaks() throws {
    let keys = ["Loading", "Loading\\n", "Two  words", "Two words", "%.0f Kb", "%.0f KB"]
    let advice = try AdviceTests.advice(
      catalog: Dictionary(uniqueKeysWithValues: keys.map { ($0, "\"extractionState\" : \"manual\"") }),
      rule: "keys-alike")
    #expect(advice.findings.map(\.key.text) == ["Two words"])
  }

  @Test(
    "key-in-two-contexts reports an ambiguous word only if one comment is about an action and another about a thing")
  func contexts() throws {
    let pairs = [
      ("Open", "Button in the file list", "State of a shop"), ("Block", "Button below an invitation", "Alert action"),
      ("Favorites", "Title of a tab", "Button of the menu"),
    ]
    let code = pairs.enumerated().map { index, pair in
      """
      let a\(index) = String(localized: "\(pair.0)", bundle: .module, comment: "\(pair.1)")
      let b\(index) = String(localized: "\(pair.0)", bundle: .module, comment: "\(pair.2)")

      """
    }.joined()
    #expect(try AdviceTests.advice(code: code, rule: "key-in-two-contexts").findings.map(\.key.text) == ["Open"])
  }

  @Test("rules ignore example apps, simulated devices, developer menus, and deprecated or archived code")
  func placesOfDevelopers() throws {
    let code = "import Foundation\nlet a = String(localized: \"Book\")\n"
    let folders = ["Example", "BirdsExample", "Demo", "Developer Menu", "MockKit", "Deprecated"]
    for folder in folders + ["Views"] {
      let advice = try AdviceTests.advice(
        [
          "Package.swift": AdviceTests.manifest, "Sources/Kit/\(folder)/View.swift": code,
          "Sources/Kit/Resources/Localizable.xcstrings": AdviceTests.catalog([:]),
        ], rules: ["comment-missing"])
      #expect(advice.findings.count == (folder == "Views" ? 1 : 0), "\(folder)")
    }
    let text = ["All of the birds": AdviceTests.texts(["de": AdviceTests.unit("All of the birds")])]
    for folder in ["Archive", "Kit"] {
      let advice = try AdviceTests.advice(
        ["\(folder)/Localizable.xcstrings": AdviceTests.catalog(text)], rules: ["same-as-source"])
      #expect(advice.findings.count == (folder == "Kit" ? 1 : 0), "\(folder)")
    }
  }

  @Test(
    "rules about translations ignore copied plural forms, texts that a comment protects, and repeated links")
  func copies() throws {
    let forms = ["one": "%lld egg was laid", "other": "%lld eggs were laid"]
    let copy = AdviceTests.texts(["en": AdviceTests.plural(forms), "uk": AdviceTests.plural(forms)])
    let own = AdviceTests.texts([
      "en": AdviceTests.plural(forms), "uk": AdviceTests.plural(["one": "%lld яйце", "other": "%lld яйця"]),
    ])
    let plurals = try AdviceTests.advice(catalog: ["a": copy, "b": own], rule: "plural-category-missing")
    #expect(plurals.findings.map(\.key.text) == ["b"])
    let text = AdviceTests.texts(["de": AdviceTests.unit("Title of the bird")])
    let same = try AdviceTests.advice(
      catalog: [
        "Title of the bird": "\"comment\" : \"A placeholder: do not translate\", " + text,
        "Title of the nest": AdviceTests.texts(["de": AdviceTests.unit("Title of the nest")]),
      ], rule: "same-as-source")
    #expect(same.findings.map(\.key.text) == ["Title of the nest"])
    let link = "[birds](https://example.org)"
    let links = try AdviceTests.advice(
      catalog: [
        "See \(link), \(link)": AdviceTests.texts(["de": AdviceTests.unit("Siehe \(link)")]),
        "See \(link)": AdviceTests.texts(["de": AdviceTests.unit("Siehe Vögel")]),
      ], rule: "markup-mismatch")
    #expect(links.findings.map(\.key.text) == ["See \(link)"])
  }

  @Test("units of time, dates next to times, and examples in comments count as explanations of arguments")
  func datesAndExamples() throws {
    #expect(
      try Self.keys(["\\(a) days", "^[\\(n) \\(a)](inflect: true)", "\\(a) items"], "comment-missing") == ["%@ items"])
    let texts = [
      "Ends on \\(a) at \\(a)|Row", "\\(a) and \\(a) fly|Robin and Wren fly", "\\(a) beside \\(a) sings|Row",
    ]
    #expect(try Self.keys(texts, "argument-unexplained") == ["%@ beside %@ sings"])
  }

  @Test(
    "comment-echo ignores a comment equal to a symbolic key's text; keys-alike ignores tooltips and names of undo actions"
  )
  func plainWords() throws {
    let catalog = [
      "CLOSE_NEST": "\"comment\" : \"Close Nest\", " + AdviceTests.texts(["en": AdviceTests.unit("Close Nest")]),
      "nest_title": "\"comment\" : \"nest_title\", " + AdviceTests.texts(["en": AdviceTests.unit("Nests")]),
    ]
    #expect(try AdviceTests.advice(catalog: catalog, rule: "comment-echo").findings.map(\.key.text) == ["nest_title"])
    let code = """
      import SwiftUI
      func f(undo: UndoManager) { undo.setActionName(String(localized: "create nest", bundle: .module)) }
      struct V: View {
        var body: some View {
          Button { } label: { Text("Create Nest", bundle: .module) }
          Button { } label: { Text("Remove Nest", bundle: .module) }.help(Text("Remove nest", bundle: .module))
          Text("Old nest", bundle: .module)
          Text("Old Nest", bundle: .module)
        }
      }
      """
    #expect(try AdviceTests.advice(code: code, rule: "keys-alike").findings.map(\.key.text) == ["Old nest"])
  }
}
