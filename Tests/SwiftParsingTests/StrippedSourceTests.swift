import SwiftParsing
import Testing

@Suite struct StrippedSourceTests {
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
      "func a() {\n  let b = if c { 1 } else { 2 }\n  e(\"x\", b)\n}",
      "func a() {\n  let b = if c { 1 } else { 2 }\n  e(\"x\", b)\n}"
    ),
    ("init?(a: Int = f { 1 }) { b() }", "init?(a: Int = f { 1 }) {}"),
    (
      "protocol P { func a()\n var b: Int { get } }\nextension P { func c() {} }",
      "protocol P { func a()\n var b: Int {} }\nextension P { func c() {} }"
    ),
    ("f({ if a { return b.c(d) }; return \"x\" }())", "f({ if a { return b.c(d) }; return \"x\" }())"),
    ("f({ if a { return b }; return \"x\" }, 1)", "f({ if a {}; return \"x\" }, 1)"),
    ("let a = b.init { c() }", "let a = b.init { c() }"), ("let u = \"https://x\"", "let u = \"https://x\""),
    (
      "func a() {\n  if b(/(.+)\\*\\//) {  // one\n    c(\"x\")\n  }\n}",
      "func a() {\n  if b(/(.+)\\*\\//) {  \n    c(\"x\")\n  }\n}"
    ),
    ("let r = /a\\/*b/ // one\nlet s = \"x\"", "let r = /a\\/*b/ \nlet s = \"x\""),
    // In a body with several statements, plain expressions without a string are removed except for their first word.
    ("func a() {\n  b(c)\n  d(\"x\")\n}", "func a() {\n  b\n  d(\"x\")\n}"),
    ("func a() {\n  try? b.c { 1 }; d(\"x\")\n  return e.f(g)\n}", "func a() {\n  try? b; d(\"x\")\n  return e\n}"),
    (
      "func a() {\n  b.c = d(\n    e)\n  f\n    .g()\n    .h(\"x\")\n}",
      "func a() {\n  b\n  f\n    .g()\n    .h(\"x\")\n}"
    ),
    ("let a = b {\n  c.d(e)\n}\nlet s = \"x\"", "let a = b {\n  c.d(e)\n}\nlet s = \"x\""),
    (
      "func a() {\n  switch b {\n  case .c:\n    d.e(f)\n  default: g(\"x\")\n  }\n}",
      "func a() {\n  switch b {\n  case .c:\n    d.e(f)\n  default: g(\"x\")\n  }\n}"
    ),
    (
      "func a() {\n  b(\"x\")\n  #if C\n  d.e(f)\n  #endif\n}",
      "func a() {\n  b(\"x\")\n  #if C\n  d.e(f)\n  #endif\n}"
    ),
    (
      "struct A {\n  init(b: C)\n  let d = e.f(g)\n  var h = \"x\"\n}",
      "struct A {\n  init(b: C)\n  let d = e.f(g)\n  var h = \"x\"\n}"
    ),
    (
      "func a() {\n  b { c in d(\"x\") }\n    completion: { e(f) }\n  g\n}",
      "func a() {\n  b { c in d(\"x\") }\n    completion: { e(f) }\n  g\n}"
    ),
    // Bindings that no later statement mentions are removed except for their names.
    (
      "func a() {\n  let b = c.d(e)\n  let f: G = h\n  i(\"x\", f)\n}",
      "func a() {\n  let b\n  let f: G = h\n  i(\"x\", f)\n}"
    ),
    (
      "func a() {\n  let b = c\n  let d = b.e\n  f { \"\\(_d)\" }\n}",
      "func a() {\n  let b = c\n  let d = b.e\n  f { \"\\(_d)\" }\n}"
    ),
    (
      "func a() {\n  let b = c\n  let d = e\n  #if F\n  g(\"\\(b)\")\n  #endif\n}",
      "func a() {\n  let b = c\n  let d = e\n  #if F\n  g(\"\\(b)\")\n  #endif\n}"
    ),
    ("func a() {\n  let b = c, d = e(f)\n  g(\"x\")\n}", "func a() {\n  let b = c, d = e(f)\n  g(\"x\")\n}"),
    ("func a() {\n  let b = c\n  `b`(\"x\")\n}", "func a() {\n  let b = c\n  `b`(\"x\")\n}"),
    // Some of these tokens end a statement, and others do not.
    (
      "func a() {\n  b.c = d!\n  let e = f as? Set<G>\n  let h: I?\n  j(\"\\(e)\")\n}",
      "func a() {\n  b\n  let e = f as? Set<G>\n  let h\n  j(\"\\(e)\")\n}"
    ),
    ("func a() {\n  b.c = .copy\n  let d = e\n  f(\"\\(d)\")\n}", "func a() {\n  b\n  let d = e\n  f(\"\\(d)\")\n}"),
    (
      "func a() {\n  b.c = copy\n  let d = e\n  f(\"\\(d)\")\n}",
      "func a() {\n  b.c = copy\n  let d = e\n  f(\"\\(d)\")\n}"
    ),
    (
      "func a() {\n  b(c)\n  /* d */ let e = f\n  g(\"\\(e)\")\n}",
      "func a() {\n  b(c)\n  /* d */ let e = f\n  g(\"\\(e)\")\n}"
    ),
    (
      "func a() {\n  b { c }\n  enum D { case e }\n  f(\"\\(D.e)\")\n}",
      "func a() {\n  b { c }\n  enum D { case e }\n  f(\"\\(D.e)\")\n}"
    ),
    (
      "func a() {\n  b.c { d }\n  enum E { case f }\n  g(\"\\(E.f)\")\n}",
      "func a() {\n  b\n  enum E { case f }\n  g(\"\\(E.f)\")\n}"
    ),
    ("func a() {\n  let b = c\n    as? D\n  e(\"x\")\n}", "func a() {\n  let b\n  e(\"x\")\n}"),
    ("func a() {\n  b(c) { d }\n  e: { f(\"x\") }\n  g\n}", "func a() {\n  b(c) { d }\n  e: { f(\"x\") }\n  g\n}"),
    (
      "func a() {\n  switch b {\n  case .c:\n    d()\n    e.f { g }\n  default:\n    let h = i\n    j(\"\\(h)\")\n  }\n}",
      "func a() {\n  switch b {\n  case .c:\n    d()\n    e.f { g }\n  default:\n    let h = i\n    j(\"\\(h)\")\n  }\n}"
    ),
    (
      "struct A<let b: C> {\n  let d = e(f)\n  let g = h(i)\n  let j = \"x\"\n}",
      "struct A<let b: C> {\n  let d = e(f)\n  let g = h(i)\n  let j = \"x\"\n}"
    ),
    ("let r = /a\\//", "let r = /a\\//"), ("let a = 1 /* // */ + 2", "let a = 1 /* // */ + 2"),
  ]

  @Test("only code that cannot contain a string is removed", arguments: cases.map(\.source))
  func leavesOut(_ source: String) throws {
    let expected = try #require(Self.cases.first { $0.source == source }?.left)
    let stripped = try SourceGuard.stripped(Array(source.utf8)).get()
    #expect(String(decoding: stripped.bytes, as: UTF8.self) == expected)
  }

  @Test("every remaining byte keeps its line and column")
  func places() throws {
    for (source, _) in Self.cases {
      let whole = Array(source.utf8)
      let table = whole.withUnsafeBufferPointer { LineTable($0) }
      let stripped = try SourceGuard.stripped(whole).get()
      var searched = 0
      for (offset, byte) in stripped.bytes.enumerated() where byte > UInt8(ascii: " ") {
        let place = stripped.lines.place(of: offset)
        let found = try #require(
          (searched..<whole.count).first { whole[$0] == byte && table.place(of: $0) == place }, "\(source) at \(offset)"
        )
        searched = found + 1
      }
    }
  }
}
