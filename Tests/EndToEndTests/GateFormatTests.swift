import Foundation
import Localization
import TestSupport
import Testing

/// The output of `status` in every format, with fallbacks, requirements for single catalogs, and details.
@Suite(.timeLimit(.minutes(10))) struct GateFormatTests {
  private static let catalog = "App/Localizable.xcstrings"

  private static func entry(_ key: String, _ languages: [String: String] = [:]) -> String {
    let texts = languages.sorted { $0.key < $1.key }.map {
      "\"\($0.key)\" : { \"stringUnit\" : { \"state\" : \"translated\", \"value\" : \"\($0.value)\" } }"
    }
    return "\(String(decoding: (try? JSONEncoder().encode(key)) ?? Data(), as: UTF8.self)) : "
      + "{ \"extractionState\" : \"manual\", \"localizations\" : { \(texts.joined(separator: ", ")) } }"
  }

  private static func catalog(_ entries: [String]) -> String {
    "{ \"sourceLanguage\" : \"en\", \"strings\" : { \(entries.joined(separator: ",\n")) }, \"version\" : \"1.0\" }\n"
  }

  private func project(_ entries: [String]) throws -> TemporaryRepository {
    let repository = try TemporaryRepository()
    // A target without any source would make the gate fail.
    try repository.commit([
      Self.catalog: Self.catalog(entries), "App/App.swift": "import Foundation\n",
      "Kit/Kit.swift": "import Foundation\n",
    ])
    return repository
  }

  private func verdict(_ end: ProgramEnd) -> String { String(end.output.prefix { $0 != "\n" }) }

  @Test("texts of fallback languages count, and the output shows their number")
  func fallbacks() throws {
    let repository = try project([
      Self.entry("a", ["es": "a"]), Self.entry("b", ["es-MX": "b"]), Self.entry("c", ["es-419": "c"]), Self.entry("d"),
    ])
    let gate = ["status", "--require", "es-MX=100"]
    let alone = try dragoman(gate, in: repository.path)
    #expect(verdict(alone) == "FAIL es-MX 25 % (1/4), needs 100 %: 3 strings missing")
    let end = try dragoman(gate + ["--fallback", "es-MX=es-419,es"], in: repository.path)
    #expect(verdict(end) == "FAIL es-MX 75 % (3/4), needs 100 %: 1 string missing", "\(end)")
    #expect(end.output.contains("by fallback") && end.errors.contains(#"es-MX: new: "d""#), "\(end)")
    #expect(!end.errors.contains(#""a""#))
    let json = try dragoman(gate + ["--fallback", "es-MX=es-419,es", "--format", "json"], in: repository.path)
    let report = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let languages = try #require(report["languages"] as? [[String: Any]])
    #expect(languages.first { $0["language"] as? String == "es-MX" }?["fallback"] as? Int == 2)
    #expect(languages.first { $0["language"] as? String == "es" }?["fallback"] == nil)
    // The source language has every text, and a fallback language does not have to be in a catalog.
    let british = try dragoman(
      ["status", "--require", "en-GB=100", "--fallback", "en-GB=en"], in: repository.path)
    #expect(verdict(british) == "PASS en-GB 100 % (4/4), needs 100 %", "\(british)")
    for wrong in ["es-MX", "es-MX=es-MX", "es-MX=", "=es"] {
      #expect(try dragoman(gate + ["--fallback", wrong], in: repository.path).status == 64)
    }
  }

  @Test("JUnit output truncates long keys, and escapes quotes and < even before combining accents")
  func longKeys() throws {
    let repository = try project([
      Self.entry(String(repeating: "k", count: 100_000)), Self.entry("\"\u{301}<\u{338}"),
      Self.entry("a", ["de": "a"]),
    ])
    let end = try dragoman(["status", "--require", "de=100", "--format", "junit"], in: repository.path)
    #expect(end.status == 1 && end.output.utf8.count < 5000, "\(end.output.utf8.count)")
    #expect(end.output.contains("new: kkk") && end.output.contains("kkk…"), "\(end)")
    #expect(end.output.contains("new: &quot;\u{301}&lt;\u{338}"), "\(end)")
  }

  @Test("SARIF and JUnit have paths relative to the root of the repository, for the work tree and for a revision")
  func paths() throws {
    let repository = try project([Self.entry("a", ["de": "a"]), Self.entry("b")])
    for words in [["App"], ["App", "--revision", "HEAD"], ["--revision", "HEAD:App"], ["--revision", "HEAD"], []] {
      let gate = ["status"] + words + ["--require", "de=100", "--format"]
      let sarif = try dragoman(gate + ["sarif"], in: repository.path)
      #expect(
        sarif.output.replacing("\\/", with: "/").contains("\"App/Localizable.xcstrings\""), "\(words): \(sarif)")
      let junit = try dragoman(gate + ["junit"], in: repository.path)
      #expect(junit.output.contains("classname=\"App/Localizable.xcstrings\""), "\(words): \(junit)")
    }
  }

  @Test("a language without translatable strings has no percentage")
  func nothing() throws {
    let entry = Self.entry("a", ["de": "a"]).replacing("\"manual\"", with: "\"manual\", \"shouldTranslate\" : false")
    let repository = try project([entry])
    for (format, text) in [("text", "–"), ("markdown", "| – |"), ("html", "<td>–</td>"), ("json", "\"total\" : 0")] {
      let end = try dragoman(["status", "--language", "de", "--format", format], in: repository.path)
      #expect(
        end.output.contains(text) && !end.output.contains("100.0") && !end.output.contains("percent"),
        "\(format): \(end)")
    }
  }

  @Test("fallbacks in a pipeline file have the same effect as --fallback")
  func fallbacksOfPipeline() throws {
    let repository = try project([Self.entry("a", ["es": "a"])])
    try repository.write(
      """
      pipeline: birds
      repository: { url: . }
      languages: [es, es-MX]
      vendors: [{ vendor: pseudo }]
      fallbacks: { es-MX: [es] }
      require: 100
      """, to: "birds.yaml")
    let end = try dragoman(["status", "--pipeline", "birds.yaml"], in: repository.path)
    #expect(end.status == 0, "\(end)")
    let run = try dragoman(["run", "birds.yaml", "--once"], in: repository.path)
    #expect(run.output.contains("birds main: PASS es 100 % (1/1), needs 100 %; es-MX 100 % (1/1)"), "\(run)")
  }

  @Test("a requirement with a pattern applies to each catalog that matches it")
  func catalogs() throws {
    let repository = try project([Self.entry("a", ["de": "a"]), Self.entry("b", ["de": "b"])])
    try repository.commit(["Kit/Kit.xcstrings": Self.catalog([Self.entry("c"), Self.entry("d", ["de": "d"])])])
    let all = try dragoman(["status", "--require", "75"], in: repository.path)
    #expect(verdict(all) == "PASS de 75 % (3/4), needs 75 %")
    let each = try dragoman(["status", "--require", "75", "--require", "**:de=100"], in: repository.path)
    #expect(
      verdict(each) == "FAIL Kit/Kit.xcstrings de 50 % (1/2), needs 100 %: 1 string missing", "\(each)")
    #expect(each.status == 1 && each.errors.contains("Kit/Kit.xcstrings: de: new: \"c\""))
    let app = try dragoman(["status", "--require", "App/**:100"], in: repository.path)
    #expect(verdict(app) == "PASS App/Localizable.xcstrings de 100 % (2/2), needs 100 %", "\(app)")
    let nothing = try dragoman(["status", "--require", "Watch/**:100"], in: repository.path)
    #expect(nothing.status == 1 && verdict(nothing) == "FAIL no catalog matches Watch/**", "\(nothing)")
  }

  @Test(
    "--details skips versions of a catalog that cannot be read, and does not show the author of the repair as a string's author"
  )
  func unreadableVersions() throws {
    let repository = try project([Self.entry("old", ["de": "alt"])])
    func commit(_ text: String, _ author: String, _ seconds: Int) throws {
      try repository.write(text, to: Self.catalog)
      try repository.git("add", "-A", seconds: seconds)
      try repository.git("commit", "-q", "-m", author, "--author", "\(author) <a@example.com>", seconds: seconds)
    }
    let entries = [Self.entry("old", ["de": "alt"]), Self.entry("first")]
    try commit(Self.catalog(entries), "Mary", 1_700_100_000)
    try commit("<<<<<<< HEAD\n" + Self.catalog(entries), "Merger", 1_700_200_000)
    try commit(Self.catalog(entries + [Self.entry("second")]), "Mender", 1_700_300_000)
    let end = try dragoman(["status", "--require", "100", "--details"], in: repository.path)
    #expect(end.errors.contains(#""first": added by Mary on 2023-11-16 in "#), "\(end.errors)")
    #expect(end.errors.contains(#""second": added by Mender on 2023-11-18 in "#), "\(end.errors)")
  }

  @Test("--details explains that a string with an empty source text is never sent, and shows the next step")
  func emptySource() throws {
    let repository = try project([Self.entry("old", ["de": "alt"]), Self.entry("")])
    let end = try dragoman(["status", "--require", "100", "--details"], in: repository.path)
    #expect(
      end.errors.contains(
        "de: new: \"\": its source text is empty, so rounds do not send it; set it to “Don't Translate” in Xcode; added by "
      ),
      "\(end.errors)")
  }

  @Test("--details shows commit, author and state of a string, with and without a ledger")
  func details() throws {
    let repository = try project([Self.entry("old", ["de": "alt"]), Self.entry("first")])
    func git(_ author: String, _ message: String, _ seconds: Int) throws {
      try repository.git("add", "-A", seconds: seconds)
      try repository.git(
        "commit", "-q", "-m", message, "--author", "\(author) <\(author.lowercased())@example.com>", seconds: seconds)
    }
    let entries = [Self.entry("old", ["de": "alt"]), Self.entry("first"), Self.entry("second")]
    try repository.write(Self.catalog(entries), to: Self.catalog)
    try git("Mary", "Second", 1_700_100_000)
    let second = try repository.git("rev-parse", "--short=7", "HEAD")
    try repository.write("x", to: "README.md")
    try git("Nobody", "Other", 1_700_200_000)
    try repository.write(Self.catalog(entries + [Self.entry("third")]), to: Self.catalog)
    let gate = ["status", "--require", "100", "--details"]
    let end = try dragoman(gate, in: repository.path)
    #expect(end.status == 1)
    #expect(end.errors.contains(#""first": added by Test Author on 2023-11-14 in "#), "\(end.errors)")
    #expect(
      end.errors.contains(
        #"App/Localizable.xcstrings:3: de: new: "second": added by Mary on 2023-11-16 in \#(second)"#), "\(end.errors)")
    #expect(end.errors.contains(#""third": not committed"#), "\(end.errors)")
    let committed = try dragoman(gate + ["--revision", "HEAD"], in: repository.path)
    #expect(committed.errors.contains("Mary") && !committed.errors.contains("third"), "\(committed.errors)")
    // The output is the same if the program runs in a subfolder of the repository.
    let below = try dragoman(gate, in: repository.path + "/App")
    #expect(below.errors.contains(#"Localizable.xcstrings:3: de: new: "second": added by Mary"#), "\(below.errors)")

    try git("Mary", "Third", 1_700_300_000)
    try repository.write(
      """
      pipeline: birds
      repository: { url: . }
      languages: [de]
      vendors: [{ vendor: folder, path: drop, settle: 0 }]
      require: 100
      """, to: "birds.yaml")
    let before = try dragoman(gate + ["--pipeline", "birds.yaml"], in: repository.path)
    #expect(!before.errors.contains("sent"), "without a ledger no string counts as sent")
    #expect(try dragoman(["run", "birds.yaml", "--once"], in: repository.path).status == 0)
    try repository.write(
      Self.catalog(entries + [Self.entry("third"), Self.entry("fourth")]), to: Self.catalog)
    let translator = Translator(drop: repository.path + "/drop")
    #expect(try translator.translate("de", answers: ["second": "", "third": ""]) == 1)
    #expect(try dragoman(["run", "birds.yaml", "--once"], in: repository.path).status == 0)
    let after = try dragoman(gate + ["--pipeline", "birds.yaml"], in: repository.path)
    let lines = after.errors.split(separator: "\n").map(String.init)
    func line(_ key: String) -> String { lines.first { $0.contains("\"\(key)\"") } ?? "" }
    #expect(line("first").hasSuffix("delivered to l10n/main, not merged"), "\(after.errors)")
    #expect(line("second").contains("out at ") && line("second").contains("(birds#1)"), "\(after.errors)")
    #expect(line("fourth").hasSuffix("not committed; never sent"), "\(after.errors)")
    let json = try dragoman(gate + ["--pipeline", "birds.yaml", "--format", "json"], in: repository.path)
    let report = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let missing = try #require(report["missing"] as? [[String: Any]])
    let third = try #require(missing.first { $0["key"] as? String == "third" })
    #expect(third["author"] as? String == "Mary" && third["committed"] as? Bool == true && third["line"] as? Int == 4)
    #expect((third["where"] as? String)?.hasPrefix("out at ") == true && third["source"] as? String == "third")
    let unknown = try dragoman(["status", "--store", "sqlite:nowhere"], in: repository.path)
    #expect(unknown.status == 64, "\(unknown)")
  }

  /// Keys that contain markup, commands or closing delimiters of an output format.
  private static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "]]><!--", "| a | **b** | [c](javascript:d) @team",
    "'); DROP", "\u{202E}txt.exe\u{1B}[31m", "a\u{0}b", "&amp;&lt;", "```\n# x", "a\u{FFFE}b",
    String(repeating: "x", count: 100_000),
  ]

  @Test(
    "hostile keys are escaped in every format",
    arguments: ["text", "json", "markdown", "junit", "sarif", "svg", "html"])
  func hostile(format: String) throws {
    let repository = try project(Self.hostile.map { Self.entry($0) } + [Self.entry("fine", ["de": "gut"])])
    let end = try dragoman(["status", "--require", "100", "--details", "--format", format], in: repository.path)
    #expect(end.status == 1, "\(end.errors.prefix(500))")
    let scalars = (end.output + end.errors).unicodeScalars
    #expect(!scalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E || $0.value == 0x7F })
    switch format {
    case "json", "sarif":
      let object = try JSONSerialization.jsonObject(with: Data(end.output.utf8))
      #expect(object is [String: Any])
    case "junit", "svg", "html":
      #expect(!end.output.contains("<script") && !end.output.contains("<img") && !end.output.contains("]]>"))
      // An XML parser accepts the output. For HTML, the `meta` elements are closed first.
      let text = format == "html" ? end.output.replacing("<!DOCTYPE html>\n", with: "") : end.output
      let closed =
        format == "html"
        ? text.replacing(#/<meta ([^>]*)>/#, with: { "<meta \($0.output.1)/>" }) : text
      try repository.folder.write(closed, to: "page.xml")
      let check = try ProgramEnd.of(
        "/usr/bin/python3",
        ["-c", "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])", repository.folder.file("page.xml")])
      #expect(check.status == 0, "\(check.errors.suffix(500))")
    case "markdown":
      // Markup in a key has no effect in a code span, and the key cannot end the code span or the table cell.
      #expect(end.output.contains(##"| `"\| a \| **b** \| [c](javascript:d) @team"` |"##), "\(end.output.prefix(3000))")
      #expect(end.output.split(separator: "\n").allSatisfy { $0.utf8.count < 5000 && !$0.hasPrefix("#") })
    default: break
    }
    if format == "html" {
      #expect(end.output.utf8.count < 200_000 && end.output.contains("default-src 'none'"))
      #expect(
        end.output.contains("<strong>FAIL</strong> de 8.3 % (1/12), needs 100 %: 11 strings missing"),
        "\(end.output.prefix(3000))")
    }
  }

  @Test("SARIF has a result for each missing translation at its line, with the severity of the verdict")
  func sarif() throws {
    let repository = try project([Self.entry("a", ["de": "a"]), Self.entry("b"), Self.entry("c", ["fr": "c"])])
    let end = try dragoman(
      ["status", "--require", "de=100", "--require", "fr=0", "--require", "it=0", "--format", "sarif"],
      in: repository.path)
    let log = try #require(JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any])
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 5, "\(end.output)")
    let levels = results.map { "\($0["ruleId"] ?? "") \($0["level"] ?? "")" }
    #expect(
      levels.sorted() == ["l10n-gate error", "l10n-new error", "l10n-new error", "l10n-new note", "l10n-new note"])
    let place =
      ((results.first { $0["level"] as? String == "error" && $0["ruleId"] as? String == "l10n-new" }?["locations"]
      as? [[String: Any]])?.first?["physicalLocation"]) as? [String: Any]
    #expect((place?["artifactLocation"] as? [String: Any])?["uri"] as? String == Self.catalog)
    #expect((place?["region"] as? [String: Any])?["startLine"] as? Int == 2)
    #expect(run["columnKind"] as? String == "utf16CodeUnits")
    let rules = ((run["tool"] as? [String: Any])?["driver"] as? [String: Any])?["rules"] as? [[String: Any]]
    #expect(rules?.map { $0["id"] as? String } == ["l10n-new", "l10n-needs-review", "l10n-gate"])
    let invocation = (run["invocations"] as? [[String: Any]])?.first
    let notes = try #require(invocation?["toolExecutionNotifications"] as? [[String: Any]])
    #expect(notes.map { $0["level"] as? String } == ["error"])
    let verdict = (notes.first?["message"] as? [String: Any])?["text"] as? String
    #expect(verdict?.contains("de 33.3 % (1/3), needs 100 %: 2 strings missing") == true, "\(verdict ?? "")")
  }
}
