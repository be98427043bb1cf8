import Foundation
import Localization
import TestSupport
import Testing

@testable import StringExtraction

/// Comparisons of the strings read from interface files and intents with Xcode's strings in public projects. InterfaceReaderTests and
/// IntentDefinitionTests test each rule with a few lines.
@Suite(.enabled(if: SharedFolder.corpus.isThere, "\(SharedFolder.corpus.notice)"))
struct InterfaceCorpusTests {
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

  @Test(
    "the keys, comments and values of a file equal those that Xcode wrote into its catalog",
    arguments: [
      "losnoco+Cog/LPROJ/InfoInspector", "losnoco+Cog/LPROJ/SpotlightPanel",
      "objective-see+LuLu/LuLu/App/LPROJ/UpdateWindow",
      "Ranchero-Software+NetNewsWire/Mac/ErrorLog/LPROJ/ErrorLogWindow",
    ])
  func catalogs(path: String) throws {
    let catalog = try JSONDecoder().decode(
      Catalog.self, from: SharedFolder.corpus.data(path.replacing("LPROJ", with: "mul.lproj") + ".xcstrings"))
    let interface = try SharedFolder.corpus.data(path.replacing("LPROJ", with: "Base.lproj") + ".xib")
    let reading = InterfaceReader.read([UInt8](interface), at: "Base.lproj/A.xib", into: "mul.lproj/A.xcstrings")
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

  @Test("the strings of an intent definition equal those that Xcode exported")
  func intents() throws {
    let bytes = [UInt8](
      try SharedFolder.corpus.data(
        "Pockity+Localisations/Localizations/en.xcloc/Source Contents/Shared/Widgets/Base.lproj/Widgets.intentdefinition"
      ))
    let reading = IntentDefinitionReader.read(bytes, at: "Widgets.intentdefinition", into: "Widgets.xcstrings")
    #expect(reading.gaps.isEmpty && Set(reading.strings.map(\.key)).count == 14)
  }
}
