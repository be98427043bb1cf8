import Localization
import Testing

@Suite struct CheckerBoundsTests {
  private static func nested(_ count: Int, _ open: String, _ inner: String, _ close: String) -> String {
    String(repeating: open, count: count) + inner + String(repeating: close, count: count)
  }

  @Test(
    "resolving nested overloads terminates, and literals in and after them are found",
    arguments: [
      "let a = " + nested(16, "max(1, ", #"Text("in").hashValue"#, ")"),
      "let a = " + nested(16, "String(describing: ", #"Text("in")"#, ")"),
      "let a = " + nested(16, #"Text("in") + (flag ? "#, #"Text("in")"#, #" : Text("in"))"#),
      "let a = " + nested(16, "Text(flag ? x : ", #""in""#, ")") + #"; let b = Text("in")"#,
      "let a = " + nested(12, "[.init(x), ", #"Text("in")"#, "]"),
      "let a = " + nested(8, "f { $0.map { x in ", #"Text("in")"#, " } }"),
      "func f<T>(_ a: T, _ b: T) -> T { a }; func f<T>(_ a: [T], _ b: T) -> T { b }; let a = "
        + nested(16, "f(u, ", #"Text("in")"#, ")"),
      #"let a = Text("in")"# + String(repeating: #" + Text("in")"#, count: 900),
      "struct V { static func + (a: V, b: LocalizedStringKey) -> V { a } }\nlet a = V()"
        + String(repeating: #" + "in""#, count: 900),
      "let a = x" + String(repeating: #".b("no")"#, count: 700) + #".c(Text("in"))"#,
      "let a = u ?? " + String(repeating: "v ?? ", count: 900) + #"Text("in")"#,
    ])
  func ends(_ source: String) throws {
    let strings = try ExtractionFixture(["A.swift": source + "\nlet end = Text(\"end\")"]).extract().strings
    #expect(strings.map(\.key.text) == ["end", "in"])
  }
}
