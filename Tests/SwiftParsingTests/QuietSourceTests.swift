import SwiftParsing
import Testing

@Suite struct QuietSourceTests {
  static let cases: [(source: String, left: String)] = [
    ("func a() { b() }\nlet s = \"x\"", "func a() {}\nlet s = \"x\""),
    ("func a() { \"x\" }", "func a() { \"x\" }"),
    ("var a: Int { 1 }", "var a: Int {}"),
    ("var a: Int\n{\n  1\n}", "var a: Int\n{}"),
    ("var a: Int { didSet { b() } }", "var a: Int { didSet { b() } }"),
    ("var a: Int = 1 { willSet { b() } }", "var a: Int = 1 { willSet { b() } }"),
    ("var a: Int = { 1 }()", "var a: Int = { 1 }()"),
    ("struct S { var a: Int }", "struct S { var a: Int }"),
    ("struct S {\n  let a = 1 // one\n  func b() { c() }\n}", "struct S {\n  let a = 1 \n  func b() {}\n}"),
    ("func a() { if b { c() } else { d() }; e(\"x\") }", "func a() { if b {} else { d() }; e(\"x\") }"),
    (
      "func a() {\n  let b = if c { 1 } else { 2 }\n  e(\"x\")\n}",
      "func a() {\n  let b = if c { 1 } else { 2 }\n  e(\"x\")\n}"
    ),
    ("init?(a: Int = f { 1 }) { b() }", "init?(a: Int = f { 1 }) {}"),
    (
      "protocol P { func a()\n var b: Int { get } }\nextension P { func c() {} }",
      "protocol P { func a()\n var b: Int {} }\nextension P { func c() {} }"
    ),
    ("let a = b.init { c() }", "let a = b.init { c() }"), ("let u = \"https://x\"", "let u = \"https://x\""),
    (
      "func a() {\n  if b(/(.+)\\*\\//) {  // one\n    c(\"x\")\n  }\n}",
      "func a() {\n  if b(/(.+)\\*\\//) {  \n    c(\"x\")\n  }\n}"
    ),
    ("let r = /a\\/*b/ // one\nlet s = \"x\"", "let r = /a\\/*b/ \nlet s = \"x\""),
    ("let r = /a\\//", "let r = /a\\//"), ("let a = 1 /* // */ + 2", "let a = 1 /* // */ + 2"),
  ]

  @Test("leaves out what can hold no string, and nothing else", arguments: cases.map(\.source))
  func leavesOut(_ source: String) throws {
    let expected = try #require(Self.cases.first { $0.source == source }?.left)
    let quiet = try SourceGuard.quieted(Array(source.utf8)).get()
    #expect(String(decoding: quiet.bytes, as: UTF8.self) == expected)
  }

  @Test("every byte that is left keeps its line and column")
  func places() throws {
    for (source, _) in Self.cases {
      let whole = Array(source.utf8)
      let table = whole.withUnsafeBufferPointer { LineTable($0) }
      let quiet = try SourceGuard.quieted(whole).get()
      var searched = 0
      for (offset, byte) in quiet.bytes.enumerated() where byte > UInt8(ascii: " ") {
        let place = quiet.lines.place(of: offset)
        let found = try #require(
          (searched..<whole.count).first { whole[$0] == byte && table.place(of: $0) == place }, "\(source) at \(offset)"
        )
        searched = found + 1
      }
    }
  }
}
