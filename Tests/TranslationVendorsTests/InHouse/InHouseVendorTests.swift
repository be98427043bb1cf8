import Foundation
import HTTPTransport
import Localization
import TestSupport
import Testing

@testable import TranslationVendors
@testable import VendorServers

@Suite("The vendor http")
struct InHouseVendorTests {
  private func place(
    answer: @escaping @Sendable (InHouseServer, RecordedRequest) -> LoopbackReply = { $0.respond(to: $1) }
  ) throws -> PlatformPlace<InHouseServer> {
    try PlatformPlace(InHouseServer(), InHouseKind.self, [:], respond: answer)
  }

  private func scene() throws -> PlatformConformance.Scene {
    let system = InHouseServer()
    let bench = try VendorBench { system.respond(to: $0) }
    let server = try bench.server()
    return PlatformConformance.Scene(
      bench: bench, server: server,
      make: {
        try InHouseKind.vendor(VendorSettings(options: ["url": .text(server.url)]), in: bench.environment())
      }, translate: { system.translate($0) }, content: { system.content },
      limits: { system.limits }, leaveOnly: { system.leaveOnly($0, in: $1, isReviewed: $2) })
  }

  @Test("whole rounds are completed, and any fault at any request leads to the same final state")
  func conformance() async throws { try await PlatformConformance(scene: { try scene() }).check() }

