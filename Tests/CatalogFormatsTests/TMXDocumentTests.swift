import CatalogFormats
import Foundation
import Localization
import TestSupport
import Testing

@Suite struct TMXDocumentTests {
  private static let file = """
    <?xml version="1.0"?>
    <!DOCTYPE tmx SYSTEM "tmx14.dtd">
    <tmx version="1.4">
      <header creationtool="T" creationtoolversion="2" segtype="phrase" o-tmf="x" adminlang="en" srclang="EN-US" datatype="html">
        <note>About</note><prop type="x-d">ui &amp; more</prop>
      </header>
      <body>
        <tu tuid="a&quot;b" changedate="20240203T040506Z">
          <note>Button</note><prop type="x-key">k</prop>
          <tuv xml:lang="en-us"><seg>  Save
    <ph x="1">%@</ph> &lt;now&gt;<!-- c --> <![CDATA[<raw>]]></seg></tuv>
          <tuv lang="de" creationdate="20240101T000000Z"><note>n</note><seg><bpt i="1">&lt;b&gt;</bpt>Sichern<ept i="1">&lt;/b&gt;</ept></seg></tuv>
        </tu>
        <tu srclang="*all*"><tuv xml:lang="ja"><seg>保存</seg></tuv></tu>
        <tu><tuv xml:lang="not a language"><seg>x</seg></tuv><tuv xml:lang="fr"/></tu>
      </body>
    </tmx>
    """

  @Test("a TMX file with codes, notes and languages is read, and unusable parts are reported with their line number")
  func reads() throws {
    let (memory, diagnostics) = try TMXDocument.read(Array(Self.file.utf8), at: "m.tmx")
    #expect(memory.sourceLanguage == "EN-US" && memory.segmentType == "phrase" && memory.notes == ["About"])
    #expect(memory.properties == [TMXProperty("x-d", "ui & more")])
    try #require(memory.units.count == 2)
    let unit = memory.units[0]
    #expect(unit.id == "a\"b" && unit.changed == "20240203T040506Z" && unit.notes == ["Button"])
    #expect(memory.source(of: unit)?.text == "  Save\n%@ <now> <raw>")
    #expect(unit.variants[1].language == "de" && unit.variants[1].text == "<b>Sichern</b>")
    #expect(unit.variants[1].created == "20240101T000000Z" && unit.variants[1].notes == ["n"])
    #expect(memory.source(of: memory.units[1]) == nil)
    #expect(diagnostics.map(\.line) == [15, 15, 15])
    #expect(
      diagnostics.map(\.message) == [
        "skipped: “not a language” is not a language", "skipped: the text in fr has no <seg>",
        "skipped: the unit has no text in any language",
      ])
  }

  @Test("a translation memory is unchanged after it is written and read back")
  func roundTrip() throws {
    let memory = try TMXDocument.read(Array(Self.file.utf8), at: "m.tmx").document
    let (bytes, skipped) = memory.write(at: "m.tmx")
    #expect(skipped.isEmpty)
    let again = try TMXDocument.read(bytes, at: "m.tmx")
    #expect(again.document == memory && again.diagnostics.isEmpty)
    #expect(again.document.write(at: "m.tmx").bytes == bytes)
  }

  @Test("white space, quotation marks and line breaks are kept, and a control character is removed with a warning")
  func writes() throws {
    let texts = [" a\t b ", "x\r\ny\n\nz", "\"<&>'", "e\u{301} 🐦 \u{200F}", ""]
    var memory = TMXDocument(
      sourceLanguage: "en",
      units: texts.map { TMXUnit(id: $0, variants: [TMXVariant(language: "en", text: $0)]) })
    memory.units.append(TMXUnit(id: "bell", variants: [TMXVariant(language: "en", text: "\u{7}")]))
    let (bytes, skipped) = memory.write(at: "m.tmx")
    #expect(skipped.map(\.message) == ["skipped: unit bell contains a control character, which XML cannot hold"])
    let again = try TMXDocument.read(bytes, at: "m.tmx").document
    #expect(again.units.map { $0.variants[0].text } == texts)
  }

  @Test("UTF-16 files are read", arguments: [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian])
  func utf16(_ encoding: String.Encoding) throws {
    let text = Self.file.replacing("version=\"1.0\"?", with: "version=\"1.0\" encoding=\"UTF-16\"?")
    let bytes = Array(try #require(text.data(using: encoding)))
    #expect(
      try TMXDocument.read(bytes, at: "m.tmx").document == TMXDocument.read(Array(Self.file.utf8), at: "m.tmx").document
    )
  }

  @Test(
    "a file that is not TMX is refused with a reason",
    arguments: [
      ("", "empty"), ("<tmx version=\"2.0\"/>", "TMX 2.0 is not supported"), ("<xliff/>", "the root is <xliff>"),
      ("<tmx version=\"1.4\"><body/></tmx>", "no <header>"), ("<tmx version=\"1.4\"><header/><body/></tmx>", "srclang"),
      ("<!DOCTYPE tmx [<!ENTITY a \"b\">]><tmx/>", "entities"), ("<tmx version=\"1.4\"><header", "ends"),
    ])
  func refused(_ text: String, _ words: String) throws {
    let error = try #require(throws: InputFault.self) { try TMXDocument.read(Array(text.utf8), at: "m.tmx") }
    #expect("\(error)".contains(words), "\(error)")
  }

  @Test(
    "the published sample file is unchanged after it is read and written",
    .enabled(if: SharedFolder.specs.isThere, Comment(rawValue: SharedFolder.specs.notice)))
  func sample() throws {
    let bytes = Array(try Data(contentsOf: SharedFolder.specs.folder.appending(path: "exchange/sample-1.4b.tmx")))
    let (memory, diagnostics) = try TMXDocument.read(bytes, at: "sample.tmx")
    #expect(diagnostics.isEmpty && memory.units.count == 4)
    #expect(memory.units[2].variants[0].text == "See <fn text=\"a footnote\"><i>here term")
    #expect(try TMXDocument.read(memory.write(at: "m.tmx").bytes, at: "m.tmx").document == memory)
  }
}
