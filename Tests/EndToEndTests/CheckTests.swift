import Foundation
import TestSupport
import Testing
import Workspace

/// The formats, baselines and exit codes of `check`, tested with the built program.
struct CheckTests {
  private static let catalog = "Sources/Kit/Resources/Localizable.xcstrings"

  private func project(_ entries: [String: String], code: String = "") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(AdviceTests.manifest, to: "Package.swift")
    try folder.write("import Foundation\n" + code, to: "Sources/Kit/Kit.swift")
    try folder.write(AdviceTests.catalog(entries), to: Self.catalog)
    return folder
  }

  /// Returns a project with one error, one warning and one note.
  private func faulty() throws -> TemporaryFolder {
    try project(
      [
        "%lld of %@": AdviceTests.texts(["de": AdviceTests.unit("%@ von %@")]),
        "100% of\\n%lld, ok": "\"extractionState\" : \"manual\"",
        "Sent: by, ": "\"extractionState\" : \"manual\"",
      ], code: "let a = String(localized: \"Book\", bundle: .module)\n")
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("the text format lists findings with their rules, ordered by file and line, and counts them")
  func text() throws {
    let folder = try faulty()
    let end = try dragoman(["check"], in: folder.path)
    #expect(end.status == 1)
    let lines = end.output.split(separator: "\n").filter { !$0.hasPrefix("  hint: ") }
    #expect(lines.count == 3, "\(end.output)")
    #expect(lines.first?.hasPrefix("Sources/Kit/Kit.swift:2:") == true)
    #expect(lines.first?.hasSuffix("note: “Book” has no comment [comment-missing]") == true)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("\(Self.catalog):") })
    #expect(end.errors.contains("1 error, 1 warning, 1 note"))
  }

  @Test("notes pass with exit code 0, warnings fail, and --require-none fails on notes too")
  func exitCodes() throws {
    let notes = try project([:], code: "let a = String(localized: \"Book\", bundle: .module)\n")
    #expect(try dragoman(["check"], in: notes.path).status == 0)
    #expect(try dragoman(["check", "--require-none"], in: notes.path).status == 1)
    #expect(try dragoman(["check", "--rule", "concatenated", "--require-none"], in: notes.path).status == 0)
    let folder = try faulty()
    #expect(try dragoman(["check", "--rule", "concatenated"], in: folder.path).status == 1)
    #expect(try dragoman(["check", "--rule", "keys-alike"], in: folder.path).status == 0)
    let unknown = try dragoman(["check", "--rule", "key-alike"], in: notes.path)
    #expect(unknown.status == 64 && unknown.errors.contains("did you mean `keys-alike`?"), "\(unknown.errors)")
    #expect(try dragoman(["check", "--baseline", "a", "--write-baseline", "b"], in: notes.path).status == 64)
    #expect(try dragoman(["check", "nowhere"], in: notes.path).status == 66)
    #expect(try dragoman(["check", "--baseline", "none.json"], in: notes.path).status == 66)
  }

  @Test("check exits with 65 if it could not read every file, and still reports its findings")
  func blind() throws {
    let empty = try TemporaryFolder()
    #expect(try dragoman(["check"], in: empty.path).status == 65)
    let folder = try faulty()
    try folder.write("<<<<<<< HEAD\n", to: "Sources/Kit/Resources/Other.xcstrings")
    for format in ["text", "json", "sarif", "github"] {
      let end = try dragoman(["check", "--format", format], in: folder.path)
      #expect(end.status == 65, "\(format)")
      #expect(end.errors.contains("not everything could be checked"), "\(end.errors)")
      #expect(end.output.contains("placeholder-mismatch"), "\(format)")
    }
    let log = try object(try dragoman(["check", "--format", "sarif"], in: folder.path).output)
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
    #expect(invocation["executionSuccessful"] as? Bool == false)
    let written = try dragoman(["check", "--write-baseline", "b.json"], in: folder.path)
    #expect(written.status == 65 && !FileManager.default.fileExists(atPath: folder.file("b.json")))
    try folder.write("[]", to: "c.json")
    #expect(try dragoman(["check", "--baseline", "c.json"], in: folder.path).status == 65)
  }

  @Test("a glossary without usable terms is an error that names its languages; ignored columns are reported")
  func uselessGlossary() throws {
    let folder = try project(["Open the feeder": AdviceTests.texts(["de": AdviceTests.unit("Öffne das Häuschen")])])
    func check(_ glossary: String) throws -> (status: Int32, output: String, errors: String) {
      try folder.write(glossary, to: "g.csv")
      let end = try dragoman(["check", "--glossary", "g.csv"], in: folder.path)
      return (end.status, end.output, end.errors)
    }
    for head in ["en,de", "EN,DE", "En,dE,owner"] {
      let end = try check("\(head)\nfeeder,Futterstelle\n")
      #expect(end.status == 1 && end.output.contains("[term-not-used]"), "\(head): \(end.errors)")
      #expect(end.errors.contains("g.csv:1: warning: ignored: the column “owner”") == head.hasSuffix("owner"))
    }
    for (text, found) in [
      ("term,de\nfeeder,Futterstelle\n", "it has terms in de;"), ("en,de-DE\nfeeder,Futterstelle\n", "in de-DE, en;"),
      ("fr,de\nmangeoire,Futterstelle\n", "in de, fr;"), ("en,de\n", "it has no terms;"),
    ] {
      let end = try check(text)
      #expect(end.status == 65 && end.errors.contains("no term of the glossary can be used"), "\(text)")
      #expect(end.errors.contains("\(found) the project is translated from en into de"), "\(end.errors)")
    }
  }

  @Test("the JSON output has counts and every member of a finding, including null members")
  func json() throws {
    let folder = try faulty()
    let report = try object(try dragoman(["check", "--format", "json"], in: folder.path).output)
    #expect(report["counts"] as? [String: Int] == ["error": 1, "warning": 1, "note": 1])
    let findings = try #require(report["findings"] as? [[String: Any]])
    try #require(findings.count == 3)
    #expect(findings.map { $0["severity"] as? String } == ["note", "error", "warning"])
    let members: Set = [
      "rule", "severity", "path", "line", "column", "catalog", "key", "language", "form", "message", "hint",
      "fingerprint",
    ]
    #expect(findings.allSatisfy { Set($0.keys) == members })
    #expect(findings[1]["language"] as? String == "de" && findings[0]["language"] is NSNull)
  }

  @Test(
    "the SARIF output lists its rules, and each result has a location and a fingerprint that does not depend on line numbers"
  )
  func sarif() throws {
    let folder = try faulty()
    func results() throws -> (rules: [[String: Any]], results: [[String: Any]]) {
      let log = try object(try dragoman(["check", "--format", "sarif"], in: folder.path).output)
      #expect(log["version"] as? String == "2.1.0")
      let run = try #require((log["runs"] as? [[String: Any]])?.first)
      let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
      return (try #require(driver["rules"] as? [[String: Any]]), try #require(run["results"] as? [[String: Any]]))
    }
    let (rules, before) = try results()
    try #require(before.count == 3)
    for result in before {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
    }
    #expect(before.map { $0["level"] as? String } == ["note", "error", "warning"])
    let location = (before[1]["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
    #expect((location?["artifactLocation"] as? [String: String])?["uri"] == Self.catalog)
    #expect(((location?["region"] as? [String: Int])?["startLine"] ?? 0) > 1)
    let fingerprints = before.map { ($0["partialFingerprints"] as? [String: String])?["dragoman/v1"] ?? "" }
    #expect(Set(fingerprints).count == 3 && !fingerprints.contains(""))
    try folder.write(
      "import Foundation\n\n\nlet a = String(localized: \"Book\", bundle: .module)\n", to: "Sources/Kit/Kit.swift")
    let after = try results().results
    #expect(after.map { ($0["partialFingerprints"] as? [String: String])?["dragoman/v1"] ?? "" } == fingerprints)
  }

  @Test("the SARIF output counts columns in UTF-16 code units, in code and in catalogs")
  func columns() throws {
    let line = #"/* 🐦 Птица */ let a = String(localized: "Book", bundle: .module)"#
    let folder = try project([:], code: line + "\n")
    let member = #""localizations" : { "de" : { "stringUnit" : { "state" : "translated", "value" : "x" } } }"#
    let entries =
      #"{ "🐦 Птицы" : { "extractionState" : "manual" }, "%lld" : { "extractionState" : "manual", \#(member) } }"#
    let text = #"{ "sourceLanguage" : "en", "strings" : \#(entries), "version" : "1.0" }"#
    try folder.write(text, to: Self.catalog)
    let log = try object(try dragoman(["check", "--format", "sarif"], in: folder.path).output)
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    #expect(run["columnKind"] as? String == "utf16CodeUnits")
    func rest(of rule: String, in line: String) throws -> Substring {
      let result = try #require((run["results"] as? [[String: Any]])?.first { $0["ruleId"] as? String == rule })
      let location = (result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
      let column = try #require((location?["region"] as? [String: Int])?["startColumn"])
      return line[line.utf16.index(line.startIndex, offsetBy: column - 1)...]
    }
    #expect(try rest(of: "comment-missing", in: line).hasPrefix(#""Book""#))
    #expect(try rest(of: "placeholder-mismatch", in: text).hasPrefix(#"{ "stringUnit" : { "state""#))
  }

  @Test("each GitHub annotation is escaped and takes one line")
  func github() throws {
    let folder = try faulty()
    let end = try dragoman(["check", "--format", "github"], in: folder.path)
    let lines = end.output.split(separator: "\n")
    try #require(lines.count == 3, "\(end.output)")
    #expect(lines[0].hasPrefix("::notice file=Sources/Kit/Kit.swift,line=2,col="))
    #expect(lines[0].contains(",title=comment-missing::“Book” has no comment"))
    #expect(lines[1].hasPrefix("::error file=\(Self.catalog),line=") && lines[1].contains("%25lld"))
    #expect(lines[2].hasPrefix("::warning file=") && lines[2].contains("“Sent: by, ”"))
  }

  @Test("a baseline hides only known findings")
  func baseline() throws {
    let folder = try faulty()
    let written = try dragoman(["check", "--write-baseline", "advice.json"], in: folder.path)
    #expect(written.status == 0 && written.output.isEmpty, "\(written.errors)")
    #expect(written.errors.contains("3 findings written to advice.json."))
    let clean = try dragoman(["check", "--baseline", "advice.json", "--require-none"], in: folder.path)
    #expect(clean.status == 0 && clean.output.isEmpty && clean.errors.contains("No findings."), "\(clean)")
    try folder.write(
      "import Foundation\n\nlet a = String(localized: \"Book\", bundle: .module)\nlet b = String(localized: \"By \", bundle: .module)\n",
      to: "Sources/Kit/Kit.swift")
    let new = try dragoman(["check", "--rule", "concatenated", "--baseline", "advice.json"], in: folder.path)
    #expect(new.status == 1)
    #expect(new.output.hasPrefix("Sources/Kit/Kit.swift:4:"), "\(new.output)")
  }

  @Test("--list prints each rule on one line without reading a project")
  func list() throws {
    let folder = try TemporaryFolder()
    let end = try dragoman(["check", "nowhere", "--list"], in: folder.path)
    #expect(end.status == 0)
    let rows = end.output.split(separator: "\n").map { $0.split(separator: "\t") }
    #expect(rows.map { String($0[0]) } == AdviceRule.all.map(\.id))
    #expect(rows.allSatisfy { $0.count == 3 || $0.count == 4 && $0[3] == "opt-in" })
    #expect(rows.count { $0.count == 3 } == AdviceRule.byDefault.count)
    #expect(rows.contains { $0[0] == "placeholder-mismatch" && $0[1] == "error" })
  }

  @Test("docs/reference/checks.md has exactly one section for each rule")
  func documentation() throws {
    let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/reference/checks.md"), encoding: .utf8)
    let end = try dragoman(["check", "--list"], in: root.path)
    let rules = end.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    let sections = page.split(separator: "\n").filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) }
    #expect(
      Set(rules).subtracting(sections).isEmpty, "docs/reference/checks.md lacks a section “### ID” for these rules")
    #expect(Set(sections).subtracting(rules).isEmpty, "docs/reference/checks.md has sections for unknown rules")
    #expect(
      sections.filter(rules.contains) == rules.filter(sections.contains),
      "the sections of docs/reference/checks.md are not in the order of AdviceRule.all")
  }

  @Test("keys cannot send terminal escapes or add commands to GitHub annotations")
  func controls() throws {
    let folder = try project([
      "\\u001b[31m\u{202E}a\\n::error::b\\r ": "\"extractionState\" : \"manual\""
    ])
    for format in ["text", "json", "sarif", "github"] {
      let end = try dragoman(["check", "--format", format], in: folder.path)
      #expect(end.status == 1, "\(format)")
      let printed = end.output + end.errors
      #expect(!printed.unicodeScalars.contains { [0x1B, 0x0D, 0x202E].contains($0.value) }, "\(format)")
      #expect(!printed.contains("\n::error::b"), "\(format)")
    }
  }
}
