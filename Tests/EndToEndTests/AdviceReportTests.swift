import Daemon
import Localization
import Testing
import Workspace

/// Suppression, fingerprints, baselines and metadata, which are the same for all rules.
extension AdviceTests {
  @Test("comments in code and in the catalog can suppress one rule or all rules")
  func suppression() throws {
    let code = """
      let a = String(localized: "Book", bundle: .module) // dragoman:ignore comment-missing
      // dragoman:ignore
      let b = String(localized: "Watch", bundle: .module)
      // dragoman:ignore concatenated, comment-missing: the table says it
      let c = String(localized: "Open", bundle: .module)
      let separator = 1
      let d = String(localized: "Run", bundle: .module) // dragoman:ignore concatenated
      let e = String(localized: "Type", bundle: .module)
      let f = String(localized: "Check", bundle: .module) // dragoman:ignore comment-missing
      let g = String(localized: "Order", bundle: .module)

      """
    let advice = try Self.advice(code: code, rule: "comment-missing")
    #expect(advice.findings.map(\.key.text) == ["Run", "Type", "Order"])
    #expect(advice.suppressed == 4)
    let entry = { (comment: String) in "\"comment\" : \"\(comment)\", \"extractionState\" : \"manual\"" }
    let catalog = try Self.advice(
      catalog: [
        "%lld files": entry("dragoman:ignore plural-missing"), "%lld birds": entry("Heading\\ndragoman:ignore"),
        "%lld cats": entry("dragoman:ignore concatenated"),
      ], rule: "plural-missing")
    #expect(catalog.findings.map(\.key.text) == ["%lld cats"])
  }

  @Test(
    "a comment suppresses the rules that it names and no others, whatever the case and the punctuation around them",
    arguments: [
      ("", true, true), (" */", true, true), (" comment-missing", true, false), (": comment-missing", true, false),
      (" `comment-missing`", true, false), (" Comment-missing", true, false), (" (comment-missing)", true, false),
      (" [concatenated, comment-missing]", true, false), (" \"comment-missing\".", true, false),
      ("=comment-missing", true, false), (" — comment-missing — the words are clear", true, false),
      (" comment-missing:the words are clear", true, false), (" comment-missing bundle-missing", true, true),
      (" bundle-missing: comment-missing is reported", false, true), (" the words are clear", false, false),
      (" The words are clear", false, false), (": the words are clear", false, false), (" Wörter", false, false),
      ("` hides a finding", false, false), (":", false, false), ("d comment-missing", false, false),
      ("-comment-missing", false, false), (" comment-missing2", false, false),
    ] as [(String, Bool, Bool)])
  func namedRules(_ text: String, _ hidesComment: Bool, _ hidesBundle: Bool) throws {
    let code = "// dragoman:ignore\(text)\nlet a = String(localized: \"Book\")\n"
    #expect(try Self.advice(code: code, rule: "comment-missing").findings.isEmpty == hidesComment)
    #expect(try Self.advice(code: code, rule: "bundle-missing").findings.isEmpty == hidesBundle)
  }

  @Test("text of a string literal does not suppress a finding, but a comment after it does")
  func suppressionInText() throws {
    let code = #"""
      let a = String(localized: "Book"); let x = "// dragoman:ignore bundle-missing"
      let y = """
      // dragoman:ignore bundle-missing
      """; let b = String(localized: "Watch")
      let z = "http://a \(x + ")") \"//"; let c = String(localized: "Open") // dragoman:ignore bundle-missing
      let d = String(localized: "Run") /* dragoman:ignore bundle-missing */

