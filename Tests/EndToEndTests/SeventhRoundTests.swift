import Daemon
import Localization
import Testing
import Workspace

/// False positives of the seventh round of check_precision.py. For each kind there is an example that the rule must still report.
struct SeventhRoundTests: AdviceExamples {
  @Test("comment-missing ignores arguments set off by punctuation or parentheses, and dimensions")
  func setOff() throws {
    let code = """
      import Foundation
      func f(a: String, n: Int) -> [String] {
        [
          String(localized: "\\(a), \\(n) parts • \\(n) minutes", bundle: .module),
          String(localized: "\\(a), \\(n) parts • \\(n) minutes (≈\\(a))", bundle: .module),
          String(localized: "\\(a) · \\(a) eggs (in \\(a) / out \\(a))", bundle: .module),
          String(localized: "\\(a)×\\(a) px", bundle: .module),
          String(localized: "\\(a) in \\(a) (new)", bundle: .module),
          String(localized: "Nest \\(a), \\(a) left", bundle: .module),
        ]
      }
      """
    #expect(try Self.lines(code, "comment-missing") == [8, 9])
  }

  @Test("bundle-missing ignores single-letter abbreviations")
  func codes() throws {
    let code = """
      import SwiftUI
      struct V: View {
        var n: Int
        var body: some View {
          Text("L\\(n):C\\(n)")
          Text("\\(n)h left")
          Text("\\(n)日")
        }
      }
      """
    let catalog = AdviceTests.catalog([
      "L%lld:C%lld": Self.entry("L%lld:C%lld"), "%lldh left": Self.entry("%lldh left"), "%lld日": Self.entry("%lld日"),
    ])
    let advice = try AdviceTests.advice(
      [
        "Package.swift": AdviceTests.manifest, "Sources/Kit/Kit.swift": code,
        "Sources/Kit/Resources/Localizable.xcstrings": catalog,
      ], rules: ["bundle-missing"])
    #expect(advice.findings.compactMap(\.line) == [6, 7])
  }

  @Test("markup-mismatch ignores links that lead to a country's page")
  func countryPages() throws {
    let found = try Self.keys(
      [
        "page": Self.entry("See [Scout](https://scout.example)", ["zh-Hans": "见 [Scout](https://scout.example/cn)"]),
        "other": Self.entry("See [Scout](https://scout.example)", ["zh-Hans": "见 [Scout](https://scout.example/old)"]),
      ], "markup-mismatch")
    #expect(found == ["other"])
  }

  @Test("same-as-source ignores keys that are not in code if other keys of the table are")
  func unusedKeys() throws {
    let same = { (text: String) in Self.entry(text, ["de": text]) }
    let keys = [
      "The nest is still empty", "All nests of this tree", "A bird sits in the tree", "Open the \\\"big\\\" nest now",
      "nest.of_this.tree",
    ]
    let code = """
      import Foundation
      let title = String(localized: "All nests of this tree", bundle: .module)
      let keys = ["A bird sits in the tree"]
      """
    var entries = Dictionary(uniqueKeysWithValues: keys.map { ($0, same($0)) })
    entries["nest.of_this.tree"] = same("Look into the nest again")
    let found = { (code: String) in
      Set(
        try AdviceTests.advice(code: code, catalog: entries, rule: "same-as-source").findings.map {
          $0.key.text.replacing("\"", with: "")
        })
    }
    let shown: Set = [
      "All nests of this tree", "A bird sits in the tree", "Open the big nest now", "nest.of_this.tree",
    ]
    #expect(try found(code) == shown)
    // If no code uses the table, it is unknown which texts of the table are shown.
    #expect(try found("") == shown.union(["The nest is still empty"]))
  }

  @Test("sentence-joined ignores a term followed by its definition")
  func definitions() throws {
    let code = """
      import SwiftUI
      struct V: View {
        var body: some View {
          Text("Scout").bold() + Text(" - finds every bird")
          Text("Scout") + Text(": finds every bird")
          Text("Scout – ") + Text("finds every bird")
          Text("Scout") + Text(" (finds every bird)")
          Text("Scout") + Text(" finds every bird")
        }
      }
      """
    #expect(try Self.lines(code, "sentence-joined") == [8])
  }
}
