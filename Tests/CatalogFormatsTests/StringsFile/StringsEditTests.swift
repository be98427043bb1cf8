import Localization
import StructuredText
import TestSupport
import Testing

@testable import CatalogFormats

@Suite struct StringsEditTests {
  private func edited(_ text: String, _ edits: [UnitKey: StringsEdit]) throws -> String {
    let bytes = try StringsFile.read(Array(text.utf8), at: "a.strings").edited(edits)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let xcode = "/* c */\n\"b\" = \"1\";\n\n/* d */\n\"d\" = \"2\";\n\n"
  private static let ibtool = "\n/* c */\n\"b\" = \"1\";\n\n/* d */\n\"d\" = \"2\";\n"
  private static let tight = "/* c */\r\nb = \"1\";\r\n/* d */\r\nd = \"2\";"

  @Test(
    "setting a value replaces only the value's bytes, with Xcode's escapes and the existing quotes",
    arguments: [
      (#""k" = "v";"#, "k", "a\"b\\c\nd\te\rf", #""k" = "a\"b\\c\nd\te\rf";"#),
      (#"'k' = 'v' ; // x"#, "k", "it's \"q\"", #"'k' = 'it\'s "q"' ; // x"#), ("k = v;\n", "k", "w", "k = \"w\";\n"),
      ("\"k\";\n", "k", "w", "\"k\" = \"w\";\n"), ("k /* c */ ;\n", "k", "w", "k = \"w\" /* c */ ;\n"),
      ("{\n  k = v;\n}\n", "k", "w", "{\n  k = \"w\";\n}\n"),
      ("\"k\" = \"1\"; \"k\" = \"2\";", "k", "3", "\"k\" = \"1\"; \"k\" = \"3\";"),
    ])
  func set(text: String, key: String, value: String, expected: String) throws {
    let written = try edited(text, [UnitKey(key): .value(value, comment: "unused")])
    #expect(written == expected)
    #expect(try StringsFile.read(Array(written.utf8), at: "a.strings").values[UnitKey(key)]?.value == value)
  }

  @Test("setting a value to its current text keeps the notation")
  func same() throws {
    let text = #"k = "\U00e9\101"; l = w;"#
    #expect(try edited(text, ["k": .value("éA", comment: nil), "l": .value("w", comment: nil)]) == text)
  }

  @Test(
    "a new entry has the file's layout and is added at its sorted position, or at the end of an unsorted file",
    arguments: [
      (xcode, "c", "/* c */\n\"b\" = \"1\";\n\n/* n */\n\"c\" = \"x\";\n\n/* d */\n\"d\" = \"2\";\n\n"),
      (xcode, "a", "/* n */\n\"a\" = \"x\";\n\n/* c */\n\"b\" = \"1\";\n\n/* d */\n\"d\" = \"2\";\n\n"),
      (xcode, "e", "/* c */\n\"b\" = \"1\";\n\n/* d */\n\"d\" = \"2\";\n\n/* n */\n\"e\" = \"x\";\n\n"),
      (ibtool, "e", "\n/* c */\n\"b\" = \"1\";\n\n/* d */\n\"d\" = \"2\";\n\n/* n */\n\"e\" = \"x\";\n"),
      (tight, "e", "/* c */\r\nb = \"1\";\r\n/* d */\r\nd = \"2\";\r\n/* n */\r\ne = \"x\";"),
      ("\"z\" = \"1\";\n\"a\" = \"2\"; // t", "b", "\"z\" = \"1\";\n\"a\" = \"2\"; // t\n/* n */\n\"b\" = \"x\";"),
      ("", "b", "/* n */\n\"b\" = \"x\";\n\n"), ("/* head */", "b", "/* head */\n\n/* n */\n\"b\" = \"x\";\n\n"),
      ("a = 1; c = 3;", "b", "a = 1; b = \"x\"; c = 3;"), ("{ c = 3; d = 4; }", "b", "{ b = \"x\"; c = 3; d = 4; }"),
      ("{\n}\n", "b", "{\n/* n */\n\"b\" = \"x\";\n\n}\n"),
    ])
  func add(text: String, key: String, expected: String) throws {
    #expect(try edited(text, [UnitKey(key): .value("x", comment: "n")]) == expected)
  }

  @Test("a comment of several lines has the file's line endings")
  func commentLines() throws {
    let added = try edited(Self.tight, ["e": .value("x", comment: "n\nm")])
    #expect(added == Self.tight + "\r\n/* n\r\nm */\r\ne = \"x\";")
    #expect(try edited(added, ["e": .comment("n\nm")]) == added)
    #expect(try edited(added, ["e": .comment("m\nn")]) == Self.tight + "\r\n/* m\r\nn */\r\ne = \"x\";")
    #expect(try edited(Self.xcode, ["b": .comment("n\nm")]).hasPrefix("/* n\nm */\n\"b\""))
    let noted = try edited(Self.xcode.replacing("\n", with: "\r"), ["b": .comment("n\nm")])
    #expect(noted.hasPrefix("/* n\rm */\r\"b\""))
    #expect(try edited(noted, ["b": .comment("n\nm")]) == noted)
  }

  @Test(
    "a file whose line breaks are single CRs is edited like the same file with LF, and gets CRs",
    arguments: [
      xcode, ibtool, "/* head */\n", "{\n}\n", "\"z\" = \"1\";\n\"a\" = \"2\"; // t",
      "{\n  b = 1;\n  d = 2; e = 3;\n}\n",
      "/* head */\n\n// own\n\"b\" = \"1\"; // t\n\"c\" = \"2\";\n",
    ])
  func carriageReturns(text: String) throws {
    func withCR(_ text: String) -> String { text.replacing("\n", with: "\r") }
    let changes: [[UnitKey: StringsEdit]] = [
      ["a": .value("x", comment: "n\nm")], ["c": .value("x\ny", comment: nil)], ["e": .value("x", comment: "n")],
      ["b": .remove], ["d": .remove, "z": .remove], ["b": .remove, "d": .remove, "a": .remove], ["b": .comment("n\nm")],
      ["b": .comment(nil)], ["d": .both(value: "x", comment: "n"), "n": .value("x", comment: nil)],
    ]
    for edits in changes {
      let expected = withCR(try edited(text, edits))
      #expect(try edited(withCR(text), edits) == expected)
    }
  }

  @Test(
    "an entry is removed with its comment and the empty line before or after it, and the file's header is kept",
    arguments: [
      (xcode, "b", "/* d */\n\"d\" = \"2\";\n\n"), (xcode, "d", "/* c */\n\"b\" = \"1\";\n\n"),
      (ibtool, "b", "\n/* d */\n\"d\" = \"2\";\n"), (ibtool, "d", "\n/* c */\n\"b\" = \"1\";\n"),
      (tight, "b", "/* d */\r\nd = \"2\";"), (tight, "d", "/* c */\r\nb = \"1\";"),
      ("/* head */\n\n// own\n\"b\" = \"1\"; // t\n\"c\" = \"2\";\n", "b", "/* head */\n\n\"c\" = \"2\";\n"),
      ("\"a\" = \"1\"; \"b\" = \"2\"; \"c\" = \"3\";", "b", "\"a\" = \"1\"; \"c\" = \"3\";"),
      ("\"b\" = \"1\";\n\"c\" = \"2\";\n\"b\" = \"3\";\n", "b", "\"c\" = \"2\";\n"),
    ])
  func remove(text: String, key: String, expected: String) throws {
    #expect(try edited(text, [UnitKey(key): .remove]) == expected)
  }

  @Test(
    "entries with the same key on one line are removed together",
    arguments: [
      (#""k" = "1"; "k" = "2"; "b" = "3";"#, #""b" = "3";"#), (#""b" = "3"; "k" = "1"; "k" = "2";"#, #""b" = "3";"#),
      (#""k" = "1"; "k" = "2";"#, ""), (#""k" = "1"; "b" = "3"; "k" = "2";"#, #""b" = "3";"#),
      (#""k";"k"; "k" /* c */; "b";"#, #""b";"#),
    ])
  func repeatedOnOneLine(text: String, expected: String) throws {
    #expect(try edited(text, ["k": .remove]) == expected)
    let rules = try StringsDictFile.read(Array((text + " a;").utf8), at: "a.stringsdict").edited(["k": nil])
    #expect(try StringsDictFile.read(rules, at: "a.stringsdict").entries.allSatisfy { $0.key != "k" })
  }

  @Test("an added entry is not part of a comment before it, even if the line ends with only a CR")
  func afterLineComment() throws {
    let written = try edited("\"k\" = \"1\"; // x\r// y\n", ["new": .value("v", comment: nil)])
    let read = try StringsFile.read(Array(written.utf8), at: "a.strings")
    #expect(read.values.mapValues(\.value) == ["k": "1", "new": "v"] && written.contains("// x\n"))
  }

  @Test("adjacent entries are removed and others added, whatever the order of the edits")
  func together() throws {
    let text = "/* a */\n\"a\" = \"1\";\n\n/* b */\n\"b\" = \"2\";\n\n/* c */\n\"c\" = \"3\";\n\n"
    #expect(
      try edited(
        text,
        [
          "a": .remove, "b": .remove, "bb": .value("x", comment: nil), "c": .both(value: "4", comment: "new"),
          "d": .value("y", comment: "*/"),
        ])
        == "\"bb\" = \"x\";\n\n/* new */\n\"c\" = \"4\";\n\n/* * / */\n\"d\" = \"y\";\n\n")
    #expect(try edited(text, ["a": .remove, "b": .remove, "c": .remove]) == "")
    #expect(
      try edited(text, ["a": .comment(nil), "b": .comment("one\ntwo"), "z": .comment("nothing")])
        == "\"a\" = \"1\";\n\n/* one\ntwo */\n\"b\" = \"2\";\n\n/* c */\n\"c\" = \"3\";\n\n")
  }

  @Test("an XML table keeps its layout when edited, and a binary table is rewritten in its original order")
  func lists() throws {
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
        <!-- kept -->
        <dict>
          <key>b</key>
          <string>B &#38; &quot;b&quot;</string>
          <key>d</key>
          <string>D</string>
        </dict>
      </plist>
      """
    let edits: [UnitKey: StringsEdit] = [
      "b": .value("B & \"b\"", comment: nil), "c": .value("<C>", comment: "no place"), "d": .remove,
      "e": .value("E", comment: nil),
    ]
    #expect(
      try edited(xml, edits)
        == xml.replacing(
          "    <key>d</key>\n    <string>D</string>\n",
          with: "    <key>c</key>\n    <string>&lt;C&gt;</string>\n    <key>e</key>\n    <string>E</string>\n"))
    let tree = TextDictionary.dictionary([.init("d", .text("D")), .init("b", .text("B"))])
    let file = try StringsFile.read(tree.binary(sortingKeys: false), at: "a.strings")
    let written = try StringsFile.read(
      file.edited(["b": .value("Ä", comment: nil), "a": .value("A", comment: nil)]), at: "a.strings")
    #expect(written.entries.map { "\($0.key)=\($0.value)" } == ["d=D", "b=Ä", "a=A"])
    #expect(
      try edited(xml, ["d": .value("\u{1}\u{8}", comment: nil)]) == xml.replacing(">D<", with: ">\u{1}\u{8}<"))
  }

  @Test(
    "a value in any table can be set, added and removed without changing anything else",
    arguments: SampleFile.all(".strings"))
  func corpus(file: SampleFile) throws {
    let bytes = try file.bytes()
    let read = try StringsFile.read(bytes, at: file.treePath)
    #expect(try read.edited([:]) == bytes)
    var random = SeededGenerator(seed: UInt64(bytes.count))
    for entry in read.entries.shuffled(using: &random).prefix(12) {
      for edit in [StringsEdit.value("neu \"\\\n€😀", comment: nil), .remove] {
        let written = try read.edited([entry.key: edit])
        let now = try StringsFile.read(written, at: file.treePath)
        #expect(now.values[entry.key]?.value == (edit == .remove ? nil : "neu \"\\\n€😀"))
        #expect(
          now.entries.filter { $0.key != entry.key }.map { [$0.key.text, $0.value, $0.comment] }
            == read.entries.filter { $0.key != entry.key }.map { [$0.key.text, $0.value, $0.comment] })
        #expect(
          try TableAudit.unexplainedChanges(from: bytes, to: written, at: file.treePath) { $0 == entry.key }.isEmpty)
        #expect(try !TableAudit.unexplainedChanges(from: bytes, to: written, at: file.treePath) { _ in false }.isEmpty)
      }
    }
    let key = UnitKey("dragoman " + String(bytes.count))
    let written = try read.edited([key: .value("x", comment: "new")])
    let now = try StringsFile.read(written, at: file.treePath)
    #expect(now.values[key]?.value == "x")
    #expect(now.entries.count == read.entries.count + 1)
    #expect(try TableAudit.unexplainedChanges(from: bytes, to: written, at: file.treePath) { $0 == key }.isEmpty)
  }

  @Test(
    "an entry can be added whatever follows the last entry, and after spaces at the end of a line",
    arguments: [
      "\"a\" = \"x\"; \n", "\"a\" = \"x\";\t\r\n", "\"a\" = \"x\";\n  \n", "\"a\" = \"x\"; ",
      "\"a\" = \"x\"; // trailing\n",
      "\"a\" = \"x\";\n\n/* end */\n", "\"a\" = \"x\";\n// end\n", "/* c */\n\"a\" = \"x\";\n\n/* new */\n",
      "\"a\" = \"x\";\n/* c */\n\"c\" = \"y\"; \n\n\n\n/*  d  */\n\n",
      "/* c */\n\n/* d */\n",
    ])
  func ends(text: String) throws {
    let bytes = Array(text.utf8)
    let file = try StringsFile.read(bytes, at: "a.strings")
    for comment in [nil, "new"] {
      let written = try file.edited(["b": .value("y", comment: comment)])
      #expect(try StringsFile.read(written, at: "a.strings").values["b"]?.value == "y")
      let lines = written.split(separator: 0x0A)
      #expect(bytes.split(separator: 0x0A).allSatisfy(lines.contains), "\(String(decoding: written, as: UTF8.self))")
      #expect(try TableAudit.unexplainedChanges(from: bytes, to: written, at: "a.strings") { $0 == "b" }.isEmpty)
    }
  }

  @Test("the audit finds every change that no unit explains: a changed comment, a moved entry, a changed value")
  func audit() throws {
    let old = Array(Self.xcode.utf8)
    func findings(_ new: String, _ keys: Set<UnitKey>) throws -> [String] {
      try TableAudit.unexplainedChanges(from: old, to: Array(new.utf8), at: "a.strings", explaining: keys.contains)
        .map(\.description)
    }
    #expect(try findings(Self.xcode.replacing("\"2\"", with: "\"3\""), ["d"]).isEmpty)
    #expect(
      try findings(Self.xcode.replacing("\"2\"", with: "\"3\""), ["b"])
        == ["a.strings:5:1: error: the key \"d\" changed, although no returned unit changes it"])
    #expect(
      try findings(Self.xcode.replacing("/* c */", with: "/* e */"), ["d"])
        == [
          "a.strings: error: bytes outside the changed translations differ, first at 1:4 of the file without these translations"
        ])
    #expect(
      try TableAudit.unexplainedChanges(from: nil, to: old, at: "a.strings") { $0 == "b" }.map(\.description)
        == ["a.strings:5:1: error: the key \"d\" was added, although no returned unit changes it"])
    #expect(
      try findings("", ["b"]) == ["a.strings: error: the key \"d\" was removed, although no returned unit changes it"])
  }
}