  @Test("a language that the system lacks blocks only that language, and the message explains how to map it")
  func unknownLanguage() async throws {
    let scene = try scene()
    let error = try await #require(throws: VendorError.self) {
      try await scene.make().push(PlatformConformance.shipment(language: "fr"))
    }
    #expect(error.kind == .unknownLanguage && error.disposition == .permanent)
    #expect(error.description.contains("locales: { fr: CODE }"))
  }

  @Test("a translation without its source text is reported and not accepted, but others are")
  func withoutSource() async throws {
    let place = try place { system, request in
      let reply = system.respond(to: request)
      guard request.target.hasSuffix("/query"), case .respond(let status, let headers, let body) = reply else {
        return reply
      }
      let text = String(decoding: body, as: UTF8.self)
      let changed = text.replacing(#""source":"#, with: #""other":"#, maxReplacements: 1)
      return .respond(status: status, headers: headers, body: Array(changed.utf8))
    }
    let (system, vendor) = (place.service, try place.vendor())
    let shipment = PlatformConformance.shipment(language: "uk")
    let receipt = try await vendor.push(shipment)
    system.translate("uk")
    let found = try await vendor.pull(PlatformConformance.outstanding([(shipment, receipt)]))
    #expect(found.diagnostics.count { $0.message.contains("`source` is missing") } == 1)
    #expect(!found.bundles.isEmpty)
  }

  @Test("two different translations of one string are reported and not accepted; two equal ones count as one")
  func twice() async throws {
    let place = try place { system, request in
      let reply = system.respond(to: request)
      guard request.target.hasPrefix("/translations/uk/query"), case .respond(_, _, let body) = reply,
        var response = try? JSONDecoder().decode(InHouseMessages.Translations.self, from: Data(body)),
        response.translations.count > 1, case .translation(var other) = response.translations[0]
      else { return reply }
      let equal = response.translations[1]
      other.target.text = "інше"
      other.target.forms = nil
      response.translations += [.translation(other), equal]
      return .respond(
        status: 200, headers: [("Content-Type", "application/json")],
        body: Array((try? JSONEncoder().encode(response)) ?? Data()))
    }
    let (system, vendor) = (place.service, try place.vendor())
    var sent: [(Shipment, ShipmentReceipt)] = []
    for language in ["de", "uk"] as [LocaleIdentifier] {
      let shipment = PlatformConformance.shipment(language: language)
      sent.append((shipment, try await vendor.push(shipment)))
      system.translate(language)
    }
    let found = try await vendor.pull(PlatformConformance.outstanding(sent))
    #expect(found.diagnostics.count { $0.message.contains("the response has two different translations") } == 1)
    let translated = Dictionary(grouping: found.bundles.flatMap(\.files), by: \.targetLanguage)
      .mapValues { Set($0.flatMap(\.units).filter { $0.target != nil }.map(\.key)) }
    let (german, ukrainian) = (try #require(translated["de"]), try #require(translated["uk"]))
    #expect(ukrainian.isSubset(of: german) && ukrainian.count == german.count - 1)
  }

  @Test(
    "a language whose translations cannot be read is reported and does not block the others",
    arguments: [LoopbackReply.respond(status: 500), .json(["translations": "none"])])
  func oneLanguage(reply: LoopbackReply) async throws {
    let place = try place { system, request in
      request.target.hasPrefix("/translations/uk") ? reply : system.respond(to: request)
    }
    let (system, vendor) = (place.service, try place.vendor())
    var sent: [(Shipment, ShipmentReceipt)] = []
    for language in ["de", "uk"] as [LocaleIdentifier] {
      let shipment = PlatformConformance.shipment(language: language)
      sent.append((shipment, try await vendor.push(shipment)))
      system.translate(language)
    }
    let found = try await vendor.pull(PlatformConformance.outstanding(sent))
    #expect(found.bundles.flatMap(\.files).map(\.targetLanguage) == ["de"])
    #expect(found.diagnostics.map(\.message).contains { $0.hasPrefix("translations into uk cannot be read: ") })
    await #expect(throws: (any Error).self) {
      _ = try await vendor.pull(PlatformConformance.outstanding([sent[1]]))
    }
  }

  @Test("a source text whose white space the platform changes is sent once, and matched with the sent text")
  func otherSpace() async throws {
    let place = try place()
    let (system, vendor) = (place.service, try place.vendor())
    func shipment(_ source: String) -> Shipment {
      let unit = ExchangeUnit(key: "name", source: .text(source), note: "a note")
      let file = ExchangeFile(
        original: "App/Localizable.xcstrings", sourceLanguage: "en", targetLanguage: "de", units: [unit])
      return Shipment(
        pipeline: "birds", round: "1", language: "de", sourceLanguage: "en", files: [file], sourceContents: [:])
    }
    let source = " Cafe\u{301}:\tone\r\ntwo "
    let sent = shipment(source)
    let receipt = try await vendor.push(sent)
    system.keepSources { _ in "Caf\u{e9}: one\ntwo" }
    system.translate("de")
    #expect(try await vendor.push(sent).wasThere)
    let found = try await vendor.pull(PlatformConformance.outstanding([(sent, receipt)]))
    let unit = try #require(found.bundles.flatMap(\.files).flatMap(\.units).first)
    #expect(unit.source?.isExactly(.text(source)) == true && unit.target != nil)
    #expect(system.sendings.values.allSatisfy { $0 == 1 })
    _ = try await vendor.push(shipment(" Cafe\u{301}:\tone two "))
    #expect(system.sendings.values.allSatisfy { $0 == 2 }, "a text with an additional line is a different text")
  }

  @Test("people's notes on a string without a comment in the code are kept")
  func ownComments() async throws {
    let place = try place()
    let (system, vendor) = (place.service, try place.vendor())
    let shipment = PlatformConformance.shipment(language: "de")
    _ = try await vendor.push(shipment)
    let units = shipment.files.flatMap(\.units).filter { ($0.note ?? "").isEmpty }.map(\.key)
    let unit = try #require(units.first { system.note("Von Ada", to: $0.text) })
    let id = UnitID(catalog: "App/Localizable.xcstrings", key: unit)
    try await vendor.update([id: UnitComment(text: nil, sourceLanguage: "en")])
    var again = shipment
    again.language = "uk"
    for index in again.files.indices { again.files[index].targetLanguage = "uk" }
    _ = try await vendor.push(again)
    #expect(system.content.contains("Von Ada"))
    try await vendor.update([id: UnitComment(text: "From the code", sourceLanguage: "en")])
    #expect(!system.content.contains("Von Ada") && system.content.contains("From the code"))
  }

  @Test("the same texts in two languages are returned as two bundles")
  func sameTexts() async throws {
    let place = try place()
    let (system, vendor) = (place.service, try place.vendor())
    var sent: [(Shipment, ShipmentReceipt)] = []
    for language in ["de", "uk"] as [LocaleIdentifier] {
      let shipment = PlatformConformance.shipment(language: language)
      sent.append((shipment, try await vendor.push(shipment)))
      system.enter(["Bird": "OK"], in: language)
    }
    let bundles = try await vendor.pull(PlatformConformance.outstanding(sent)).bundles
    #expect(bundles.count == 2 && Set(bundles.map(\.digest)).count == 2)
  }

  @Test("a wrong token is reported with the vendor's name, but never shown")
  func wrongToken() async throws {
    let place = try place()
    let vendor = try place.vendor(secret: "wrong-token")
    let error = try await #require(throws: TransportError.self) {
      try await vendor.push(PlatformConformance.shipment(language: "de"))
    }
    #expect(error.disposition == .askPerson)
    #expect(error.description.contains("http: GET /languages") && !error.description.contains("wrong-token"))
  }

  @Test("strings are archived only when no branch has them")
  func removal() async throws {
    let place = try place()
    let system = place.service
    let shipment = PlatformConformance.shipment(language: "de")
    let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")
    let wanted = try place.vendor()
    let receipt = try await wanted.push(shipment)
    try await wanted.withdraw([bird], of: receipt, language: "de")
    #expect(!system.content.contains("archived"))
    let gone = try place.vendor(isInUse: { _ in false })
    try await gone.withdraw([bird], of: receipt, language: "de")
    #expect(system.content.contains("\"archived\":true"))
    // A string that is sent again is shown again.
    #expect(try await !wanted.push(shipment).wasThere)
    #expect(!system.content.contains("archived"))
  }
}
