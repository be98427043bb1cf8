import Localization
import SwiftParsing
import SwiftSyntax
import Testing

@Suite struct SourceGuardTests {
  static let harmful: [(name: String, source: String)] = [
    ("1,000 nested [", String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)),
    ("20 nested [", "let x = " + String(repeating: "[", count: 20) + "1" + String(repeating: "]", count: 20)),
    ("1,000 nested (", "let x = " + String(repeating: "(", count: 1000) + "1" + String(repeating: ")", count: 1000)),
    ("1,000 nested {", String(repeating: "{", count: 1000)),
    ("100,000 chained calls", "let x = a" + String(repeating: ".b()", count: 100_000)),
    ("100,000 chained calls by line", "let x = a" + String(repeating: "\n  .b()", count: 100_000)),
    ("100,000 operators", "let x = 1" + String(repeating: " + 1", count: 100_000)),
    ("10,000 prefix operators", "let x = " + String(repeating: "- ", count: 10_000) + "1"),
    ("10,000 try", String(repeating: "try ", count: 10_000) + "x"),
    ("10,000 try by line", String(repeating: "try\n", count: 10_000) + "x"),
    ("10,000 else if", "if a {}" + String(repeating: " else if a {}", count: 10_000)),
    ("nested interpolations", String(repeating: "\"\\(", count: 300)),
    ("a file of 10 MB", String(repeating: "// x\n", count: 2_000_000)),
  ]

  @Test("code that would crash the parser is detected without parsing", arguments: harmful.map(\.name))
  func faults(_ name: String) throws {
    let source = try #require(Self.harmful.first { $0.name == name }?.source)
    let fault = try #require(SourceGuard.check(Array(source.utf8)))
    #expect(fault.message.hasSuffix("was not parsed"))
    #expect(fault.line >= 1 && fault.column >= 1)
  }

  @Test("a long chain of `else` is refused with the limit that applies to it")
  func elses() throws {
    let source = "if a {}" + String(repeating: " else if a {}", count: 10_000)
    let fault = try #require(SourceGuard.check(Array(source.utf8)))
    #expect(fault.message == "more than 500 `else` in one chain of conditions; the file was not parsed")
  }

  @Test("the location at which a limit is exceeded is returned")
  func place() throws {
    let source = "let a = 1\nlet b = " + String(repeating: "[", count: 20)
    let fault = try #require(SourceGuard.check(Array(source.utf8)))
    #expect(fault.line == 2)
    #expect(fault.column == 9 + 14)
  }

  @Test("the error for invalid UTF-8 has the offset of the first invalid byte")
  func invalidBytes() throws {
    let fault = try #require(SourceGuard.check(Array("let a = \"".utf8) + [0xFF, 0x22]))
    #expect(fault.offset == 9)
    #expect(fault.message.contains("not UTF-8"))
  }

  @Test(
    "ordinary code is accepted by the guard",
    arguments: [
      "", "let a = [1, [2, [3]]]", "let s = \"[[[[[[[[[[[[[[[[[[[[\"", "// [[[[[[[[[[[[[[[[[[[[[[\nlet x = 1",
      "/* [[[[[[[[[[[[[[[[[[[[[[ /* [[[[ */ */ let x = 1", "let s = #\"\\([[[[[[[[[[[[[[[[[[[[\"#",
      "let s = \"\"\"\n  [[[[[[[[[[[[[[[[[[[[ \"\" \\(a[1])\n  \"\"\"", "let r = #/[[[[[[[[[[[[[[[[[[[[/#",
    ])
  func ordinary(_ source: String) {
    #expect(SourceGuard.check(Array(source.utf8)) == nil)
  }

  @Test("each statement's chain of calls is counted separately")
  func manyStatements() {
    let source = String(repeating: "view.a().b().c()\n", count: 20_000)
    #expect(SourceGuard.check(Array(source.utf8)) == nil)
  }

  @Test("code at every limit of the guard can be parsed on a parsing thread")
  func limitsParse() throws {
    let sources = [
      "let x = " + String(repeating: "[", count: 14) + "1" + String(repeating: "]", count: 14),
      "let x = " + String(repeating: "(", count: 198) + "1" + String(repeating: ")", count: 198),
      "let x = a" + String(repeating: ".b()", count: 1_300), "let x = 1" + String(repeating: " + 1", count: 1_900),
      String(repeating: "try ", count: 3_900) + "x", "if a {}" + String(repeating: " else if a {}", count: 480),
    ]
    let parsed = try ParsingThreads.map(sources, threads: 2) { source in
      try SourceParsing.parse(Array(source.utf8), path: "a.swift").tree.statements.count
    }
    #expect(parsed == sources.map { _ in 1 })
  }

  @Test("a file that the guard refuses gives a diagnostic with path, line and column")
  func diagnostic() {
    let bytes = Array(("let x = " + String(repeating: "[", count: 1000)).utf8)
    #expect {
      _ = try SourceParsing.parse(bytes, path: "Sources/Deep.swift")
    } throws: { error in
      "\(error)".hasPrefix("Sources/Deep.swift:1:23: error: ")
    }
  }
}
