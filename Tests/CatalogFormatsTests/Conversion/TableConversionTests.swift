import CatalogFormats
import Localization
import Testing

@Suite("Tables that become a String Catalog")
struct TableConversionTests {
  private static func file(_ path: TreePath, _ language: LocaleIdentifier, _ text: String) -> TableConversion.File {
    TableConversion.File(path: path, language: language, bytes: Array(text.utf8))
  }

  private static func convert(
    _ files: [TableConversion.File], strings: [ExtractedString] = []
  ) throws -> TableConversion {
    try TableConversion(files, to: "App/T.xcstrings", sourceLanguage: "en", strings: strings)
  }

  private static func convert(_ text: String, ending: String = "strings") throws -> TableConversion {
    try convert([file(TreePath(trusted: "App/en.lproj/T." + ending), "en", text)])
  }

  private static func list(_ entries: String, around: (String, String) = ("", "")) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(around.0)<plist version=\"1.0\">\n<dict>\n\(entries)</dict>\n</plist>\(around.1)\n"
  }

  private static func told(_ conversion: TableConversion) -> [String] {
    conversion.diagnostics.map {
      "\($0.path.split(separator: "/").last ?? ""):\($0.line ?? 0):\($0.column ?? 0) \($0.message)"
    }
  }

  // MARK: .strings

  @Test(
    "an entry has the comments before its key, those on its line and in it; the last has those to the end; none is lost",
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
    "the head that Xcode's template gives a file goes to its first entry only where that has no other; else it is told")
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

  @Test("comments that differ between languages are joined, the source language's first; Xcode takes that alone")
  func joined() throws {
    let conversion = try Self.convert([
      Self.file("App/de.lproj/T.strings", "de", "/* deutsch */\n\"a\" = \"A\";\n/* same */\n\"b\" = \"B\";\n"),
      Self.file("App/en.lproj/T.strings", "en", "/* own */\n\"a\" = \"A\";\n/* same */\n\"b\" = \"B\";\n"),
    ])
    #expect(conversion.catalog.entries.mapValues(\.comment) == ["a": "own\ndeutsch", "b": "same"])
  }

  @Test("a comment whose place the code's comment takes is told")
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
        "T.strings:1:1 dropped a comment of the key \"a\", because the code has another one, which every build uses: \"of the file\""
      ])
  }

  @Test("an earlier entry of a key is told where it says something else; its comment is kept")
  func duplicates() throws {
    let conversion = try Self.convert(
      "/* first */\n\"a\" = \"old\";\n/* second */\n\"a\" = \"new\";\n\"b\" = \"B\";\n\"b\" = \"B\";\n")
    #expect(conversion.catalog.entries["a"]?.comment == "first\nsecond")
    #expect(
      Self.told(conversion) == [
        "T.strings:2:1 dropped an earlier entry of the key \"a\", because the last one counts at run time: \"old\""
      ])
  }

  @Test("XML and old-style values that are no texts keep their file, which loses only what the catalog holds")
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
    "comments of an XML table belong to the entry before or in which they stand, those around the table to the first and last"
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

  @Test("the comments of a file without texts are told where it goes with its table")
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

  private static let forms = """
    <key>NSStringLocalizedFormatKey</key><string>%#@n@</string>
    <key>n</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
    <key>one</key><string>%d bird</string><!-- deep -->
    <key>other</key><string>%d birds</string></dict>

    """
  private static let width =
    "<key>w</key><dict><key>NSStringVariableWidthRuleType</key><dict><key>20</key><string>x</string></dict></dict>\n"

  @Test("comments anywhere in an entry are the entry's, and so is a member called comment")
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
    "an entry with members of unknown meaning stays with all it has, and they are named",
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
        "T.stringsdict:5:1 the key \"birds\" stays in this file, because a String Catalog cannot hold it: it has members that a .stringsdict does not support: \(named)"
      ])
    #expect(conversion.edits.edits["App/en.lproj/T.stringsdict"] == .write(Array(Self.list(entry).utf8)))
  }

  @Test("an earlier entry of a key in a .stringsdict is told")
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
        "T.stringsdict:4:1 dropped an earlier entry of the key \"birds\", because the last one counts at run time: \"old\""
      ])
  }

  @Test("an old-style .stringsdict loses no comment either")
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

  @Test("a key with a width rule stays in its file in all languages with all it has, and is named")
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

  @Test("a rule for a device that no catalog knows stays")
  func device() throws {
    let text = Self.list(
      "<key>d</key><dict><key>NSStringDeviceSpecificRuleType</key><dict><key>iphone</key><string>Tap</string><key>fridge</key><string>Open</string></dict></dict>\n"
    )
    let conversion = try Self.convert(text, ending: "stringsdict")
    #expect(conversion.edits.isEmpty)
    #expect(conversion.diagnostics.first?.message.contains("fridge") == true)
  }

  // MARK: Files

  @Test("en counts before Base: what Base alone has is kept, what it says else is told")
  func base() throws {
    let conversion = try Self.convert([
      Self.file("App/en.lproj/T.strings", "en", "\"a\" = \"A\";\n\"b\" = \"B\";\n"),
      Self.file("App/Base.lproj/T.strings", "en", "\"a\" = \"A\";\n\"b\" = \"base\";\n\"c\" = \"C\";\n"),
    ])
    #expect(conversion.catalog.entries["b"]?.translations == ["en": Translation("B")])
    #expect(conversion.catalog.entries["c"]?.translations == ["en": Translation("C")])
    #expect(conversion.diagnostics.map(\.path) == ["App/Base.lproj/T.strings"])
    #expect(conversion.diagnostics.map(\.line) == [2])
    #expect(conversion.edits.paths == ["App/Base.lproj/T.strings", "App/T.xcstrings", "App/en.lproj/T.strings"])
  }

  @Test("one file that cannot be read keeps all; so does a catalog that is there, and a table without a text stays")
  func refusals() throws {
    let good = Self.file("App/en.lproj/T.strings", "en", "\"a\" = \"A\";\n")
    #expect(throws: InputFault.self) {
      try Self.convert([good, Self.file("App/de.lproj/T.strings", "de", "\"a\" = ;\n")])
    }
    #expect(throws: InputFault.self) {
      try TableConversion([good], to: "App/T.xcstrings", sourceLanguage: "en", strings: [], stands: true)
    }
    let empty = try Self.convert("/* T.strings */\n")
    #expect(empty.edits.isEmpty)
    #expect(empty.diagnostics.map(\.severity) == [.note])
  }

  @Test("what ibtool wrote in one line is made anew; what a person wrote below it is told, in full length")
  func interfaceComments() throws {
    let words = String(repeating: "long words ", count: 40)
    let text =
      "/* Class = \"NSBox\"; title = \"A\"; ObjectID = \"1\"; */\n\"1.title\" = \"A\";\n"
      + "/* Class = \"NSBox\"; title = \"B\"; ObjectID = \"2\";\n\(words)end */\n\"2.title\" = \"B\";\n"
    let strings = ["1", "2"].map { id in
      ExtractedString(
        catalog: "App/mul.lproj/Main.xcstrings", table: "Main", key: UnitKey(id + ".title"), value: "x",
        comment: "Class = \"NSBox\"; title = \"x\"; ObjectID = \"\(id)\";", origin: .interfaceBuilder)
    }
    let conversion = try TableConversion(
      [Self.file("App/de.lproj/Main.strings", "de", text)], to: "App/mul.lproj/Main.xcstrings", sourceLanguage: "en",
      strings: strings, isOfInterface: true)
    #expect(conversion.diagnostics.map(\.line) == [3])
    #expect(conversion.diagnostics.first?.message.hasSuffix("end\"") == true)
  }

  @Test("a file of which nothing goes is not written, and a comment that stays in it is not told")
  func untouched() throws {
    let rest = "/* T.strings */\n\n/* own */\n\"b\" = ( x );\n"
    let english = Self.file("App/en.lproj/T.strings", "en", "\"a\" = \"A\";\n")
    let conversion = try Self.convert([english, Self.file("App/de.lproj/T.strings", "de", rest)])
    #expect(conversion.edits.paths == ["App/T.xcstrings", "App/en.lproj/T.strings"])
    #expect(!Self.told(conversion).contains { $0.contains("dropped") })
    // Above the only entry that goes, the head goes with it.
    let gone = try Self.convert([
      english,
      Self.file("App/de.lproj/T.strings", "de", "/* T.strings */\n/* own */\n\"a\" = \"A\";\n\"b\" = ( x );\n"),
    ])
    #expect(Self.told(gone).contains { $0.contains("no key: \"T.strings\"") })
  }

  @Test("a table that is cut off at any byte is never removed, unless what is left of it is whole and in the catalog")
  func truncated() throws {
    let birds = "<!-- c -->\n<key>birds</key><dict>\n\(Self.forms)</dict>\n<key>ä</key><string>x</string>\n"
    for (name, text) in [
      ("T.strings", "{\n/* one */\n\"a\" = \"A\\n\"; // b\nc = 'd';\n\"é\" = \"\\U00e9\";\n}"),
      ("T.strings", Self.list(birds.replacing(Self.forms, with: "").replacing("<dict>\n</dict>", with: "<string/>"))),
      ("T.stringsdict", Self.list(birds)),
      ("T.stringsdict", "{ birds = { NSStringLocalizedFormatKey = \"%#@n@\"; n = { other = \"%d\"; }; }; }"),
    ] {
      let bytes = Array(text.utf8)
      let whole = TableConversion.File(path: TreePath(trusted: "App/en.lproj/" + name), language: "en", bytes: bytes)
      #expect(try !Self.convert([whole]).edits.isEmpty)
      let end = text.hasSuffix("\n") ? bytes.count - 1 : bytes.count
      for length in 0..<end {
        let cut = TableConversion.File(
          path: TreePath(trusted: "App/de.lproj/" + name), language: "de", bytes: Array(bytes[..<length]))
        // Nothing of a table is left alone by being empty.
        let isEmpty = bytes[..<length].allSatisfy { $0 == 0x20 || $0 == 0x0A }
        let edits = (try? Self.convert([whole, cut]))?.edits ?? TreeEdits()
        #expect(edits.isEmpty || isEmpty, "\(name) cut at byte \(length)")
        #expect((try? Self.convert([cut]))?.edits.isEmpty ?? true, "\(name) cut at byte \(length), alone")
      }
    }
  }

  @Test("of a table without brackets what a cut leaves whole is in the catalog, and nothing else is removed")
  func cutBetweenEntries() throws {
    let bytes = Array("/* one */\n\"a\" = \"A\";\n\n/* two */\n\"b\" = \"B;\\\"\"; // c\n".utf8)
    for length in 0...bytes.count {
      let text = String(decoding: bytes[..<length], as: UTF8.self)
      guard let conversion = try? Self.convert(text), !conversion.edits.isEmpty else { continue }
      let file = try StringsFile.read(Array(bytes[..<length]), at: "T.strings")
      #expect(!file.entries.isEmpty)
      for entry in file.entries {
        #expect(conversion.catalog.entries[entry.key]?.translations["en"] == Translation(entry.value))
      }
      let words = conversion.catalog.entries.values.compactMap(\.comment) + conversion.diagnostics.map(\.message)
      for comment in ["one", "two", "c"] where text.contains(comment == "c" ? "// c" : "\(comment) */") {
        #expect(words.contains { $0.contains(comment) }, "cut at byte \(length)")
      }
    }
  }
}
