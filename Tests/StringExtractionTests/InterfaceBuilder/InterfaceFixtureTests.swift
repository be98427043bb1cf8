import Foundation
import Localization
import Testing

@testable import StringExtraction

@Suite struct InterfaceFixtureTests {
  private struct Catalog: Decodable {
    struct Entry: Decodable {
      struct Language: Decodable {
        struct Unit: Decodable {
          var state: String
          var value: String
        }
        var stringUnit: Unit?
      }
      var comment: String?
      var extractionState: String?
      var localizations: [String: Language]?
    }
    var sourceLanguage: String
    var strings: [String: Entry]
  }

  private static func fixture(_ name: String) throws -> Data {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try Data(contentsOf: folder.appending(path: "Fixtures/" + name))
  }

  @Test(
    "a file gives the keys, comments and values that Xcode wrote into its catalog",
    arguments: [
      "losnoco+Cog/InfoInspector", "losnoco+Cog/SpotlightPanel", "objective-see+LuLu/UpdateWindow",
      "Ranchero-Software+NetNewsWire/ErrorLogWindow",
    ])
  func catalogs(name: String) throws {
    let catalog = try JSONDecoder().decode(Catalog.self, from: Self.fixture(name + ".xcstrings"))
    let reading = InterfaceReader.read(
      [UInt8](try Self.fixture(name + ".xib")), at: "Base.lproj/A.xib", into: "mul.lproj/A.xcstrings")
    #expect(reading.gaps.isEmpty && reading.diagnostics.isEmpty)
    let expected = catalog.strings.filter { $0.value.extractionState == "extracted_with_value" }
    #expect(reading.strings.map(\.key).sorted() == expected.keys.sorted())
    for string in reading.strings {
      let entry = expected[string.key]
      #expect(string.comment == entry?.comment)
      if let unit = entry?.localizations?[catalog.sourceLanguage]?.stringUnit, unit.state == "new" {
        #expect(string.value == unit.value)
      }
    }
  }

  @Test("an intent definition gives the strings that Xcode exported of it")
  func intents() throws {
    let bytes = [UInt8](try Self.fixture("Pockity+Localisations/Widgets.intentdefinition"))
    let reading = IntentDefinitionReader.read(bytes, at: "Widgets.intentdefinition", into: "Widgets.xcstrings")
    #expect(reading.gaps.isEmpty && Set(reading.strings.map(\.key)).count == 14)
  }
}
