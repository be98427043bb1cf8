import Testing

@testable import SwiftParsing

@Suite("Work of the scan before parsing")
struct ScanWorkTests {
  private func scan(_ source: String) -> (bytesAhead: Int, angleWork: Int, memberWork: Int, message: String?) {
    Array(source.utf8).withUnsafeBufferPointer { bytes in
      var scanner = BracketScanner(bytes: bytes, limits: .standard)
      let fault = scanner.scan()
      return (scanner.bytesAhead, scanner.angles.work, scanner.members.work, fault?.1)
    }
  }

  @Test("a long run of empty lines is scanned only once", arguments: ["\n", "\r\n", "  \n", "\n\t"])
  func emptyLines(_ line: String) {
    let small = scan("let a = 1" + String(repeating: line, count: 2000) + "let b = 2")
    let large = scan("let a = 1" + String(repeating: line, count: 4000) + "let b = 2")
    #expect(Double(large.bytesAhead) <= 2.2 * Double(small.bytesAhead))
    #expect(large.bytesAhead <= 4000 * line.utf8.count + 1)
  }

  @Test("a long run of # is refused with its location before it reaches the lexer")
  func pounds() throws {
    let fault = try #require(SourceGuard.check(Array(("let a = 1\n" + String(repeating: "#", count: 65)).utf8)))
    #expect(fault.line == 2 && fault.column == 1)
    #expect(fault.message.contains("`#`"))
    let raw = String(repeating: "#", count: 64)
    #expect(SourceGuard.check(Array("let a = \(raw)\"x\"\(raw)".utf8)) == nil)
  }

  @Test(
    "endless lists of generic arguments are refused",
    arguments: [
      "f(" + Array(repeating: "a<b", count: 8000).joined(separator: ",") + ")",
      "[" + Array(repeating: "a<b", count: 8000).joined(separator: ",\n") + "]",
      "f(" + Array(repeating: "a<b.c.d.e.f.g.h.i", count: 2000).joined(separator: ",") + ")",
    ])
  func openAngles(_ expression: String) throws {
    let fault = try #require(SourceGuard.check(Array("let a = 1\nlet b = \(expression)".utf8)))
    #expect(fault.line >= 2)
    #expect(fault.message.contains("`<`"))
  }

  @Test(
    "scanning < in ordinary code takes little work compared with its length",
    arguments: [
      "for i in 0..<n { if a < b { c() } }\n", "let a: Dictionary<String, Array<Int>> = f(x < y, y < z)\n",
      "func f<T, U>(_ a: T) -> Set<U> where T: P<U> { a < b ? c : d }\n", "let a = b.sorted { $0.c < $1.c }\n",
      "switch a { case let x where x < 5: b(); case ..<3: c() }\n", "if a <\n  b { c() }\nlet d = e\n",
    ])
  func ordinary(_ line: String) {
    let small = scan(String(repeating: line, count: 1000))
    let large = scan(String(repeating: line, count: 2000))
    #expect(large.message == nil)
    #expect(Double(large.angleWork) <= 2.2 * Double(max(small.angleWork, 1)))
    #expect(large.angleWork <= 40 * 2000)
  }

  @Test(
    "many members of a type without a declaration keyword are refused",
    arguments: [
      "vwords: Int", "foo(\"a\")", "a = \"b\"", "@Parameter(title: \"Item\") vwords: [\"a\", \"b\"])",
      "foo(a: Int) { \"a\" }", "@Foo bar(\"a\") { }", "/* a */ a = \"b\"", "a = 1; b = 2",
    ], ["struct S {", "extension S where T: P {", "struct S { struct T {} \nenum E {"])
  func withoutKeyword(_ line: String, type: String) throws {
    let fault = try #require(
      SourceGuard.check(Array((type + "\n" + String(repeating: "  \(line)\n", count: 2000) + "}\n").utf8)))
    #expect(fault.message.contains("without a keyword"))
    #expect(SourceGuard.check(Array((type + "\n" + String(repeating: "  \(line)\n", count: 100) + "}\n").utf8)) == nil)
  }

  @Test(
    "scanning the members of ordinary types takes little work compared with their length",
    arguments: [
      "var a: Int\n", "@Published private var a = 1\n",
      "@Test(\n  .tags(.a),\n  arguments: [1, 2]\n)\nfunc f() { a() }\n", "case a,\n  b,\n  c\n",
      "func f<T>()\n  where T: P\n{ a = 1\nb = 2 }\n", "let a = b\n  .c()\n  .d { e }\n",
      "#f(\"a\")\n", "static let a: [Int] = [\n1,\n2\n]\n", "#if DEBUG\nvar a = 1\n#endif\n", "let a = b as\n  C\n",
      "enum A {\ncase a\n}\n",
    ])
  func members(_ member: String) {
    let small = scan("struct S {\n" + String(repeating: member, count: 500) + "}")
    let large = scan("struct S {\n" + String(repeating: member, count: 1000) + "}")
    #expect(large.message == nil)
    #expect(large.memberWork <= 2 * small.memberWork + 10)
    #expect(large.memberWork <= 30 * 1000)
  }

  @Test("statements outside types do not count as members")
  func statements() {
    let body = String(repeating: "  a = b(1)\n", count: 3000)
    #expect(scan("func f() {\n" + body + "}").memberWork == 0)
    #expect(scan("struct S {\n  var a: Int {\n" + body + "  }\n}").message == nil)
    #expect(scan(body).memberWork == 0)
  }
}
