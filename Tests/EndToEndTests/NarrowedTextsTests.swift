import Daemon
import Localization
import Testing
import Workspace

/// False positives of the fifth round of check_precision.py and of later samples. For each kind there is an example that the rule must still
/// report.
struct NarrowedTextsTests: AdviceExamples {
  @Test("same-as-source ignores texts for a single language, and labels in two languages")
  func oneLanguage() throws {
    let same = { (text: String) in Self.entry(text, ["de": text]) }
    let found = try Self.keys(
      [
        "nest_note_de": same("Dieses Nest ist noch leer"), "nest_note_en": same("This nest is still empty"),
        "nest_title_en": same("All nests of this tree"),
        "kind": same("Art des Nestes / Kind of nest"), "choice": same("Open the nest/close the nest"),
      ], "same-as-source")
    #expect(found == ["nest_title_en", "choice"])
  }

  @Test("placeholder-mismatch ignores a different width of an integer")
  func otherWidths() throws {
    let found = try Self.keys(
      [
        "width": Self.entry("Found %d nests", ["fr": "%li nids"]),
        "type": Self.entry("Found %d birds", ["fr": "%@ oiseaux"]),
        "lost": Self.entry("Found %d of %d eggs", ["fr": "%li œufs"]),
      ], "placeholder-mismatch")
    #expect(found == ["type", "lost"])
  }

  @Test("placeholder-mismatch reports a lost substitution or parameter although all other arguments are kept")
  func lostReferences() throws {
    let source = { (text: String, forms: [String]) -> String in
      let substitutions = forms.enumerated().map { index, text -> String in
        let form = String(AdviceTests.plural(["one": text, "other": text]).dropFirst().dropLast())
        return "\"n\(index + 1)\" : { \"argNum\" : \(index + 1), \"formatSpecifier\" : \"lld\", \(form) }"
      }
      return "{ \"stringUnit\" : { \"state\" : \"translated\", \"value\" : \"\(text)\" }, "
        + "\"substitutions\" : { \(substitutions.joined(separator: ", ")) } }"
    }
    let birds = source("%#@n1@ in %2$@", ["%arg birds"])
    let named = source("%#@n1@", ["%arg birds in %2$@"])
    let nests = source("%#@n1@ in %#@n2@ of %3$@", ["%arg birds", "%arg nests"])
    let found = try Self.keys(
      [
        "one": AdviceTests.texts(["en": birds, "fr": AdviceTests.unit("oiseaux dans %2$@")]),
        "inner": AdviceTests.texts(["en": named, "fr": AdviceTests.unit("oiseaux dans %2$@")]),
        "both": AdviceTests.texts(["en": nests, "fr": AdviceTests.unit("rien dans %3$@")]),
        "kept": AdviceTests.texts(["en": birds, "fr": AdviceTests.unit("%1$lld oiseaux dans %2$@")]),
        "folder": Self.entry("Open ${folder} in %@", ["fr": "Ouvrir dans %@"]),
        "width": Self.entry("Move %d birds to ${folder}", ["fr": "Déplacer %li oiseaux dans ${folder}"]),
      ], "placeholder-mismatch")
    #expect(found == ["one", "inner", "both", "folder"])
  }

  @Test("comment-missing ignores lists of values, names with a slash, and currencies")
  func lists() throws {
    let code = """
      import Foundation
      func f(a: String) -> [String] {
        [
          String(localized: "\\(a), \\(a) and \\(a)", bundle: .module),
          String(localized: "Mark \\(a)/\\(a) as read", bundle: .module),
          String(localized: "Worth \\(a) ETH", bundle: .module),
          String(localized: "Worth \\(a) each", bundle: .module),
        ]
      }
      """
    #expect(try Self.lines(code, "comment-missing") == [7])
  }

