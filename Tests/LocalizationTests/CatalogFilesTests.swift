import Localization
import Testing

@Suite("The files of a catalog")
struct CatalogFilesTests {
  @Test(
    "a language's file is next to the source language's file, and has Xcode's names",
    arguments: [
      ("App/en.lproj/Localizable.strings", "App/de.lproj/Localizable.strings"),
      ("App/en.lproj/Localizable.stringsdict", "App/de.lproj/Localizable.stringsdict"),
      ("App/Base.lproj/Main.storyboard", "App/de.lproj/Main.strings"),
      ("en.lproj/Intents.intentdefinition", "de.lproj/Intents.strings"),
      ("App/Localizable.strings", "App/de.lproj/Localizable.strings"),
      ("App/Localizable.xcstrings", "App/Localizable.xcstrings"),
    ] as [(String, String)])
  func path(source: String, expected: String) {
    let files = CatalogFiles(path: TreePath(trusted: source), sourceLanguage: "en")
    #expect(files.path(for: "de").text == expected)
    #expect(files.path(for: "en").text == source)
  }

  @Test("an existing file keeps its name, whatever the spelling of its folder")
  func known() {
    let files = CatalogFiles(
      path: "English.lproj/A.strings", sourceLanguage: "en", localizations: ["zh-CN": "zh_CN.lproj/A.strings"])
    #expect(files.path(for: "zh-CN") == "zh_CN.lproj/A.strings")
    #expect(files.language(of: "zh_CN.lproj/A.strings") == "zh-CN")
    #expect(files.language(of: "English.lproj/A.strings") == "en")
    #expect(files.language(of: "de.lproj/A.strings") == nil)
    #expect(CatalogFiles(path: "A.xcstrings", sourceLanguage: "en").language(of: "A.xcstrings") == nil)
  }

  @Test("a file that a writer creates is assigned to its language afterwards")
  func applying() {
    let files = CatalogFiles([1], at: "en.lproj/A.strings").applying(
      ["de.lproj/A.strings": [2], "en.lproj/A.strings": [3]], languages: ["en", "de", "fr"])
    #expect(files.localizations == ["de": "de.lproj/A.strings"])
    #expect(files.bytes == ["de.lproj/A.strings": [2], "en.lproj/A.strings": [3]])
  }
}
