import Testing

@testable import StructuredText

@Suite struct OldStylePropertyListTests {
  private func parse(
    _ text: String, as grammar: OldStylePropertyList.Grammar = .value, depth: Int = 256
  ) throws -> OldStylePropertyList {
    try OldStylePropertyList.parse(Array(text.utf8), as: grammar, limits: PropertyListLimits(depth: depth))
  }

  private func fault(_ text: String, as grammar: OldStylePropertyList.Grammar = .value, depth: Int = 256) -> String? {
    do {
      _ = try parse(text, as: grammar, depth: depth)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("the beginning of a project file is read without its comments, and every value has its position")
  func places() throws {
    let list = try parse(
      """
      // !$*UTF8*$!
      {
      \tarchiveVersion = 1; /* one */
      \tobjects = {
      \t\t13B07F96 /* Foo */ = {isa = PBXBuildFile; files = (a, "b c", ); };
      \t};
      \tdata = <0fbd 77>;
      }
      """)
    let objects = try #require(list.value("objects", of: list.root))
    let file = try #require(list.value("13B07F96", of: objects))
    #expect(list.position(of: file) == TextPosition(offset: 83, line: 5, column: 24))
    let files = try #require(list.value("files", of: file))
    #expect(list.elements(of: files).map { list.text($0) } == ["a", "b c"])
    #expect(String(decoding: list.bytes[list.range(of: files)], as: UTF8.self) == #"(a, "b c", )"#)
    let data = try #require(list.value("data", of: list.root))
    #expect(list.value(of: data).content == .data([0x0F, 0xBD, 0x77]))
    #expect(list.members(of: list.root).map { list.text($0.key) } == ["archiveVersion", "objects", "data"])
    #expect(list.value(of: list.root)["objects"]?["13B07F96"]?["isa"]?.string == "PBXBuildFile")
  }

  @Test(
    "escapes are read as by Core Foundation",
    arguments: [
      (#""a\nb\t\"c\"""#, "a\nb\t\"c\""), (#""\U00e9\U20AC""#, "é€"), (#""\Ud83d\Ude00""#, "😀"),
      (#""\Ud83dx""#, "\u{FFFD}x"),
      (#""\u00e9""#, "u00e9"), (#""\341\12""#, "Æ\n"), (#"'it"s'"#, "it\"s"), ("\"a\\\nb\"", "a\nb"),
      ("\"raw\nbreak\"", "raw\nbreak"), ("a/b.c-d_$e:f", "a/b.c-d_$e:f"), (#""""#, ""), (#""\U41 x""#, "A x"),
      (#""\0""#, "\0"), ("\"Über 日本\"", "Über 日本"),
    ])
  func escapes(text: String, expected: String) throws {
    let list = try parse("( \(text) )")
    #expect(list.elements(of: list.root).map { list.text($0) } == [expected])
  }

  @Test("entries without braces are a table, `key;` has its key as value, and braces are allowed")
  func tables() throws {
    for text in ["/* c */ \"a b\" = \"x\"; key; c = d; // end", "{ \"a b\" = x; key; c = d; }"] {
      let list = try parse(text, as: .entries)
      #expect(
        list.members(of: list.root).map { "\(list.text($0.key))=\(list.text($0.value))" } == [
          "a b=x", "key=key", "c=d",
        ])
    }
    let empty = try parse("/* nothing */\n", as: .entries)
    #expect(Array(empty.members(of: empty.root)).isEmpty)
  }

  @Test("the last value of a duplicate key is used")
  func duplicates() throws {
    let list = try parse("{ a = 1; a = 2; }")
    #expect(list.value("a", of: list.root).map { list.text($0) } == "2")
    #expect(list.value(of: list.root)["a"]?.string == "2")
  }

  @Test(
    "an error contains its location and what was expected",
    arguments: [
      ("", "1:1: the file is empty"), ("{ a = 1 }", "1:9: expected ';' after a value, found '}'"),
      ("{\n  a 1;\n}", "2:5: expected '=' after a key, found '1'"), ("( a b )", "1:5: expected ',' or ')', found 'b'"),
      ("{ a = (1, 2);", "1:14: the file ends within 1 open dictionary or array"),
      ("{ a = \"x; }", "1:7: this string is not closed"),
      ("{ /* a = 1; }", "1:3: this comment is not closed"),
      ("{ a = <0f1>; }", "1:7: this data has an odd number of digits"),
      ("{ a = <0g>; }", "1:9: expected a hexadecimal digit or '>', found 'g'"),
      ("{ a = ; }", "1:7: expected a value, found ';'"), ("{} x", "1:4: expected the end of the file, found 'x'"),
      ("{ , }", "1:3: expected a key, found ','"),
      ("{\n<<<<<<< HEAD\na = 1;\n=======\n>>>>>>> b\n}", "2:1: conflict markers of an unfinished merge, lines 2 to 5"),
    ])
  func faults(text: String, expected: String) {
    #expect(fault(text) == expected)
  }

  @Test("deep nesting, invalid UTF-8 and truncated escapes are errors without a crash")
  func hostile() {
    #expect(fault(String(repeating: "(", count: 100_000)) == "1:257: nested deeper than 256 levels")
    #expect(fault("{ a = \"x\\") == "1:7: this string is not closed")
    #expect(throws: SyntaxError.self) { try OldStylePropertyList.parse([0x7B, 0xFF, 0x7D]) }
    #expect(fault("\"a\" = \"b\"", as: .entries) == "1:10: the file ends within an entry")
  }

  @Test("every prefix of a list, and every list with one changed byte, is read or refused without a crash")
  func mutations() {
    let bytes = Array(
      #"// x{a = "b\U00e9"; /* c */ 'd' = (1, <0f>, {e; }, ); "f g" = "\341"; }"#.replacing("x{", with: "x\n{").utf8)
    for end in bytes.indices {
      _ = try? OldStylePropertyList.parse(Array(bytes[..<end]), as: .entries)
      for byte: UInt8 in [0, 0x22, 0x5C, 0x28, 0x7B, 0x7D, 0x2F, 0x3C, 0xE2] {
        var changed = bytes
        changed[end] = byte
        guard let list = try? OldStylePropertyList.parse(changed) else { continue }
        _ = list.value(of: list.root)
      }
    }
  }
}
