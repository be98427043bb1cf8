import Localization
import StringExtraction
import Testing

@Suite struct IntentDefinitionTests {
  static func extraction(of source: [UInt8]) throws -> Extraction {
    var fixture = ExtractionFixture(bytes: ["Base.lproj/Intents.intentdefinition": source])
    fixture.project.catalogs = [
      ProjectCatalog(
        path: "mul.lproj/Intents.xcstrings", table: "Intents", sourceLanguage: "en", targets: [TargetID(rawValue: ".")])
    ]
    return try fixture.extract()
  }

  static let source = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>INEnums</key><array><dict>
      <key>INEnumDisplayName</key><string>Size</string><key>INEnumDisplayNameID</key><string>a1b2c3</string>
      <key>INEnumName</key><string>Size</string>
    </dict></array>
    <key>INIntents</key><array><dict>
      <key>INIntentTitle</key><string>Feed “${bird}”</string><key>INIntentTitleID</key><string>xY9</string>
      <key>INIntentDescriptionID</key><string>noText</string>
      <key>INIntentVerb</key><string>Do</string><key>INIntentVerbID</key><string></string>
      <key>INIntentParameters</key><array><dict>
        <key>INIntentParameterPromptDialogs</key><array><dict>
          <key>INIntentParameterPromptDialogFormatString</key><string>Which?</string>
          <key>INIntentParameterPromptDialogFormatStringID</key><string>zz0</string>
        </dict></array>
      </dict></array>
    </dict></array></dict></plist>

    """

  @Test("every text with an id is a string with this id as its key, at any depth")
  func strings() throws {
    let extraction = try Self.extraction(of: Array(Self.source.utf8))
    #expect(
      extraction.strings.map { "\($0.key.text) = \($0.value ?? "-")" } == [
        "a1b2c3 = Size", "xY9 = Feed “${bird}”", "zz0 = Which?",
      ])
    #expect(extraction.strings.allSatisfy { $0.comment == nil && $0.origin == .intents && $0.table == "Intents" })
    #expect(extraction.strings.first?.sites.map(\.line) == [4])
    #expect(extraction.incompleteCatalogs.isEmpty)
  }

  @Test("an unreadable file is reported with the location, and no key is removed from its catalog")
  func faults() throws {
    let bytes = Array(Self.source.utf8)
    for bad in [[], Array("<plist><string>a</string></plist>".utf8), bytes.dropLast(20), Array("bplist00".utf8) + [1]] {
      let extraction = try Self.extraction(of: bad)
      #expect(extraction.strings.isEmpty && extraction.incompleteCatalogs.count == 1)
      #expect(extraction.diagnostics.allSatisfy { $0.line != nil && $0.column != nil })
    }
  }
}
