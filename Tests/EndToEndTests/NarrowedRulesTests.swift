import Daemon
import Localization
import Testing
import Workspace

/// False positives in a sample of 31 new projects. For each kind there is an example that the rule must still report.
struct NarrowedRulesTests: AdviceExamples {
  @Test("comment-missing ignores keys that describe themselves, and prices per month")
  func describedByKey() throws {
    let code = """
      import Foundation
      func f(a: String) -> [String] {
        [
          String(localized: "Name of a color: Custom", defaultValue: "Custom", bundle: .module),
          String(localized: "poll.time-left-%@", defaultValue: "\\(a) left", bundle: .module),
          String(localized: "Subscribe for \\(a)/month", bundle: .module),
          String(localized: "Custom", bundle: .module),
          String(localized: "\\(a) left", bundle: .module),
        ]
      }
      """
    #expect(try Self.lines(code, "comment-missing") == [7, 8])
  }

  @Test("rules ignore developer settings, deprecated code and tests, but not names that only look similar")
  func developerSettings() throws {
    let code = "import Foundation\nlet a = String(localized: \"Book\", bundle: .module)\n"
    for (folder, count) in ["DevSettings": 0, "_Deprecated": 0, "KitTests": 0, "Devices": 1, "Contests": 1] {
      let advice = try AdviceTests.advice(
        [
          "Package.swift": AdviceTests.manifest, "Sources/Kit/\(folder)/View.swift": code,
          "Sources/Kit/Resources/Localizable.xcstrings": AdviceTests.catalog([:]),
        ], rules: ["comment-missing"])
      #expect(advice.findings.count == count, "\(folder)")
    }
    let testers = """
      import UIKit
      func f(a: Item, b: Settings) {
        if b.isTestFlight {
          a.prompt = "A build for testers"
        }
        a.prompt = "Sign in again"
      }
      """
    #expect(try Self.lines(testers, "text-not-localizable") == [6])
  }

  @Test(
    "rules ignore durations, product names, version labels, and short words in capitals"
  )
  func smallOnes() throws {
    let dates = """
      import Foundation
      func f(a: DateFormatter) {
        a.dateFormat = "mm:ss"
        a.dateFormat = "HH:mm"
      }
      """
    #expect(try Self.lines(dates, "date-by-hand") == [4])
    let cases = """
      import Foundation
      let a = String(localized: "Socks5", bundle: .module).uppercased()
      let b = String(localized: "Edit", bundle: .module).uppercased()
      """
    #expect(try Self.lines(cases, "case-by-hand") == [3])
    let manual = "\"extractionState\" : \"manual\""
    #expect(try Self.keys(["Version ": manual, "Certified by ": manual], "concatenated") == ["Certified by "])
    #expect(try Self.keys(["Pro": manual, "PRO": manual, "Birds": manual, "BIRDS": manual], "keys-alike") == ["Birds"])
  }

  @Test("direction-fixed ignores the alignment of a view that is also pinned to the left or right")
  func placedBySide() throws {
    let code = """
      import UIKit
      func f(a: UILabel, b: UILabel, c: UIView) {
        a.textAlignment = .left
        a.pin(.left, to: .right, of: c)
        b.textAlignment = .left
      }
      """
    #expect(try Self.lines(code, "direction-fixed") == [5])
  }

  @Test("plural-by-hand ignores a singular text that says more than the plural text")
  func otherText() throws {
    let code = """
      import Foundation
      func f(n: Int, name: String) -> [String] {
        [
          n == 1 ? String(localized: "Remove the folder \\(name)", bundle: .module) : String(localized: "Remove \\(n) folders", bundle: .module),
          n == 1 ? String(localized: "Remove the folder", bundle: .module) : String(localized: "Remove \\(n) folders", bundle: .module),
          n == 1 ? String(localized: "1 bird in \\(name)", bundle: .module) : String(localized: "\\(n) birds in \\(name)", bundle: .module),
        ]
      }
      """
    #expect(try Self.lines(code, "plural-by-hand") == [5, 6])
  }

  @Test("plural-by-hand ignores a text that another condition inside the branch chooses")
  func nestedConditions() throws {
    let code = """
      import SwiftUI
      struct V: View {
        var n: Int
        var value: String?
        var body: some View {
          if n < 2 { if let value { Text(value) } else { Text("nothing selected") } } else { Text("\\(n) selected") }
          if n < 2 { Text(value == nil ? "no bird selected" : value!) } else { Text("\\(n) birds selected") }
          switch n {
          case 1: switch value { case nil: Text("one of these nests") default: Text(value!) }
          default: Text("\\(n) of these nests")
          }
          if n < 2 { HStack { Text("one selected") } } else { Text("\\(n) selected") }
        }
      }
      """
    #expect(try Self.lines(code, "plural-by-hand") == [12])
  }

