import Testing

@testable import SwiftParsing

@Suite("Work of the scan before the parser")
struct ScanWorkTests {
  private func scan(_ source: String) -> (bytesAhead: Int, angleWork: Int, message: String?) {
    Array(source.utf8).withUnsafeBufferPointer { bytes in
      var scanner = BracketScanner(bytes: bytes, limits: .standard)
      let fault = scanner.scan()
      return (scanner.bytesAhead, scanner.angles.work, fault?.1)
    }
  }

  @Test("empty lines are scanned once", arguments: ["\n", "\r\n", "  \n", "\n\t"])
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
    "lists of generic arguments that never end are refused",
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
    "the work on < in ordinary code is small compared with its length",
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
}
