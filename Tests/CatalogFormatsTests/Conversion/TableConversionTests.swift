import CatalogFormats
import Localization
import Testing

@Suite("Conversion of tables to a String Catalog")
struct TableConversionTests {
  static func file(_ path: TreePath, _ language: LocaleIdentifier, _ text: String) -> TableConversion.File {
    TableConversion.File(path: path, language: language, bytes: Array(text.utf8))
  }

  static func convert(
    _ files: [TableConversion.File], strings: [ExtractedString] = []
  ) throws -> TableConversion {
    try TableConversion(files, to: "App/T.xcstrings", sourceLanguage: "en", strings: strings)
  }

  static func convert(_ text: String, ending: String = "strings") throws -> TableConversion {
    try convert([file(TreePath(trusted: "App/en.lproj/T." + ending), "en", text)])
  }

  static func list(_ entries: String, around: (String, String) = ("", "")) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(around.0)<plist version=\"1.0\">\n<dict>\n\(entries)</dict>\n</plist>\(around.1)\n"
  }

  static func told(_ conversion: TableConversion) -> [String] {
    conversion.diagnostics.map {
      "\($0.path.split(separator: "/").last ?? ""):\($0.line ?? 0):\($0.column ?? 0) \($0.message)"
    }
  }

  // MARK: .strings

  @Test(
    "an entry gets the comments before, on and inside its lines; the last entry also gets those after it, and none are lost",
    arguments: [
      ("/* one */\n\"a\" = \"A\";\n", ["a": "one"]),
      ("// MARK: A\n\n/* own */\n\"a\" = \"A\";\n", ["a": "MARK: A\nown"]),
      ("/* far up */\n\n\n\"a\" = \"A\";\n", ["a": "far up"]),
      ("// two\n//\n// lines\n\"a\" = \"A\";\n", ["a": "two\n\n lines"]),
      (
        "/* b */ \"a\" /* c */ = /* d */ \"A\" /* e */; // f\n// g\n\"b\" = \"B\"; /* h */",
        ["a": "b\nc\nd\ne\nf", "b": "g\nh"]
      ),
      ("\"a\" = \"A\";\n\n/* last */\n// words\n", ["a": "last\nwords"]),
      ("/*  */\n\"a\" = \"A\";\n", ["a": nil]),
      ("{\n/* in */ a = b; }\n/* behind */", ["a": "in\nbehind"]),
      ("/* one\r\n two */\r\n\"a\" = \"A\"; // t\r\n\"b\" = \"B\";\r\n", ["a": "one\n two\nt", "b": nil]),
    ] as [(String, [UnitKey: String?])])
  func comments(text: String, expected: [UnitKey: String?]) throws {
    let conversion = try Self.convert(text)
    #expect(conversion.catalog.entries.mapValues(\.comment) == expected)
    #expect(conversion.diagnostics.isEmpty)
    #expect(conversion.edits.edits["App/en.lproj/T.strings"] == .remove)
  }

  @Test(
    "the header of Xcode's template becomes the first entry's comment if the entry has none, and is reported otherwise"
  )
  func head() throws {
    let alone = try Self.convert("/*\n  T.strings\n  App\n*/\n\n\"a\" = \"A\";\n")
    #expect(alone.catalog.entries["a"]?.comment == "T.strings\n  App")
    #expect(alone.diagnostics.isEmpty)
    let beside = try Self.convert("//\n//  T.strings\n//  App\n\n/* own */\n\"a\" = \"A\";\n")
    #expect(beside.catalog.entries["a"]?.comment == "own")
    #expect(
      Self.told(beside) == [
        "T.strings:1:1 dropped a comment that belongs to no key: \"T.strings\\n  App\""
      ])
    let copied = try Self.convert("/* Old_ui.strings\n App */\n/* see Old_ui.strings */\n\"a\" = \"A\";\n")
    #expect(copied.catalog.entries["a"]?.comment == "see Old_ui.strings")
    let languages = try Self.convert([
      Self.file("App/en.lproj/T.strings", "en", "\"a\" = \"A\";\n"),
      Self.file("App/de.lproj/T.strings", "de", "/* T.strings */\n\"a\" = \"A\";\n"),
    ])
    #expect(languages.catalog.entries["a"]?.comment == nil)
    #expect(
      Self.told(languages) == ["T.strings:1:1 dropped a comment that belongs to no key: \"T.strings\""])
  }

  @Test("different comments of the languages are joined, the source language's first (Xcode keeps only that comment)")
  func joined() throws {
    let conversion = try Self.convert([
      Self.file("App/de.lproj/T.strings", "de", "/* deutsch */\n\"a\" = \"A\";\n/* same */\n\"b\" = \"B\";\n"),
      Self.file("App/en.lproj/T.strings", "en", "/* own */\n\"a\" = \"A\";\n/* same */\n\"b\" = \"B\";\n"),
    ])
    #expect(conversion.catalog.entries.mapValues(\.comment) == ["a": "own\ndeutsch", "b": "same"])
  }

  @Test("a comment that the code's comment replaces is reported")
  func code() throws {
    let conversion = try Self.convert(
      [Self.file("App/en.lproj/T.strings", "en", "/* of the file */\n\"a\" = \"A\";\n")],
      strings: [
        ExtractedString(
          catalog: "App/T.xcstrings", table: "T", key: "a", value: nil, comment: "of the code", origin: .swift)
      ])
    #expect(conversion.catalog.entries["a"]?.comment == "of the code")
    #expect(
      Self.told(conversion) == [
        "T.strings:1:1 dropped a comment of the key \"a\", because the code has a different comment. Dropped comment: \"of the file\""
      ])
  }

  @Test("an earlier entry with the same key but a different text is reported, and its comment is kept")
  func duplicates() throws {
    let conversion = try Self.convert(
      "/* first */\n\"a\" = \"old\";\n/* second */\n\"a\" = \"new\";\n\"b\" = \"B\";\n\"b\" = \"B\";\n")
    #expect(conversion.catalog.entries["a"]?.comment == "first\nsecond")
    #expect(
      Self.told(conversion) == [
        "T.strings:2:1 dropped an earlier entry of the key \"a\", because the last entry counts at run time: \"old\""
      ])
  }

  @Test("values other than texts stay in their XML or old-style file, and only converted entries are removed")
  func others() throws {
    let conversion = try Self.convert("\"a\" = \"A\";\n\"b\" = ( x, y );\n")
    #expect(
      conversion.edits.edits["App/en.lproj/T.strings"] == .write(Array("\"b\" = ( x, y );\n".utf8)))
    for twice in ["\"b\" = \"B\";\n// own\n\"b\" = ( x );\n", "// own\n\"b\" = ( x );\n\"b\" = \"B\";\n"] {
      let conversion = try Self.convert("\"a\" = \"A\";\n" + twice)
      #expect(conversion.edits.edits["App/en.lproj/T.strings"] == .write(Array(twice.utf8)))
      #expect(conversion.catalog.entries.keys.sorted() == ["a"])
    }
  }

  @Test(
    "comments in an XML table go to the preceding or surrounding entry, and those outside the table to the first or last entry"
  )
  func xmlTable() throws {
    let text = Self.list(
      "<!-- one -->\n<key>a</key> <!-- mid --><string>A</string> <!-- behind -->\n<key>b</key><string>B</string>\n<!-- last -->\n",
      around: ("<!-- head -->\n", "<!-- foot -->"))
    let conversion = try Self.convert(text)
    #expect(
      conversion.catalog.entries.mapValues(\.comment) == ["a": "head\none\nmid\nbehind", "b": "last\nfoot"])
    #expect(conversion.diagnostics.isEmpty)
  }

  @Test("comments of a table without texts are reported when its file is removed")
  func empty() throws {
    let conversion = try Self.convert([
      Self.file("App/en.lproj/T.strings", "en", "\"a\" = \"A\";\n"),
      Self.file("App/de.lproj/T.strings", "de", "\n/* nothing yet */\n"),
    ])
    #expect(
      Self.told(conversion) == [
        "T.strings:2:1 dropped a comment that belongs to no key: \"nothing yet\""
      ])
  }

  // MARK: .stringsdict

  static let forms = """
    <key>NSStringLocalizedFormatKey</key><string>%#@n@</string>
    <key>n</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
    <key>one</key><string>%d bird</string><!-- deep -->
    <key>other</key><string>%d birds</string></dict>

    """
  static let width =
    "<key>w</key><dict><key>NSStringVariableWidthRuleType</key><dict><key>20</key><string>x</string></dict></dict>\n"

  @Test("comments anywhere in an entry belong to the entry, as does a member named `comment`")
  func ruleComments() throws {
    let text = Self.list(
      "<!-- before -->\n<key>birds</key><dict>\n\(Self.forms)<key>comment</key><string>member</string></dict>\n")
    let conversion = try Self.convert(text, ending: "stringsdict")
    let entry = try #require(conversion.catalog.entries["birds"])
    #expect(entry.comment == "before\ndeep\nmember")
    #expect(entry.translations["en"]?.leaves.map(\.path.text) == ["plural.one", "plural.other"])
    #expect(conversion.diagnostics.isEmpty)
  }

  @Test(
    "an entry with unknown members stays in the file unchanged, and the members are reported",
    arguments: [
      ("<key>screen</key><string>Home</string>", "\"screen\""),
      ("<key>limit</key><integer>20</integer>\n<key>x</key><array/>", "\"limit\", \"x\""),
      ("<key>comment</key><integer>20</integer>", "\"comment\""),
      (
        "<key>m</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string><key>three</key><string>3</string><key>other</key><string>%d</string></dict>",
        "\"three\""
      ),
    ])
  func strangers(members: String, named: String) throws {
    let entry = "<!-- own -->\n<key>birds</key><dict>\n\(Self.forms)\(members)</dict>\n"
    let text = Self.list(entry + "<key>a</key><string>A</string>\n")
    let conversion = try Self.convert(text, ending: "stringsdict")
    #expect(conversion.catalog.entries.keys.sorted() == ["a"])
    #expect(
      Self.told(conversion) == [
        "T.stringsdict:5:1 the key \"birds\" stays in this file, because a String Catalog cannot hold it: it has unknown members: \(named)"
      ])
    #expect(conversion.edits.edits["App/en.lproj/T.stringsdict"] == .write(Array(Self.list(entry).utf8)))
  }

  @Test("an earlier entry with the same key in a .stringsdict is reported")
  func earlierRule() throws {
    let conversion = try Self.convert(
      Self.list("<key>birds</key><string>old</string>\n<key>birds</key><dict>\n\(Self.forms)</dict>\n"),
      ending: "stringsdict")
    #expect(
      conversion.catalog.entries["birds"]?.translations["en"]?.leaves.map(\.path.text) == [
        "plural.one", "plural.other",
      ])
    #expect(
      Self.told(conversion) == [
        "T.stringsdict:4:1 dropped an earlier entry of the key \"birds\", because the last entry counts at run time: \"old\""
      ])
  }

  @Test("no comment of an old-style .stringsdict is lost")
  func oldStyle() throws {
    let text = """
      /* before */
      "birds" = { // open
        NSStringLocalizedFormatKey = "%#@n@"; /* format */
        n = { NSStringFormatSpecTypeKey = NSStringPluralRuleType; /* o */ other = "%d birds"; };
      }; // behind
      /* loose */

      """
    let conversion = try Self.convert(text, ending: "stringsdict")
    #expect(conversion.catalog.entries["birds"]?.comment == "before\nopen\nformat\no\nbehind\nloose")
    #expect(conversion.diagnostics.isEmpty)
  }

  @Test("a key with a width rule stays unchanged in the files of all languages, and is reported")
  func staying() throws {
    let en = Self.list("<!-- wide -->\n" + Self.width + "<key>birds</key><dict>\n\(Self.forms)</dict>\n")
    let de = Self.list("<key>w</key><string>breit</string>\n<key>birds</key><dict>\n\(Self.forms)</dict>\n")
    let conversion = try Self.convert([
      Self.file("App/en.lproj/T.stringsdict", "en", en), Self.file("App/de.lproj/T.stringsdict", "de", de),
    ])
    #expect(conversion.catalog.entries.keys.sorted() == ["birds"])
    #expect(conversion.diagnostics.map(\.line) == [5])
    #expect(
      conversion.edits.edits["App/en.lproj/T.stringsdict"]
        == .write(Array(Self.list("<!-- wide -->\n" + Self.width).utf8)))
    #expect(
      conversion.edits.edits["App/de.lproj/T.stringsdict"]
        == .write(Array(Self.list("<key>w</key><string>breit</string>\n").utf8)))
    let alone = try Self.convert(Self.list(Self.width), ending: "stringsdict")
    #expect(alone.edits.isEmpty)
  }

  @Test("a rule for an unknown device stays in the file, and is reported")
  func device() throws {
    let text = Self.list(
      "<key>d</key><dict><key>NSStringDeviceSpecificRuleType</key><dict><key>iphone</key><string>Tap</string><key>fridge</key><string>Open</string></dict></dict>\n"
    )
    let conversion = try Self.convert(text, ending: "stringsdict")
    #expect(conversion.edits.isEmpty)
    #expect(conversion.diagnostics.first?.message.contains("fridge") == true)
  }

  // MARK: Files
}
