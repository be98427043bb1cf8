import Localization
import StringExtraction
import Testing

@Suite("Texts of localized files")
struct LocalizedFileTextsTests {
  @Test("a xib gives its texts with ibtool's comments, and an invalid xib is an error")
  func interface() throws {
    let bytes = Array(InterfaceReaderTests.document("<window title=\"Sky\" id=\"w1\"/>", type: "Cocoa.XIB").utf8)
    #expect(
      try LocalizedFileTexts().texts(of: bytes, at: "Base.lproj/A.xib") == [
        SourceText(key: "w1.title", value: "Sky", comment: "Class = \"NSWindow\"; title = \"Sky\"; ObjectID = \"w1\";")
      ])
    #expect(throws: InputFault.self) { try LocalizedFileTexts().texts(of: Array("<a/>".utf8), at: "A.xib") }
  }

  @Test("the texts of an intent definition are found by their ids")
  func intents() throws {
    let bytes = Array(
      "<plist version=\"1.0\"><dict><key>INIntentTitle</key><string>Go</string><key>INIntentTitleID</key><string>ab</string></dict></plist>"
        .utf8)
    #expect(
      try LocalizedFileTexts().texts(of: bytes, at: "A.intentdefinition") == [SourceText(key: "ab", value: "Go")])
  }
}