      """#
    let advice = try Self.advice(code: code, rule: "bundle-missing")
    #expect(advice.findings.map(\.key.text) == ["Book", "Watch"] && advice.suppressed == 2)
  }

  @Test("fingerprints do not depend on line numbers, and differ by rule, path, key and language")
  func fingerprints() throws {
    let entries = ["Sent by ": "\"extractionState\" : \"manual\"", " ago": "\"extractionState\" : \"manual\""]
    let one = try Self.advice(catalog: entries, rule: "concatenated")
    let two = try Self.advice(
      catalog: entries.merging(["A": "\"extractionState\" : \"manual\""]) { $1 }, rule: "concatenated")
    #expect(one.findings.map(\.fingerprint) == two.findings.map(\.fingerprint))
    #expect(one.findings.map(\.line) != two.findings.map(\.line))
    #expect(Set(one.findings.map(\.fingerprint)).count == 2)
    let baseline = AdviceBaseline(of: [one.findings[0]])
    let read = try AdviceBaseline.read(try baseline.encoded(), at: "b.json")
    #expect(read.new(among: two.findings).map(\.fingerprint) == [two.findings[1].fingerprint])
    #expect(throws: InputFault.self) { try AdviceBaseline.read(Array("[]".utf8), at: "b.json") }
    #expect(throws: InputFault.self) {
      try AdviceBaseline.read(Array("{\"version\":9,\"findings\":[]}".utf8), at: "b.json")
    }
  }

  @Test("a baseline hides a finding only while the texts of the finding stay the same")
  func changedTexts() throws {
    let advice = { (text: String) in
      try Self.advice(
        catalog: [
          "n %@": "\"extractionState\" : \"manual\", \"localizations\" : { \"de\" : { \"stringUnit\" : "
            + "{ \"state\" : \"translated\", \"value\" : \"\(text)\" } } }"
        ], rule: "placeholder-mismatch"
      ).findings
    }
    let known = try advice("n")
    #expect(known.count == 1)
    let written = try AdviceBaseline(of: known).encoded()
    let baseline = try AdviceBaseline.read(written, at: "b.json")
    #expect(baseline.new(among: try advice("n")).isEmpty)
    let worse = try advice("n %d crash")
    #expect(worse.count == 1 && baseline.new(among: worse).count == 1)
    #expect(worse.map(\.fingerprint) == known.map(\.fingerprint))
    // A baseline of an older version has no digests of texts. Such a baseline hides a finding even if the finding's texts changed.
    let older = String(decoding: written, as: UTF8.self).split(separator: "\n").filter { !$0.contains("\"texts\"") }
      .joined(separator: "\n").replacing(
        "\"rule\" : \"placeholder-mismatch\",", with: "\"rule\" : \"placeholder-mismatch\"")
    #expect(try AdviceBaseline.read(Array(older.utf8), at: "b.json").new(among: worse).isEmpty)
  }

  @Test("a baseline counts equal findings and reports the last ones beyond their number")
  func equalFindings() throws {
    let advice = { (count: Int) in
      let lines = (0..<count).map { "func f\($0)() -> String { String(localized: \"Save\") }\n" }
      return try Self.advice(code: lines.joined(), rule: "bundle-missing").findings
    }
    let known = AdviceBaseline(of: try advice(2))
    let bytes = try known.encoded()
    let baseline = try AdviceBaseline.read(bytes, at: "b.json")
    let two = try advice(2)
    #expect(known.count == 2 && baseline.new(among: two).isEmpty)
    let more = try advice(4)
    #expect(more.count == 4 && baseline.new(among: more).map(\.line) == more.suffix(2).map(\.line))
    // A baseline of an older version has no counts, so each entry stands for one finding.
    let older = String(decoding: bytes, as: UTF8.self).replacing("\"count\" : 2,", with: "")
    #expect(older.utf8.count < bytes.count)
    #expect(try AdviceBaseline.read(Array(older.utf8), at: "b.json").new(among: more).count == 3)
  }

  @Test("each rule has a title, a reason and examples, and its id is unique")
  func metadata() {
    #expect(Set(AdviceRule.all.map(\.id)).count == AdviceRule.all.count)
    for rule in AdviceRule.all {
      #expect(!rule.reason.isEmpty && !rule.bad.isEmpty && !rule.good.isEmpty && !rule.title.hasSuffix("."))
      #expect(rule.id.allSatisfy { $0 == "-" || $0.isLowercase })
    }
  }
}
