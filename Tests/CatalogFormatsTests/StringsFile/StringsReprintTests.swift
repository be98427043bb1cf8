import CatalogFormats
import Localization
import Testing

@Suite struct StringsReprintTests {
  /// The tables that Xcode did not write, each with a text in it that Xcode does not write (xcode-formats.md F).
  static let foreign: [(name: String, trace: String)] = [
    // These files were exported by Smartling and GlotPress.
    ("podcasts/nl.lproj/InfoPlist.strings", "<!--Warning: Auto-generated file"),
    ("Simplenote/fr.lproj/Localizable.strings", #"\/"#),
    // These files were written by hand, with `//` comments and literal line breaks.
    ("de.xcloc/Source Contents/Resources/de.lproj/Localizable.strings", "// Localizable.strings"),
    ("Platform/ja.lproj/Localizable.strings", "/** UTM **/"), ("Platform/pl.lproj/Localizable.strings", "/** UTM **/"),
    ("findMacStrings/input/source/en.lproj/InfoPlist.strings", "// hello comment"),
    ("parse_strings/00/resources/Localizable.strings", "String_with_no_quotes2= "),
    ("el.lproj/Core.strings", "\\\n"), ("own/Harbour/pl.lproj/Hand.strings", "// MARK"),
  ]

  @Test("reprinting does not change a table that Xcode wrote", arguments: SampleFile.all(".strings"))
  func corpus(file: SampleFile) throws {
    try file.expectReprint(foreign: Self.foreign)
  }

  @Test(
    "reprinting keeps each of Xcode's layouts unchanged",
    arguments: [
      "/* c */\n\"a\" = \"1\";\n\n/* d */\n\"b\" = \"2\";\n\n", "/* c */\n\"a\" = \"1\";\n\n/* d */\n\"b\" = \"2\";\n",
      "\n/* c */\n\"a\" = \"1\";\n\n/* d */\n\"b\" = \"2\";\n", "/* c */\n\"a\" = \"1\";\n/* d */\n\"b\" = \"2\";\n",
      "/* \n  A.strings\n*/\n\n/* c */\n\"a\" = \"1\";\n\n\"b\" = \"2\";\n\n",
      "/* c\n   d */\n\"a\\\"\\\\\\n\\t\" = \"ä\u{2028}\u{12}\";\n\n",
      "/* Localized versions of Info.plist keys */\n\nCFBundleName = \"A\";\n", "", "\n", "/* c */\n",
    ])
  func layouts(text: String) throws {
    #expect(String(decoding: try Reprint.reprint(Array(text.utf8), at: "a.strings"), as: UTF8.self) == text)
  }

  @Test("hand-written files are reprinted in Xcode's layout, with the same keys, comments and final newline")
  func foreignTable() throws {
    let text = "// c\n'a'='it\\'s';\n\"b\"  =  \"x\ny\";\r\n\n\n\"c\" = \"\\u\";"
    #expect(
      String(decoding: try Reprint.reprint(Array(text.utf8), at: "a.strings"), as: UTF8.self)
        == "/* c*/\n\"a\" = \"it's\";\n\n\"b\" = \"x\\ny\";\n\n\"c\" = \"u\";")
  }
}
