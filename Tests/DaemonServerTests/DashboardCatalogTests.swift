import Foundation
import TestSupport
import Testing

/// The translations of the dashboard's texts. `OwnCatalogTests` also compares the dashboard's catalog with its code by `sync --check`.
@Suite struct DashboardCatalogTests {
  private static let sources = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Dashboard")

  @Test("the catalog has exactly the texts of the pages, and all of them are translated into every language")
  func inStep() throws {
    var keys: Set<String> = []
    let files = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      for match in try String(contentsOf: file, encoding: .utf8).matches(of: #/message\(\s*"((?:[^"\\]|\\.)*)"/#) {
        keys.insert(String(match.output.1))
      }
    }
    let data = try Data(contentsOf: Self.sources.appending(path: "Resources/Localizable.xcstrings"))
    let catalog = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let strings = try #require(catalog["strings"] as? [String: [String: Any]])
    #expect(keys.count > 100)
    #expect(Set(strings.keys).subtracting(keys) == [], "texts that are no longer in the code")
    #expect(keys.subtracting(strings.keys) == [], "texts that are not in the catalog")
    for (key, entry) in strings {
      let languages = try #require(entry["localizations"] as? [String: Any], "\(key)")
      #expect(Set(languages.keys) == ["ar", "de", "ja"], "\(key)")
      #expect(entry["comment"] != nil, "\(key)")
    }
  }
}
