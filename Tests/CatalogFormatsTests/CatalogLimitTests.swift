import CatalogFormats
import Localization
import Testing

@Suite struct CatalogLimitTests {
  /// Returns a catalog in which every key has up to ten languages that no other key has.
  private func catalog(languages: Int, tag: (Int) -> String = { "de-x\($0)" }) -> [UInt8] {
    var entries: [String] = []
    for first in stride(from: 0, to: languages, by: 10) {
      let texts = (first..<min(first + 10, languages)).map {
        "\"\(tag($0))\" : {\"stringUnit\" : {\"state\" : \"translated\", \"value\" : \"x\"}}"
      }
      entries.append("\"key \(first)\" : {\"localizations\" : {\(texts.joined(separator: ","))}}")
    }
    return Array(
      "{\"sourceLanguage\" : \"en\", \"strings\" : {\n\(entries.joined(separator: ",\n"))}, \"version\" : \"1.0\"}".utf8
    )
  }

  private func faults(_ bytes: [UInt8]) throws -> [Diagnostic] {
    try #require(throws: InputFault.self) { try StringCatalogFormat().read(bytes, at: "L.xcstrings") }.diagnostics
  }

  @Test("a catalog with more than 500 languages is refused, and reported once with its location")
  func languages() throws {
    let read = try StringCatalogFormat().read(catalog(languages: 500), at: "L.xcstrings")
    #expect(read.entries.count == 50)
    for count in [501, 10_000] {
      let found = try faults(catalog(languages: count))
      #expect(found.count == 1)
      #expect(found.first?.message.contains("more than 500 languages") == true)
      #expect(found.first?.line == 52)
    }
  }

  @Test("a language tag above the limit is refused with its location")
  func tag() throws {
    let found = try faults(catalog(languages: 12) { $0 == 11 ? String(repeating: "x", count: 200_000) : "de-x\($0)" })
    #expect(found.map(\.line) == [3])
    #expect(found.first?.message == "a language tag has 200000 bytes; the limit is 64")
    let long = #"{"sourceLanguage" : "e\#(String(repeating: "7", count: 64))", "strings" : {}, "version" : "1.0"}"#
    let source = try faults(Array(long.utf8))
    #expect(source.map(\.message) == ["a language tag has 65 bytes; the limit is 64"] && source.first?.column == 21)
  }

  @Test("a translation with more than 200 forms is refused with its location")
  func forms() throws {
    func catalog(_ count: Int, _ name: (Int) -> String) -> [UInt8] {
      let forms = (0..<count).map {
        "\"\(name($0))\" : {\"stringUnit\" : {\"state\" : \"new\", \"value\" : \"x\"}}"
      }.joined(separator: ",\n")
      return Array(
        ("{\"sourceLanguage\" : \"en\", \"strings\" : {\"key\" : {\"localizations\" : {\"de\" : {\"variations\" : "
          + "{\"device\" : {\n\(forms)}}}}}}, \"version\" : \"1.0\"}").utf8)
    }
    let read = try StringCatalogFormat().read(catalog(CatalogLimits.forms) { "d\($0)" }, at: "L.xcstrings")
    #expect(read.entries["key"]?.translations["de"]?.leaves.count == CatalogLimits.forms)
    let found = try faults(catalog(CatalogLimits.forms + 2) { "d\($0)" })
    #expect(found.map(\.line) == [CatalogLimits.forms + 2])
    #expect(found.first?.message == "a localization has more than 200 forms and substitutions")
  }

  @Test("a .stringsdict entry with more than 200 forms and variables is kept unread and reported")
  func variables() throws {
    func table(_ count: Int) -> [UInt8] {
      let variables = (0..<count).map {
        "<key>v\($0)</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>"
          + "<key>NSStringFormatValueTypeKey</key><string>d</string><key>other</key><string>%d</string></dict>"
      }.joined()
      return Array(
        ("<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict><key>k</key><dict>"
          + "<key>NSStringLocalizedFormatKey</key><string>x</string>\(variables)</dict></dict></plist>").utf8)
    }
    // A variable and its form count as two elements.
    let few = try StringsDictFile.read(table(CatalogLimits.forms / 2), at: "n.stringsdict")
    #expect(few.translations["k"]?.substitutions.count == CatalogLimits.forms / 2)
    let many = try StringsDictFile.read(table(CatalogLimits.forms), at: "n.stringsdict")
    #expect(many.translations.isEmpty)
    #expect(many.kept.map(\.reason) == ["more than 200 forms and variables"])
  }
}
