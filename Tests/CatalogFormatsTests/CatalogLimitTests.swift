import CatalogFormats
import Localization
import Testing

@Suite struct CatalogLimitTests {
  /// A catalog in which every key has ten languages of its own.
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

  @Test("a catalog of more languages than anybody has is refused with its place, once")
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

  @Test("a language tag that is too long is refused with its place")
  func tag() throws {
    let found = try faults(catalog(languages: 12) { $0 == 11 ? String(repeating: "x", count: 200_000) : "de-x\($0)" })
    #expect(found.map(\.line) == [3])
    #expect(found.first?.message == "a language tag has 200000 bytes; the limit is 64")
  }
}
