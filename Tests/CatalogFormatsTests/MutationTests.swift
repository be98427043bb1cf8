import CatalogFormats
import Localization
import TestSupport
import Testing

@Suite struct MutationTests {
  @Test("a randomly damaged catalog is either refused, or written unchanged and edited without side effects")
  func catalogs() throws {
    let format = StringCatalogFormat()
    let samples = try [SampleFile.variations, .substitutions].map { try $0.bytes() }
    var random = SeededGenerator(seed: 13)
    let pool = Array("{}[]\"\\ \n:,1x".utf8)
    var read = 0
    for number in 0..<1_500 {
      var bytes = samples[number % 2]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        if Bool.random(using: &random) {
          bytes.remove(at: place)
        } else {
          bytes[place] = pool[Int.random(in: 0..<pool.count, using: &random)]
        }
      }
      guard let catalog = try? format.read(bytes, at: "x.xcstrings") else { continue }
      read += 1
      #expect(try format.write(catalog, over: bytes) == bytes)
      _ = try Reprint.reprint(bytes, at: "x.xcstrings")
      _ = try format.sourceCopy(of: bytes, at: "x.xcstrings")
      guard let key = catalog.entries.keys.sorted().first else { continue }
      var changed = catalog
      changed.entries[key]?.translations["uk"] = Translation("Текст")
      guard let written = try? format.write(changed, over: bytes) else { continue }
      #expect(try format.read(written, at: "x.xcstrings") == changed)
      #expect(
        try ChangeAudit.unexplainedChanges(from: bytes, to: written, at: "x.xcstrings") { $0 == key && $1 == "uk" }
          .isEmpty)
    }
    #expect(read > 100)
  }

  @Test("variations that are nested too deeply are refused; shallower nesting is kept")
  func nested() throws {
    for depth in [1, 5, 14, 15, 16, 1_000] {
      let text =
        #"{"sourceLanguage" : "en", "strings" : {"a" : {"localizations" : {"de" : "#
        + String(repeating: #"{"variations" : {"device" : {"mac" : "#, count: depth)
        + #"{"stringUnit" : {"state" : "new", "value" : "x"}}"# + String(repeating: "}}}", count: depth) + "}}}}"
      guard let catalog = try? StringCatalogFormat().read(Array(text.utf8), at: "x.xcstrings") else {
        #expect(depth > 14)
        continue
      }
      #expect(try StringCatalogFormat().write(catalog, over: Array(text.utf8)) == Array(text.utf8))
    }
  }
}