  @Test(
    "plural-missing ignores keys that are named after plural forms, and placeholder-mismatch ignores empty source texts"
  )
  func ownForms() throws {
    let found = try Self.keys(
      ["delete-plural": Self.entry("Delete %d birds?"), "delete-all": Self.entry("Delete all %d birds?")],
      "plural-missing")
    #expect(found == ["delete-all"])
    let shown = try Self.keys(
      ["seen-plural-2": Self.entry("", ["pl": "%d osób"]), "seen": Self.entry("People", ["pl": "%d osób %@"])],
      "placeholder-mismatch")
    #expect(!shown.contains("seen-plural-2"))
  }

  @Test("same-as-source ignores file extensions and placeholder texts")
  func noWords() throws {
    let same = { (text: String) in (text, Self.entry(text, ["de": text])) }
    let found = try Self.keys(
      Dictionary(uniqueKeysWithValues: [
        same(".jpg, .mov, etc."), same("[Error goes here. It can be long]"), same("Show all of them"),
      ]), "same-as-source")
    #expect(found == ["Show all of them"])
  }

  @Test("markup-mismatch ignores code spans that a translation replaces with quotation marks or with plain text")
  func quotations() throws {
    let found = try Self.keys(
      [
        "a": Self.entry("Click on `Relaunch` now", ["de": "Auf \\\"Neustarten\\\" klicken"]),
        "b": Self.entry("Open `Settings`", ["it": "Apri Impostazioni"]),
        "c": Self.entry("Open [settings](https://example.org)", ["it": "Apri Impostazioni"]),
      ], "markup-mismatch")
    #expect(found == ["c"])
  }

  @Test("comment-missing ignores values joined by “out of” or a slash, lines and columns, and “File”")
  func countedValues() throws {
    let code = """
      import Foundation
      func f(a: String, n: Int) -> [String] {
        [
          String(localized: "\\(a) out of \\(a)", bundle: .module),
          String(localized: "Making pictures (\\(n) / \\(n))", bundle: .module),
          String(localized: "Ln \\(a), Col \\(a)", bundle: .module),
          String(localized: "File", bundle: .module),
          String(localized: "\\(a) beside \\(a)", bundle: .module),
        ]
      }
      """
    #expect(try Self.lines(code, "comment-missing") == [8])
  }

  @Test("date-by-hand ignores files that choose the locale or calendar of their formatters")
  func ownLanguage() throws {
    let line = "a.dateFormat = \"d. MMM\"; "
    for reason in [
      "a.locale = Locale(identifier: \"ja_JP\")", "if Bundle.main.preferredLocalizations.first == \"de\" {}",
      "a.calendar = Calendar(identifier: .chinese)", "a.dateFormat = \"YYYYMMDD-HHMM\"",
    ] {
      #expect(
        try Self.lines("import Foundation\nfunc f(a: DateFormatter) { \(line)\(reason) }\n", "date-by-hand").isEmpty)
    }
    #expect(try Self.lines("import Foundation\nfunc f(a: DateFormatter) { \(line) }\n", "date-by-hand") == [2])
  }

  @Test(
    "direction-fixed ignores code that handles both directions; plural-by-hand ignores a name that only the plural text shows"
  )
  func bothDirections() throws {
    let code = """
      import UIKit
      func f(a: UIButton, isMirrored: Bool) {
        if a.effectiveUserInterfaceLayoutDirection == .rightToLeft { a.contentHorizontalAlignment = .right } else { a.contentHorizontalAlignment = .left }
      }
      """
    #expect(try Self.lines(code, "direction-fixed").isEmpty)
    let choice = """
      import SwiftUI
      struct V: View {
        var nests: [String]
        var name: String
        var body: some View {
          Text(nests.count > 1 ? "Nest: \\(name)" : "Nest")
          if nests.count == 1 { Text("Nest") } else { Text("Nest: \\(name)") }
          if nests.count == 1 { Text("One nest") } else { Text("\\(nests.count) nests") }
        }
      }
      """
    #expect(try Self.lines(choice, "plural-by-hand") == [8])
  }

  @Test(
    "same-as-source ignores Siri phrases, and text-not-localizable ignores internal texts and previews")
  func siri() throws {
    let same = { (text: String) in (text, Self.entry(text, ["et": text])) }
    let found = try Self.keys(
      Dictionary(uniqueKeysWithValues: [same("“Siri, open my site now”"), same("Open my site now")]), "same-as-source")
    #expect(found == ["Open my site now"])
    let code = """
      import UIKit
      func f(a: UILabel) {
        a.text = "Internal settings here"
        a.text = "Settings are here"
      }
      struct A { static let preview = g { a in a.text = "Settings of a preview" } }
      """
    #expect(try Self.lines(code, "text-not-localizable") == [4])
  }
}