  @Test("text-not-localizable ignores texts that the code replaces later, and debug windows")
  func replaced() throws {
    let code = """
      import UIKit
      class V {
        let heading: UILabel = {
          let label = UILabel()
          label.text = "A text for now"
          return label
        }()
        lazy var button = { () -> UIButton in
          let button = UIButton()
          button.setTitle("Continue", for: .normal)
          return button
        }()
        let footer: UILabel = {
          let label = UILabel()
          label.text = "A text that stays"
          return label
        }()
        func show(_ nest: String) {
          heading.text = nest
          button.setTitle(nest, for: .normal)
          window.title = "Nest Debug"
        }
      }
      """
    #expect(try Self.lines(code, "text-not-localizable") == [15])
  }

  @Test("comment-missing ignores abbreviations and test apps, and direction-fixed ignores views with a fixed locale")
  func developers() throws {
    let code =
      "import Foundation\nlet a = [String(localized: \"PIN\", bundle: .module), String(localized: \"Pin\", bundle: .module)]\n"
    for (folder, found) in ["NestTestApp": [], "NestDemoApp": [], "Nest": ["Pin"]] {
      let advice = try AdviceTests.advice(
        [
          "Package.swift": AdviceTests.manifest, "Sources/Kit/\(folder)/View.swift": code,
          "Sources/Kit/Resources/Localizable.xcstrings": AdviceTests.catalog([:]),
        ], rules: ["comment-missing"])
      #expect(advice.findings.map(\.key.text) == found, "\(folder)")
    }
    let view = { (locale: String) in
      "import SwiftUI\nfunc f(a: some View) -> some View {\n  a\(locale)\n  .environment(\\.layoutDirection, .rightToLeft)\n}\n"
    }
    #expect(try Self.lines(view(""), "direction-fixed") == [4])
    #expect(try Self.lines(view(".environment(\\.locale, .init(identifier: \"fa\"))"), "direction-fixed").isEmpty)
  }

  @Test(
    "plural-number-missing ignores weeks, months and years; same-as-source ignores storyboard texts that no language translates"
  )
  func times() throws {
    let forms = { (noun: String) in
      AdviceTests.texts([
        "en": AdviceTests.plural(["one": "%d \(noun)", "other": "%d \(noun)s"]),
        "uk": AdviceTests.plural(["one": "Один", "few": "%d", "many": "%d", "other": "%d"]),
      ])
    }
    #expect(try Self.keys(["a": forms("year"), "b": forms("nest")], "plural-number-missing") == ["b"])
    let same = { (text: String, languages: [String: String]) in Self.entry(text, languages) }
    let text = "Some text for this label"
    let found = try Self.keys(
      [
        "GZX-Q2-Z5a.text": same(text, ["de": text, "es": text]),
        "GZX-Q2-Z5b.text": same(text, ["de": text, "es": "Texto"]),
        "label": same(text, ["de": text, "es": text]),
      ], "same-as-source")
    #expect(found == ["GZX-Q2-Z5b.text", "label"])
  }

