import Foundation
import Localization
import TestSupport
import Testing
import TranslationVendors

@Suite struct GlossaryTests {
  private func read(_ text: String) throws -> (glossary: Glossary, diagnostics: [Diagnostic]) {
    try Glossary.read(Array(text.utf8), at: "g")
  }

  @Test(
    "extra empty fields are ignored; a row with too many texts is skipped, or is an error if every entry is required")
  func longRows() throws {
    let (glossary, diagnostics) = try read("en,de\nday,Tag,\nnight,Nacht,, \n")
    #expect(glossary.entries.map { $0.terms(in: "de").map(\.text) } == [["Tag"], ["Nacht"]] && diagnostics.isEmpty)
    let folder = try TemporaryFolder()
    let file = folder.file("g.csv")
    try folder.write("en,de,Owner\nday,Tag,Ada\n", to: "g.csv")
    #expect(try SharedGlossary.whole(at: file).glossary.entries.count == 1)
    try folder.write("en,de\nday,Tag\nbye, see you,Bis dann\n", to: "g.csv")
    #expect(try SharedGlossary(at: file).glossary.entries.count == 1)
    let fault = #expect(throws: VendorError.self) { try SharedGlossary.whole(at: file) }
    #expect(fault?.detail.contains("line 3: skipped: the row has 3 fields; the first row has 2") == true)
  }

  @Test("TBX 2 and 3 files are read with status, definition and part of speech")
  func tbx() throws {
    let body = """
      <ENTRY id="c1"><descrip type="subjectField">ui</descrip><note>n</note>
        <LANG xml:lang="en"><descripGrp><descrip type="definition">To write.</descrip></descripGrp>
          <TERM><term>save</term><termNote type="partOfSpeech">verb</termNote></TERM></LANG>
        <LANG xml:lang="de"><TERM><term>sichern</term><termNote type="administrativeStatus">deprecatedTerm-admn-sts</termNote></TERM>
          <TERM><term> ab
       speichern </term></TERM>
          <TERM><term>speichern</term><termNote type="administrativeStatus">preferredTerm-admn-sts</termNote></TERM></LANG>
        <LANG xml:lang="x y"><TERM><term>z</term></TERM></LANG>
      </ENTRY><ENTRY id="c2"/>
      """
    func named(_ entry: String, _ language: String, _ term: String) -> String {
      body.replacing("ENTRY", with: entry).replacing("LANG", with: language).replacing("TERM", with: term)
    }
    for text in [
      "<!DOCTYPE martif SYSTEM 'x.dtd'><martif><text><body>\(named("termEntry", "langSet", "tig"))</body></text></martif>",
      "<tbx style='dca' xmlns='urn:iso:std:iso:30042:ed-2'><text><body>\(named("conceptEntry", "langSec", "termSec"))</body></text></tbx>",
    ] {
      let (glossary, diagnostics) = try read(text)
      try #require(glossary.entries.count == 1)
      let entry = glossary.entries[0]
      #expect(entry.id == "c1" && entry.subject == "ui" && entry.note == "n" && entry.definition == "To write.")
      #expect(entry.terms(in: "en") == [GlossaryTerm(language: "en", text: "save", partOfSpeech: "verb")])
      #expect(entry.terms(in: "de").map(\.text) == ["speichern", "ab speichern"])
      #expect(diagnostics.map(\.message) == ["skipped: “x y” is not a language", "skipped: the entry has no terms"])
    }
  }

  @Test("CSV files are read with every separator, quotation marks and line breaks", arguments: [",", ";", "\t"])
  func csv(_ separator: String) throws {
    let text =
      "\u{FEFF}en|pt_BR|definition|width\r\nsave|\"sal\"\"v|ar\"|\"two\nlines\"|5\r\n|||\r\nonly| |d\r\n||d|\r\na|b|c|d|e"
    let (glossary, diagnostics) = try read(text.replacing("|", with: separator))
    #expect(
      glossary.entries == [
        GlossaryEntry(
          definition: "two\nlines",
          terms: [
            GlossaryTerm(language: "en", text: "save"), GlossaryTerm(language: "pt-BR", text: "sal\"v\(separator)ar"),
          ]),
        GlossaryEntry(definition: "d", terms: [GlossaryTerm(language: "en", text: "only")]),
      ])
    #expect(diagnostics.map(\.line) == [1, 6, 7])
    #expect(diagnostics[0].message.contains("“width”") && diagnostics[1].message.contains("no term"))
    #expect(diagnostics[2].message.contains("5 fields; the first row has 4"))
  }

  @Test(
    "a file that is not a glossary is refused with a reason",
    arguments: [
      ("", "empty"), ("a b,c d\n1,2\n", "has no language"), ("en,de\n\"a,b", "never closed"),
      ("<html/>", "the root is <html>"), ("<tbx style='dct'/>", "style DCT"), ("<martif/>", "no <text>"),
      ("<martif", "ends"),
    ])
  func refused(_ text: String, _ words: String) throws {
    let error = try #require(throws: InputFault.self) { try read(text) }
    #expect("\(error)".contains(words), "\(error)")
  }

  @Test(
    "published sample files are read",
    .enabled(if: SharedFolder.specs.isThere, Comment(rawValue: SharedFolder.specs.notice)))
  func samples() throws {
    func sample(_ name: String) throws -> Glossary {
      let data = try Data(contentsOf: SharedFolder.specs.folder.appending(path: "exchange/\(name)"))
      let (glossary, diagnostics) = try Glossary.read(Array(data), at: name)
      #expect(diagnostics.isEmpty)
      return glossary
    }
    let two = try sample("sample-martif-v2.tbx")
    #expect(two.entries.map { $0.terms.map(\.text) } == [["save", "speichern", "sichern"], ["Acme & Co"]])
    #expect(two.entries[0].terms(in: "de").map(\.text) == ["speichern"])
    #expect(two.entries[1].note == "Product name: do not translate")
    #expect(try sample("sample-v3-dca.tbx").entries.map(\.definition) == ["To write data to durable storage."])
  }
}
