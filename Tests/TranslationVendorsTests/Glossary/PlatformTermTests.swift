import Localization
import TestSupport
import Testing

@testable import TranslationVendors
@testable import VendorServers

/// Terms that are sent to platforms.
struct PlatformTermTests {
  @Test(
    "a term is sent with its explanation and preferred translation; a regional language can use its main language's")
  func terms() {
    let glossary = Glossary(entries: [
      GlossaryEntry(
        definition: "It flies.", note: "No “Geflügel”",
        terms: [
          GlossaryTerm(language: "en", text: "bird"), GlossaryTerm(language: "en", text: "fowl", status: .deprecated),
          GlossaryTerm(language: "de", text: "Geflügel"),
          GlossaryTerm(language: "de", text: "Vogel", status: .preferred),
        ]),
      GlossaryEntry(terms: [GlossaryTerm(language: "en", text: "bird"), GlossaryTerm(language: "de", text: "Typ")]),
      GlossaryEntry(terms: [
        GlossaryTerm(language: "en", text: "bag"), GlossaryTerm(language: "de", text: "Tüte"),
        GlossaryTerm(language: "de-AT", text: "Sackerl"),
      ]),
      GlossaryEntry(terms: [
        GlossaryTerm(language: "en", text: String(repeating: "a", count: 256)),
        GlossaryTerm(language: "de", text: "zu lang"),
      ]),
    ])
    let bird = PlatformTerm(text: "bird", translation: "Vogel", description: "It flies.\nNo “Geflügel”")
    #expect(
      glossary.platformTerms(from: "en-GB", to: "de") == [PlatformTerm(text: "bag", translation: "Tüte"), bird])
    #expect(
      glossary.platformTerms(from: "en", to: "de-AT") == [PlatformTerm(text: "bag", translation: "Sackerl"), bird])
    #expect(glossary.platformTerms(from: "en", to: "fr").isEmpty)
  }

  @Test(
    "a term with a control character in its text or its translation is not sent",
    arguments: [("bi\u{1}rd", "Vogel"), ("bird", "Vo\u{7F}gel"), ("bi\u{85}rd", "Vogel"), ("bird", "Vo\u{9F}gel")])
  func controlCharacters(_ text: String, _ translation: String) {
    let glossary = Glossary(entries: [
      GlossaryEntry(terms: [
        GlossaryTerm(language: "en", text: text), GlossaryTerm(language: "de", text: translation),
      ]),
      GlossaryEntry(terms: [GlossaryTerm(language: "en", text: "nest"), GlossaryTerm(language: "de", text: "Nest")]),
    ])
    #expect(glossary.platformTerms(from: "en", to: "de") == [PlatformTerm(text: "nest", translation: "Nest")])
  }

  @Test("a term's translation at the platform is replaced only if it is missing or is the one that we entered last")
  func steps() {
    let new = PlatformTerm(text: "bird", translation: "Vogel")
    #expect(new.step(over: nil) == .enter && new.step(over: "") == .enter)
    #expect(new.step(over: "Vogel") == .keep && new.step(over: "Ente") == .leave)
    let changed = PlatformTerm(text: "bird", translation: "Vogel", entered: "Ente")
    #expect(changed.step(over: "Ente") == .enter && changed.step(over: "Gans") == .leave)
  }

  @Test("finished terms are remembered across restarts for each language")
  func book() throws {
    let folder = try TemporaryFolder()
    func book() -> TermBook { TermBook(folder: folder.path, vendor: "lokalise:p1") }
    let terms = [PlatformTerm(text: "bird", translation: "Vogel"), PlatformTerm(text: "nest", translation: "Nest")]
    #expect(try book().pending(terms, code: "de") == terms)
    try book().note(terms, left: ["nest"], code: "de")
    #expect(try book().pending(terms, code: "de").isEmpty)
    #expect(try book().pending(terms, code: "uk") == terms)
    let changed = terms.map { PlatformTerm(text: $0.text, translation: $0.translation + "er") }
    #expect(try book().pending(changed, code: "de").map(\.entered) == ["Vogel", nil])
  }

  @Test("a long glossary is sent in parts, and a glossary error is a finding that delays no shipment")
  func parts() async throws {
    let service = LokaliseServer(page: 500)
    let bench = try VendorBench { service.respond(to: $0) }
    let server = try bench.server()
    let glossary = Glossary(
      entries: (0..<250).map { number in
        GlossaryEntry(terms: [
          GlossaryTerm(language: "en", text: "term \(number)"), GlossaryTerm(language: "de", text: "Wort \(number)"),
        ])
      })
    let settings = VendorSettings(options: ["url": .text(server.url), "project": .text("p1")])
    let vendor = try LokaliseKind.vendor(settings, in: bench.environment(glossary: glossary))
    let shipment = PlatformConformance.shipment(language: "de")
    let receipt = try await vendor.push(shipment)
    #expect(service.terms.count == 200)
    let work = OutstandingWork { [OutstandingWork.Part(shipment: shipment, receipt: receipt)] }
    #expect(try await vendor.pull(work).diagnostics.isEmpty && service.terms.count == 250)

    var environment = bench.environment()
    environment.glossary = { throw VendorError(kind: .disk, operation: "read terms.csv", detail: "it is gone") }
    let blind = try LokaliseKind.vendor(settings, in: environment)
    service.translate("de")
    let found = try await blind.pull(work)
    #expect(found.bundles.count == 1)
    #expect(found.diagnostics.map(\.message).contains { $0.hasPrefix("the glossary could not be sent") })
  }
}
