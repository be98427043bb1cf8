import Foundation
import Localization
import StructuredText
import Testing

@testable import CatalogFormats

@Suite struct StringsFileReadTests {
  private func read(_ text: String) throws -> StringsFile {
    try StringsFile.read(Array(text.utf8), at: "en.lproj/A.strings")
  }

  private func faults(_ bytes: [UInt8]) -> [String] {
    do {
      _ = try StringsFile.read(bytes, at: "a.strings")
      return []
    } catch {
      return error.diagnostics.map { "\($0.line ?? 0):\($0.column ?? 0): \($0.message)" }
    }
  }

  @Test(
    "every notation of keys and values that Core Foundation accepts is read",
    arguments: [
      (#""k" = "v";"#, "k", "v"), (#"k=v;"#, "k", "v"), (#"'it''s' ;"#, "", ""), (#""k";"#, "k", "k"),
      (#"'k' = 'say "v"';"#, "k", #"say "v""#), (#"a.b/c:d-e$_1 = "v";"#, "a.b/c:d-e$_1", "v"),
      (#""k" = "a\nb\tc\rd\"e\\f";"#, "k", "a\nb\tc\rd\"e\\f"), ("\"k\" = \"a\nb\";", "k", "a\nb"),
      ("\"k\" = \"a\\\nb\";", "k", "a\nb"), (#""k" = "\U00e9\U2800";"#, "k", "\u{e9}\u{2800}"),
      (#""k" = "\Ud83d\Ude00";"#, "k", "😀"), (#""k" = "\341";"#, "k", "Æ"), (#""k" = "\u00e9";"#, "k", "u00e9"),
      (#""k" = "\q\'";"#, "k", "q'"), (#"{ "k" = "v"; }"#, "k", "v"), (#""k"/* a */=/* b */"v"/* ; */;"#, "k", "v"),
      (#""" = "";"#, "", ""),
    ])
  func grammar(text: String, key: String, value: String) throws {
    guard !text.hasPrefix("'it") else {
      // Two strings in a row are not an entry.
      #expect(throws: InputFault.self) { try read(text) }
      return
    }
    let file = try read(text)
    #expect(file.entries.map(\.key) == [UnitKey(key)])
    #expect(file.entries.first.map { $0.value.isExactly(value) } == true)
  }

  @Test(
    "values of an old-style table equal those that Foundation reads",
    arguments: [
      #""k" = "a\nb\tc\"d\\e";"#, #"k = v; "l" = "\U00e9";"#, #""k";"#, #"'k' = 'v';"#, "\"k\" = \"a\nb\";",
      #"/* c */ "k" = "v"; // d"#, #"{ k = v; }"#, #""k" = "one"; "l" = "\101\102";"#,
    ])
  func oracle(text: String) throws {
    let found = try unsafe PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
    let expected = try #require(found as? [String: String])
    let values = try read(text).values
    #expect(Dictionary(uniqueKeysWithValues: values.map { ($0.key.text, $0.value.value) }) == expected)
  }

  @Test(
    "an entry's comment is the adjacent comments before its key without the file's header, or else the comment after its value"
  )
  func comments() throws {
    let file = try read(
      """
      /*
        A.strings
        Created by someone.
      */

      /* First
         Second */
      "a" = "1";

      // one
      // two
      "b" = "2"; // behind b
      "c" = "3"; /* behind c */

      /* Section */

      "d" = "4";
      "e" = "5";
      /* at the end */

      """)
    #expect(
      file.entries.map { $0.comment } == ["First\n   Second", "one\ntwo", "behind c", "Section", nil])
  }

  @Test(
    "CR ends a line, so a comment on the next line does not belong to the entry", arguments: ["\r", "\r\n", "\n"])
  func lineEnds(newline: String) throws {
    let file = try read(["\"a\" = \"1\"; // of a", "/* of b */", "\"b\" = \"2\";", ""].joined(separator: newline))
    #expect(file.entries.map(\.comment) == ["of a", "of b"])
    let without = String(decoding: try file.edited(["a": .remove]), as: UTF8.self)
    #expect(without.contains("/* of b */") && !without.contains("of a"))
  }

  @Test("a duplicate key is reported with both locations, and the last value is used")
  func duplicates() throws {
    let file = try read("\"a\" = \"1\";\n\"b\" = \"2\";\n\"a\" = \"3\";\n\"c\" = { d = e; };\n")
    #expect(file.entries.map(\.value) == ["1", "2", "3"])
    #expect(file.values["a"]?.value == "3")
    #expect(
      file.warnings.map(\.description) == [
        "en.lproj/A.strings:3:1: warning: the key \"a\" is also on line 1; at run time the last entry counts",
        "en.lproj/A.strings:4:1: warning: the value of the key \"c\" is not text; it stays unchanged",
      ])
    #expect(try read("\"\u{e9}\" = \"1\";\n\"e\u{301}\" = \"2\";\n").warnings.isEmpty)
  }

  @Test(
    "a table's encoding is recognized by its byte order mark or NUL bytes, and its bytes are kept",
    arguments: [TextEncoding.Unit.utf8, .utf16LittleEndian, .utf16BigEndian], [true, false])
  func encodings(unit: TextEncoding.Unit, hasMark: Bool) throws {
    let text = "/* Größe 😀 */\n\"k\" = \"значення 😀\";\n\n"
    let encoding = TextEncoding(unit, hasMark: hasMark)
    let bytes = encoding.bytes(of: Array(text.utf8))
    #expect(TextEncoding(sniffing: bytes) == encoding)
    let file = try StringsFile.read(bytes, at: "a.strings")
    #expect(file.values["k"]?.value == "значення 😀")
    #expect(file.values["k"]?.comment == "Größe 😀")
    #expect(file.values["k"]?.position.line == 2)
    #expect(try file.edited(["k": .value("значення 😀", comment: nil)]) == bytes)
    #expect(try Reprint.reprint(bytes, at: "a.strings") == bytes)
  }

  @Test("a second byte order mark, which some exports write, is skipped")
  func doubleMark() throws {
    let bytes = TextEncoding(.utf16LittleEndian, hasMark: true).bytes(of: Array("\u{feff}\"k\" = \"v\";\n".utf8))
    let file = try StringsFile.read(bytes, at: "a.strings")
    #expect(file.values["k"]?.value == "v")
    #expect(try file.edited(["k": .value("w", comment: nil)]).count == bytes.count)
  }

  @Test("InfoPlist.strings can be an XML or a binary property list")
  func lists() throws {
    let tree = TextDictionary.dictionary([.init("b", .text("B & b")), .init("a", .text("Ä"))])
    for bytes in [tree.xml(sortingKeys: false), tree.binary(sortingKeys: false)] {
      let file = try StringsFile.read(bytes, at: "a.strings")
      #expect(file.entries.map(\.key) == ["b", "a"])
      #expect(file.entries.map(\.value) == ["B & b", "Ä"])
      #expect(try Reprint.reprint(bytes, at: "a.strings") == bytes)
    }
  }

  @Test("faults are reported with line and column, in UTF-16 files too")
  func places() {
    let text = "\"a\" = \"ä\";\n\"ö\" = \"b\" \"c\";\n"
    for unit in [TextEncoding.Unit.utf8, .utf16LittleEndian, .utf16BigEndian] {
      let bytes = TextEncoding(unit, hasMark: true).bytes(of: Array(text.utf8))
      #expect(faults(bytes) == ["2:12: expected ';' after a value, found '\"'"])
    }
    #expect(
      faults([0xFF, 0xFE, 0x0A, 0x00, 0x00, 0xD8, 0x41, 0x00, 0x00, 0xDC, 0x42]) == [
        "2:1: unpaired surrogate 0xD800", "2:5: unpaired surrogate 0xDC00",
        "2:8: the file is UTF-16 and ends within a character",
      ])
    #expect(
      faults(Array("\"a\" = \"".utf8) + [0xE9, 0x22, 0x3B]) == ["1:8: invalid UTF-8: unexpected byte 0xE9"])
    #expect(faults(Array("\"a\" = \"b\"".utf8)).count == 1)
    #expect(
      faults(Array("<<<<<<< ours\n\"a\" = \"b\";\n=======\n>>>>>>> theirs\n".utf8)).first?.hasPrefix("1:1: conflict")
        == true)
    #expect(faults(Array("<plist><array/></plist>".utf8)) == ["1:8: a string table must be a dictionary"])
  }

  @Test("a file above the size limit is refused without being read")
  func bound() {
    let bytes = [UInt8](repeating: UInt8(ascii: " "), count: 100 << 20)
    #expect(faults(bytes) == ["1:1: the file has 104857600 bytes; the limit is 33554432"])
    let markup = [UInt8(ascii: "<")] + bytes
    #expect(faults(markup).first?.contains("33554432") == true)
    #expect(faults([0xFF, 0xFE] + bytes).first?.contains("33554432") == true)
  }

  @Test("a sample that is truncated at any byte is either refused or written back unchanged")
  func truncation() throws {
    let text = "/* c */\n\"k\" = \"v\\n\";\n\nk2 = 'w'; // d\n\"s\";\n"
    for encoding in [TextEncoding.utf8, TextEncoding(.utf16LittleEndian, hasMark: true)] {
      let whole = encoding.bytes(of: Array(text.utf8))
      for count in 0...whole.count {
        let bytes = Array(whole.prefix(count))
        guard let file = try? StringsFile.read(bytes, at: "a.strings") else { continue }
        #expect(try file.edited([:]) == bytes)
      }
    }
  }
}
