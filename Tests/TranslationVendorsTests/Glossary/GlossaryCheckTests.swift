import Localization
import Testing
import TranslationVendors

struct GlossaryCheckTests {
  @Test("a glossary says what each term of the source language may be called in each language")
  func check() {
    let glossary = Glossary(entries: [
      GlossaryEntry(terms: [
        GlossaryTerm(language: "en", text: "bird"), GlossaryTerm(language: "en", text: "fowl"),
        GlossaryTerm(language: "de", text: "Geflügel"), GlossaryTerm(language: "de", text: "Vogel", status: .preferred),
        GlossaryTerm(language: "de", text: "Federvieh", status: .deprecated),
      ]),
      GlossaryEntry(terms: [GlossaryTerm(language: "en", text: "bird"), GlossaryTerm(language: "de", text: "Typ")]),
      GlossaryEntry(terms: [GlossaryTerm(language: "fr", text: "nid"), GlossaryTerm(language: "de", text: "Nest")]),
    ])
    let check = glossary.check(from: "en-GB")
    #expect(
      check.terms(for: "de") == [
        TermCheck.Term(source: "bird", targets: ["Vogel", "Geflügel", "Typ"]),
        TermCheck.Term(source: "fowl", targets: ["Vogel", "Geflügel"]),
      ])
    #expect(check.terms(for: "fr").isEmpty && check.terms(for: "en").isEmpty)
  }
}
