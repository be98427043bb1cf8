import CatalogFormats
import Localization
import Testing

@Suite("What a conversion takes of a table")
struct ConversionTests {
  @Test("comments go to their keys; a file's head, set apart or named like the file, is told with its place")
  func comments() throws {
    let text =
      "/* \n  Localizable.strings\n  App\n*/\n/* one */\n\"a\" = \"A\";\n\n// MARK\n\n// two\n// lines\n\"b\" = \"B\";\n"
    let file = try StringsFile.read(Array(text.utf8), at: "de.lproj/Localizable.strings")
    #expect(file.commentsByKey.map(\.key) == ["a", "b"])
    #expect(file.commentsByKey.map(\.comment) == ["one", "two\nlines"])
    #expect(
      file.commentsOfNoKey.map(\.description) == [
        "de.lproj/Localizable.strings:1:1: warning: convert: a comment that belongs to no key is left out: \"Localizable.strings\\n  App\"",
        "de.lproj/Localizable.strings:8:1: warning: convert: a comment that belongs to no key is left out: \"MARK\"",
      ])
    #expect(file.holdsTextsAlone)
    #expect(try !StringsFile.read(Array("\"a\" = { b = c; };".utf8), at: "x.strings").holdsTextsAlone)
  }

  @Test("width rules and shapes that no catalog can hold stay in their file, each with its reason")
  func staying() throws {
    let text = """
      <plist version="1.0"><dict><key>w</key><dict><key>NSStringVariableWidthRuleType</key><dict><key>20</key><string>x</string></dict></dict>
      <key>t</key><string>text</string></dict></plist>
      """
    let file = try StringsDictFile.read(Array(text.utf8), at: "en.lproj/X.stringsdict")
    #expect(file.staying.map(\.key) == ["w"])
    #expect(file.staying.first?.diagnostic.line == 1)
  }
}
