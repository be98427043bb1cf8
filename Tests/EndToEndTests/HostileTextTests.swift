import Foundation
import Localization
import TestSupport
import Testing

/// Keys, comments and translations with markup, terminal escapes, bidirectional controls and extreme length, in every format of `check`, `diff` and
/// `explain`. `GateFormatTests` tests `status`.
@Suite(.timeLimit(.minutes(10))) struct HostileTextTests {
  private static let catalog = "App/Localizable.xcstrings"

  private static let texts = [
    "<script>alert(1)</script> of %lld files", "\"><img src=x onerror=alert(1)> %@", "]]><!-- %@",
    "| a | **b** | [c](javascript:d) @team %@",
    "'); DROP %@", "\u{202E}txt.exe\u{1B}[31m %@", "::error file=a::b\n::warning::c\r%@", "&amp;&lt; %@", "```\n# x %@",
    "%@ " + String(repeating: "x", count: 1 << 20),
  ]

  private static func quoted(_ text: String) throws -> String {
    String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
  }

  /// Returns a catalog that uses each text as key, as comment and, without its placeholders, as translation.
  private static func entries(_ texts: [String]) throws -> String {
    let members = try texts.map { text in
      let target = text.replacing("%@", with: "").replacing("%lld", with: "")
      return "\(try quoted(text)) : { \"comment\" : \(try quoted(text)), \"extractionState\" : \"manual\", "
        + "\"localizations\" : { \"de\" : { \"stringUnit\" : { \"state\" : \"translated\", \"value\" : \(try quoted(target)) } } } }"
    }
    return
      "{ \"sourceLanguage\" : \"en\", \"strings\" : { \(members.joined(separator: ",\n")) }, \"version\" : \"1.0\" }\n"
  }

  /// Returns whether a text has no control characters except line breaks and tabs, and no U+202E, which reverses the direction of a text.
  private static func isHarmless(_ text: String) -> Bool {
    !text.unicodeScalars.contains {
      $0.value < 0x20 && $0 != "\n" && $0 != "\t" || $0.value == 0x202E || $0.value == 0x7F
    }
  }

  @Test("check escapes control characters and markup in hostile texts", arguments: ["text", "json", "sarif", "github"])
  func check(format: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(try Self.entries(Self.texts), to: Self.catalog)
    try folder.write("import Foundation\n", to: "App/App.swift")
    let end = try dragoman(["check", "--format", format], in: folder.path)
    #expect(end.status == 1, "\(end.errors.prefix(500))")
    #expect(Self.isHarmless(end.output) && Self.isHarmless(end.errors))
    #expect(end.output.contains("placeholder-mismatch"))
    switch format {
    case "json", "sarif":
      #expect(try JSONSerialization.jsonObject(with: Data(end.output.utf8)) is [String: Any])
    default:
      // Quoted texts are truncated in messages.
      #expect(end.output.split(separator: "\n").allSatisfy { $0.utf8.count < 2000 })
      #expect(
        !end.output.split(separator: "\n").contains {
          $0.hasPrefix("::error file=a::b") || $0.hasPrefix("::warning::c")
        })
    }
  }

  @Test("diff escapes control characters and markup in hostile texts", arguments: ["text", "json", "markdown"])
  func diff(format: String) throws {
    let repository = try TemporaryRepository()
    try repository.commit([Self.catalog: try Self.entries(["Old"]), "App/App.swift": "import Foundation\n"])
    let before = try repository.git("rev-parse", "HEAD")
    try repository.commit([Self.catalog: try Self.entries(Self.texts)])
    let end = try dragoman(["diff", before, "HEAD", "--format", format], in: repository.path)
    #expect(end.status == 0 || end.status == 1, "\(end.errors.prefix(500))")
    #expect(Self.isHarmless(end.output) && Self.isHarmless(end.errors))
    #expect(end.output.contains("txt.exe"))
    if format == "json" { _ = try JSONSerialization.jsonObject(with: Data(end.output.utf8)) }
    if format == "markdown" {
      #expect(!end.output.split(separator: "\n").contains { $0.hasPrefix("# x") || $0.hasPrefix("<script") })
    }
  }

  @Test("explain escapes control characters and markup in hostile texts", arguments: ["text", "json"])
  func explain(format: String) throws {
    let folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    try repository.commit([Self.catalog: try Self.entries(Self.texts), "App/App.swift": "import Foundation\n"])
    try folder.write(
      """
      pipeline: birds
      repository: { url: "\(try repository.bareCopy())" }
      languages: [fr]
      vendors: [{ vendor: folder, path: drop, settle: 0 }]
      """, to: "birds.yaml")
    #expect(try dragoman(["run", "birds.yaml", "--once"], in: folder.path).status == 0)
    for text in Self.texts.dropLast() {
      let end = try dragoman(["explain", text, "--format", format], in: folder.path)
      #expect(end.status == 0, "\(end.errors.prefix(500))")
      #expect(Self.isHarmless(end.output) && Self.isHarmless(end.errors), "\(text.debugDescription)")
      if format == "json" { _ = try JSONSerialization.jsonObject(with: Data(end.output.utf8)) }
    }
  }
}
