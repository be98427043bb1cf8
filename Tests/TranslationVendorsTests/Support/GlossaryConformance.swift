import Localization
import TestSupport
import Testing
import TranslationVendors

/// Tests of the pipeline's glossary at a platform that accepts glossaries: each term exists once, even after errors, and people's edits are kept.
struct GlossaryConformance: Sendable {
  /// Access to the terms on a scene's server, and to the actions of people there.
  struct Access: Sendable {
    /// A function that makes a vendor of a pipeline with this glossary.
    var make: @Sendable (Glossary) throws -> any TranslationVendor
    var terms: @Sendable () -> [String]
    /// A function that translates a term as a person would, and adds the term if it is missing.
    var edit: @Sendable (_ term: String, _ code: String, _ text: String) -> Void
  }

  let scene: @Sendable () throws -> PlatformConformance.Scene

  private static func glossary(_ bird: String) -> Glossary {
    func entry(_ source: String, _ translations: [(LocaleIdentifier, String)], _ definition: String? = nil)
      -> GlossaryEntry
    {
      GlossaryEntry(
        definition: definition,
        terms: [GlossaryTerm(language: "en", text: source)]
          + translations.map { GlossaryTerm(language: $0.0, text: $0.1) })
    }
    return Glossary(entries: [
      entry("bird", [("de", bird), ("uk", "птах")], "It flies."), entry("nest", [("de", "Nest")]),
      entry("bird song", [("de", "Vogelgesang")]), entry("two\nlines", [("de", "zwei")]),
    ])
  }

  func check() async throws {
    let scene = try scene()
    guard let access = scene.glossary else { return }
    let birds = Self.glossary("Vogel")
    access.edit("nest", "de", "Horst")
    access.edit("egg", "de", "Ei")
    let german = PlatformConformance.shipment(language: "de")
    let receipt = try await access.make(birds).push(german)
    let pushed = ["bird de=Vogel", "bird song de=Vogelgesang", "egg de=Ei", "nest de=Horst"]
    #expect(access.terms() == pushed)
    // Terms that were already sent cause no more requests than an empty glossary.
    let requests = scene.bench.requests
    _ = try await access.make(birds).push(german)
    let again = scene.bench.requests - requests
    _ = try await access.make(Glossary()).push(german)
    #expect(scene.bench.requests - requests == 2 * again && access.terms() == pushed)
    _ = try await access.make(birds).push(PlatformConformance.shipment(language: "uk"))
    #expect(access.terms() == (pushed + ["bird uk=птах"]).sorted())

    // A poll sends a changed glossary; a person's changes stay and are reported.
    let work = OutstandingWork { [OutstandingWork.Part(shipment: german, receipt: receipt)] }
    let looked = try await access.make(Self.glossary("Piepmatz")).pull(work)
    #expect(looked.diagnostics.isEmpty, "\(looked.diagnostics)")
    #expect(access.terms().contains("bird de=Piepmatz") && !access.terms().contains("bird de=Vogel"))
    access.edit("bird", "de", "Ente")
    let left = try await access.make(Self.glossary("Vögelchen")).pull(work)
    #expect(access.terms().contains("bird de=Ente") && !access.terms().contains("bird de=Vögelchen"))
    #expect(left.diagnostics.contains { $0.message.contains("“bird” is “Ente”") }, "\(left.diagnostics)")
    try await survivesFaults(birds)
  }

  private func survivesFaults(_ glossary: Glossary) async throws {
    let reference = try scene()
    try await play(reference, glossary)
    let expected = reference.glossary?.terms()
    #expect(expected?.count == 3)
    for fault in VendorBench.Fault.quick {
      for request in 0..<reference.bench.requests {
        let scene = try scene()
        scene.bench.fail(fault, at: request)
        try await play(scene, glossary)
        #expect(scene.glossary?.terms() == expected, "\(fault) at request \(request)")
      }
    }
  }

  private func play(_ scene: PlatformConformance.Scene, _ glossary: Glossary) async throws {
    let shipment = PlatformConformance.shipment(language: "de")
    guard let access = scene.glossary else { return }
    var receipt: ShipmentReceipt?
    for _ in 0..<4 where receipt == nil { receipt = try? await access.make(glossary).push(shipment) }
    let part = OutstandingWork.Part(shipment: shipment, receipt: try #require(receipt))
    for _ in 0..<2 { _ = try? await access.make(glossary).pull(OutstandingWork { [part] }) }
  }
}
