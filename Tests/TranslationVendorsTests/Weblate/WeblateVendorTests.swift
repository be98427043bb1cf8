import Foundation
import HTTPTransport
import Localization
import TestSupport
import Testing

@testable import TranslationVendors
@testable import VendorServers

@Suite("The vendor weblate")
struct WeblateVendorTests {
  /// A project on a server, and vendors for it.
  struct Site: Sendable {
    let project: WeblateServer
    let bench: VendorBench
    let server: LoopbackHTTPServer

    init(_ project: WeblateServer) throws {
      self.project = project
      bench = try VendorBench { project.respond(to: $0) }
      server = try bench.server()
    }

    func vendor(
      _ options: [String: VendorOptionValue] = [:], glossary: Glossary? = nil,
      isInUse: @escaping @Sendable (UnitID) -> Bool = { _ in true }
    ) throws -> any TranslationVendor {
      let own: [String: VendorOptionValue] = ["url": .text(server.url), "project": .text("birds")]
      let settings = VendorSettings(options: own.merging(options) { _, new in new })
      return try WeblateKind.vendor(settings, in: bench.environment(glossary: glossary, isInUse: isInUse))
    }
  }

  static let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")

  /// Changes every component of the project.
  static func edit(_ server: WeblateServer, _ body: (WeblateState.Component) -> Void) {
    server.lock.withLock { server.state.components.values.forEach(body) }
  }

  static func outstanding(_ shipment: Shipment, _ receipt: ShipmentReceipt) -> OutstandingWork {
    OutstandingWork { [OutstandingWork.Part(shipment: shipment, receipt: receipt)] }
  }

  @Test("whole rounds are completed, and any fault at any request leads to the same final state")
  func conformance() async throws {
    let specification = try OpenAPIDocument("weblate/openapi.yaml")
    try await PlatformConformance(scene: {
      let site = try Site(WeblateServer(specification: specification))
      return PlatformConformance.Scene(
        bench: site.bench, server: site.server, make: { try site.vendor() }, translate: { site.project.translate($0) },
        content: { site.project.content },
        limits: { site.project.limits },
        glossary: GlossaryConformance.Access(
          make: { try site.vendor(glossary: $0) }, terms: { site.project.terms },
          edit: { site.project.editTerm($0, $1, $2) }),
        leaveOnly: { _, language, isReviewed in
          site.project.leaveOnly(place: 0, in: language, isReviewed: isReviewed)
        })
    }).check()
  }

  @Test("the template has keys, notes and source forms, and a language also gets forms that only fractions use")
  func template() async throws {
    let site = try Site(WeblateServer())
    _ = try await site.vendor().push(PlatformConformance.shipment(language: "uk"))
    Self.edit(site.project) { component in
      #expect(component.name == "App/Localizable.xcstrings")
      #expect(component.languages["uk"]?.forms == 4)
      let birds = component.entries.first { $0.id == "%lld birds" }
      #expect(birds?.isPlural == true && birds?.texts == ["%lld bird", "%lld birds"])
      let odd = component.entries.first { $0.id == "q\"<&>\u{301}\n\t" }
      #expect(odd?.note == "a note" && odd?.texts == ["Two\nlines & <b>bold</b> “quotes” \"it's\""])
      #expect(!component.entries.contains { $0.id == "Dragoman" })
    }
  }

  @Test("a language gets all plural forms even if the process was killed right after adding it")
  func killedAfterAddingLanguage() async throws {
    let site = try Site(WeblateServer())
    // Without a plural, no string shows the number of forms that the language has.
    var shipment = PlatformConformance.shipment(language: "uk")
    shipment.files[0].units.removeAll { $0.key == "%lld birds" }
    _ = try await site.vendor().push(shipment)
    Self.edit(site.project) { $0.languages["uk"]?.forms = 3 }
    _ = try await site.vendor().push(shipment)
    Self.edit(site.project) { #expect($0.languages["uk"]?.forms == 4) }
  }

  @Test(
    "a translation of an older source text is rejected, or returned with that text if suggestions are accepted")
  func stale() async throws {
    let site = try Site(WeblateServer())
    let old = PlatformConformance.shipment(language: "uk")
    _ = try await site.vendor().push(old)
    site.project.translate("uk")
    let new = PlatformConformance.shipment(language: "uk", birds: "Little bird")
    let receipt = try await site.vendor().push(new)
    let work = Self.outstanding(new, receipt)
    let found = try await site.vendor().pull(work).bundles.first?.files.first?.units ?? []
    #expect(!found.contains { $0.key == "Bird" } && found.contains { $0.key == "%lld birds" })
    let all = try await site.vendor(["take": .text("suggested")]).pull(work).bundles.first?.files.first?.units ?? []
    let bird = all.first { $0.key == "Bird" }
    #expect(bird?.source == .text("Bird") && bird?.target?.state == "needs-review-translation")
  }

  @Test("an edited source text counts as changed before Weblate commits it, and is sent again")
  func editedSource() async throws {
    let site = try Site(WeblateServer())
    let shipment = PlatformConformance.shipment(language: "de")
    let receipt = try await site.vendor().push(shipment)
    let part = OutstandingWork.Part(shipment: shipment, receipt: receipt)
    Self.edit(site.project) { $0.edit("Bird", "Edited") }
    let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")
    #expect(try await site.vendor().stock(of: part) == VendorStock(changed: [bird]))
    Self.edit(site.project) { $0.edit("Bird", "Edited again") }
    _ = try await site.vendor().push(shipment)
    #expect(try await site.vendor().stock(of: part) == VendorStock())
    Self.edit(site.project) { component in
      #expect(component.entries.first { $0.id == "Bird" }?.texts == ["Bird"])
    }
  }

  @Test("Weblate's states determine which translations are accepted", arguments: [(10, 0, 0), (20, 5, 0), (30, 5, 5)])
  func states(_ state: Int, translated: Int, reviewed: Int) async throws {
    let site = try Site(WeblateServer())
    let shipment = PlatformConformance.shipment(language: "de")
    let work = Self.outstanding(shipment, try await site.vendor().push(shipment))
    site.project.translate("de", state: state)
    for (take, count) in [("translated", translated), ("reviewed", reviewed)] {
      let files = try await site.vendor(["take": .text(take)]).pull(work).bundles.flatMap(\.files)
      #expect(files.unitIDs.count == (count == 0 ? 0 : 4))
    }
  }

  @Test("existing translations are entered only where Weblate has none")
  func seeds() async throws {
    let site = try Site(WeblateServer())
    var shipment = PlatformConformance.shipment(language: "de")
    for index in shipment.files[0].units.indices {
      shipment.files[0].units[index].target = ExchangeTarget(.text("known \(index)"), state: "translated")
    }
    _ = try await site.vendor().push(PlatformConformance.shipment(language: "de"))
    Self.edit(site.project) { component in
      component.languages["de"]?.texts["Bird"] = WeblateState.Text(target: ["a person's draft"], state: 10)
    }
    _ = try await site.vendor().push(shipment)
    let texts = site.project.lock.withLock { site.project.state.components.values.first?.languages["de"]?.texts }
    #expect(texts?["Bird"] == WeblateState.Text(target: ["a person's draft"], state: 10))
    #expect(texts?["%lld of %@"] == WeblateState.Text(target: ["known 1"], state: 20))
    // German has two of the four forms in this shipment.
    #expect(texts?["%lld birds"] == WeblateState.Text(target: ["known 3", "known 6"], state: 20))
  }
}
