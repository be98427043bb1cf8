import CatalogFormats
import Localization
import Testing

/// Tests of the files, and parts of files, that a conversion keeps or removes.
extension TableConversionTests {
  @Test("en has precedence over Base: texts that only Base has are kept, and different texts are reported")
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

  @Test("nothing is converted if a file cannot be read, the catalog already exists, or the table has no text")
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

  @Test(
    "one-line comments of ibtool are dropped because they can be regenerated; a person's text below them is reported in full"
  )
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

  @Test("a file without converted entries is not written, and the comments that stay in the file are not reported")
  func untouched() throws {
    let rest = "/* T.strings */\n\n/* own */\n\"b\" = ( x );\n"
    let english = Self.file("App/en.lproj/T.strings", "en", "\"a\" = \"A\";\n")
    let conversion = try Self.convert([english, Self.file("App/de.lproj/T.strings", "de", rest)])
    #expect(conversion.edits.paths == ["App/T.xcstrings", "App/en.lproj/T.strings"])
    #expect(!Self.told(conversion).contains { $0.contains("dropped") })
    // The header belongs to the only converted entry, so the header is removed with the entry.
    let gone = try Self.convert([
      english,
      Self.file("App/de.lproj/T.strings", "de", "/* T.strings */\n/* own */\n\"a\" = \"A\";\n\"b\" = ( x );\n"),
    ])
    #expect(Self.told(gone).contains { $0.contains("no key: \"T.strings\"") })
  }

  @Test("a truncated table is never removed")
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
        // An empty table does not cause the other file to be kept.
        let isEmpty = bytes[..<length].allSatisfy { $0 == 0x20 || $0 == 0x0A }
        let edits = (try? Self.convert([whole, cut]))?.edits ?? TreeEdits()
        #expect(edits.isEmpty || isEmpty, "\(name) cut at byte \(length)")
        #expect((try? Self.convert([cut]))?.edits.isEmpty ?? true, "\(name) cut at byte \(length), alone")
      }
    }
  }

  @Test("the complete entries of a truncated table without brackets are converted, and no comment is lost")
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
