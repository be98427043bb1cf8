import Foundation
import TestSupport
import Testing

/// New catalogs for strings that catalogs of other targets already contain.
extension StartTests {
  private static func held(_ translation: String) -> String {
    """
    {"sourceLanguage":"en","strings":{"save.all":{"extractionState":"manual","localizations":{
    "en":{"stringUnit":{"state":"translated","value":"Save all files"}},
    "de":{"stringUnit":{"state":"translated","value":"\(translation)"}}}}},"version":"1.0"}
    """
  }

  @Test("a library's new catalog takes the translations of the app that uses the library, not those of other targets")
  func carried() throws {
    let table = "Resources/Localizable.xcstrings"
    let repository = try TemporaryRepository()
    try repository.commit([
      "Package.swift": """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Kit", defaultLocalization: "en",
        targets: [
          .target(name: "Kit"), .target(name: "Alone", resources: [.process("Resources")]),
          .executableTarget(name: "App", dependencies: ["Kit"], resources: [.process("Resources")]),
        ])

      """,
      "Sources/Kit/Kit.swift": """
      import Foundation
      let a = String(localized: "save.all")
      let b = String(localized: "New text", bundle: .module)

      """,
      "Sources/App/main.swift": "print(1)\n", "Sources/App/\(table)": Self.held("Alle sichern"),
      "Sources/Alone/Alone.swift": "let x = 1\n", "Sources/Alone/\(table)": Self.held("Alles behalten"),
    ])
    let before = try dragoman(["status", "--require", "100"], in: repository.path)
    #expect(before.output.contains("1 string of the code is in no catalog"), "\(before)")
    let end = try dragoman(["init"], in: repository.path)
    #expect(end.output.hasPrefix("Sources/Kit/\(table): created, with 2 strings\n"), "\(end)")
    #expect(
      end.errors.contains("1 of its 2 strings is also in Sources/App/\(table); its translations are copied"), "\(end)")
    let text = try String(contentsOfFile: repository.path + "/Sources/Kit/\(table)", encoding: .utf8)
    #expect(text.contains("Alle sichern") && text.contains("Save all files"), "\(text)")
    #expect(!text.contains("behalten") && !text.contains("manual"), "\(text)")
    let after = try dragoman(["status", "--require", "100"], in: repository.path)
    #expect(after.output.contains("1 string missing"), "only the new text is missing: \(after)")
    #expect(try dragoman(["sync", "--check"], in: repository.path).status == 0)
    #expect(try dragoman(["init"], in: repository.path).output.isEmpty)
  }
}
