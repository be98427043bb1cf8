import TestSupport
import Testing

/// Texts of a project in the Markdown of `status`, which is often the comment of a bot.
extension GateTests {
  @Test("in Markdown, language names in a catalog are neither markup nor links nor mentions")
  func hostileLanguages() throws {
    let names = [
      "@org/everyone", "[all complete](https://evil.example)", "a|b", "<img src=//evil.example>", "www.x.org",
    ]
    let entry = Self.entry("Hello", Dictionary(uniqueKeysWithValues: names.map { ($0, "Hello") }))
    let folder = try project([Self.catalog: Self.catalog([Self.entry("Bye", ["de": "Tschüss"]), entry])])
    let end = try dragoman(
      ["status", "--table", "Localizable", "--require", "100", "--format", "markdown"], in: folder.path)
    #expect(end.status == 1, "\(end)")
    for row in [
      "| `@org/everyone` | 50.0 % |", "| `[all complete](https://evil.example)` | 50.0 % |", "| `a\\|b` | 50.0 % |",
      "| `<img src=//evil.example>` | 50.0 % |", "| `www.x.org` | 50.0 % |", "| de | 50.0 % |",
    ] {
      #expect(end.output.contains(row), "\(row): \(end.output)")
    }
    let words = end.output.replacing(#/`[^`]*`/#, with: "")
    for mark in ["@", "https:", "www.", "<", "a|b"] { #expect(!words.contains(mark), "\(mark): \(words)") }
  }
}