  @Test("rules ignore commands, texts about an asterisk, disc numbers, nouns before a name, and paths")
  func smallOnes() throws {
    let same = { (text: String) in Self.entry(text, ["de": text]) }
    let commands = ["sudo nest -o edit the twig", "open the nest of $USER now", "put the nest - or the egg - down"]
    #expect(
      try Self.keys(Dictionary(uniqueKeysWithValues: commands.map { ($0, same($0)) }), "same-as-source")
        == [commands[2]])
    let marks = try Self.keys(
      [
        "a": Self.entry("Use a * here: *foo*", ["de": "Hier ein *: foo"]),
        "b": Self.entry("Read [the nest](https://example.org)", ["de": "Lies das Nest"]),
      ], "markup-mismatch")
    #expect(marks == ["b"])
    let manual = "\"extractionState\" : \"manual\""
    #expect(
      try Self.keys(["Disc %lld colors": manual, "Nest %lld colors": manual], "plural-missing") == ["Nest %lld colors"])
    let code = """
      import Foundation
      func f(a: String) -> [String] {
        [
          String(localized: "Network \\(a) started", bundle: .module),
          String(localized: "Level of \\(a) dB", bundle: .module),
          String(localized: "Then \\(a) started", bundle: .module),
        ]
      }
      """
    #expect(try Self.lines(code, "comment-missing") == [6])
    let views = """
      import SwiftUI
      struct V: View {
        var body: some View {
          TextField("/nest/egg", text: a)
          TextField("Nest or egg", text: a)
          Text("Saved", bundle: .module)
        }
      }
      """
    #expect(try Self.lines(views, "bundle-missing") == [5])
  }

  @Test("direction-fixed ignores files that place views by coordinates, and text-not-localizable ignores lorem ipsum")
  func placed() throws {
    let code = { (line: String) in
      "import UIKit\nfunc f(a: UILabel) {\n  a.textAlignment = .left\n  a.text = \"A lorem ipsum text\"\n  \(line)\n}\n"
    }
    #expect(try Self.lines(code("a.frame.origin.x = 3"), "direction-fixed").isEmpty)
    #expect(try Self.lines(code("a.text = \"A text of words\""), "direction-fixed") == [3])
    #expect(try Self.lines(code("a.text = \"A text of words\""), "text-not-localizable") == [5])
  }

  @Test(
    "bundle-missing ignores the project's own initializers; date-by-hand ignores formats chosen by language, and test helpers"
  )
  func ownInitializers() throws {
    let views = """
      import SwiftUI
      let a = [Text(localized: "Nest here"), Text("Nest here"), Text("Saved", bundle: .module)]
      """
    #expect(try CodeAdviceTests.advice(views, rule: "bundle-missing").findings.compactMap(\.column) == [45])
    let line = "f.dateFormat = \"d. MMM\""
    #expect(
      try Self.lines(
        "import Foundation\nfunc a(f: DateFormatter) { if l.languageCode == \"zh\" { \(line) } }\n", "date-by-hand"
      )
      .isEmpty)
    for (folder, count) in ["TestsFoundation": 0, "UITestHelpers": 0, "Testimonials": 1] {
      let advice = try AdviceTests.advice(
        [
          "Package.swift": AdviceTests.manifest,
          "Sources/Kit/\(folder)/View.swift": "import Foundation\nfunc a(f: DateFormatter) { \(line) }\n",
          "Sources/Kit/Resources/Localizable.xcstrings": AdviceTests.catalog([:]),
        ], rules: ["date-by-hand"])
      #expect(advice.findings.count == count, "\(folder)")
    }
  }

  @Test(
    "direction-fixed ignores a forced left-to-right direction; keys-alike ignores a lower-case phrase that is also a sentence"
  )
  func forced() throws {
    let code = """
      import UIKit
      func f(a: UIView) {
        a.semanticContentAttribute = .forceLeftToRight
        a.semanticContentAttribute = .forceRightToLeft
      }
      """
    #expect(try Self.lines(code, "direction-fixed") == [4])
    let manual = "\"extractionState\" : \"manual\""
    let found = try Self.keys(
      ["empty nest": manual, "Empty nest.": manual, "Full Nest": manual, "Full nest.": manual], "keys-alike")
    #expect(found == ["Full nest."])
  }

  @Test("same-as-source ignores protocol names; comment-missing ignores values next to punctuation and units")
  func shortWords() throws {
    let same = { (text: String) in Self.entry(text, ["de": text]) }
    let texts = ["tcp seq %lld of udp", "Duis aute irure dolor in nests", "show in tree bar"]
    #expect(
      try Self.keys(Dictionary(uniqueKeysWithValues: texts.map { ($0, same($0)) }), "same-as-source") == [texts[2]])
    let code = """
      import Foundation
      func f(a: String, n: Int) -> [String] {
        [
          String(localized: "\\(a): \\(n) ms, \\(n)% loss", bundle: .module),
          String(localized: "Time in \\(a): \\(a) · \\(a)", bundle: .module),
          String(localized: "\\(a) Gbps", bundle: .module),
          String(localized: "Story \\(a) not found", bundle: .module),
          String(localized: "\\(a) not found", bundle: .module),
        ]
      }
      """
    #expect(try Self.lines(code, "comment-missing") == [8])
  }
}
