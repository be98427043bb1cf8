import Foundation
import HTTPTransport
import Localization
import Synchronization
import TestSupport
import Testing

@testable import TranslationVendors
@testable import VendorServers

private typealias Place = PlatformPlace<TolgeeServer>

extension PlatformPlace<TolgeeServer> {
  fileprivate init() throws {
    try self.init(TolgeeServer(), TolgeeKind.self, ["project": .text("7")]) { $0.respond(to: $1) }
  }

  fileprivate var scene: PlatformConformance.Scene {
    var scene = self.scene(
      translate: { $0.translate($1) }, content: { $0.content },
      leaveOnly: { $0.leaveOnly($1, in: $2, isReviewed: $3) })
    scene.limits = { service.limits }
    return scene
  }
}

@Suite("The vendor tolgee")
struct TolgeeVendorTests {
  @Test("whole rounds are completed, and any fault at any request leads to the same final state")
  func conformance() async throws {
    try await PlatformConformance(scene: { try Place().scene }).check()
  }

  @Test("a translation of an older source text does not count for the new one, even if suggestions are accepted")
  func olderAnswers() async throws {
    let place = try Place()
    try await PlatformConformance.checkOlderAnswers(place.scene) { try place.vendor(["take": .text("suggested")]) }
  }

  @Test("strings that no branch has are tagged, untagged when they return, and deleted if the pipeline file says so")
  func removal() async throws {
    let place = try Place()
    try await PlatformConformance.checkRemoval(
      place.scene, keeping: place.vendor { _ in false },
      deleting: place.vendor(["removed": .text("delete")], isInUse: { _ in false }),
      marked: " Bird [a note] plain tags=[\"dragoman-gone\"]", mark: "dragoman-gone")
  }

  @Test("a retry time in the response body is respected")
  func rateLimit() async throws {
    let service = try TolgeeServer()
    let isFirst = Mutex(true)
    let bench = try VendorBench { request in
      let limits = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      return limits
        ? .json(["code": "rate_limited", "params": [7000, false], "retryAfter": 7000, "global": false], status: 429)
        : service.respond(to: request)
    }
    let server = try bench.server()
    let vendor = try TolgeeKind.vendor(
      VendorSettings(options: ["url": .text(server.url), "project": .text("7")]), in: bench.environment())
    let start = bench.now
    #expect(try await vendor.probe(["de"]).faults.isEmpty)
    #expect((7..<8).contains(bench.now.timeIntervalSince(start)))
  }

  @Test("a translation of an older source text is not accepted until a person translates it again")
  func stale() async throws {
    let place = try Place()
    let work = try await PlatformConformance.outdateBird(place.scene)
    place.service.translate("uk")
    let all = try await place.vendor().pull(work).bundles.flatMap(\.files).flatMap(\.units)
    #expect(all.first { $0.key == "Bird" }?.target?.text == .text("uk: Little bird"))
  }

  @Test(
    "the pipeline file determines which states are accepted",
    arguments: [
      ("TRANSLATED", true, "translated", false), ("TRANSLATED", true, "suggested", true),
      ("TRANSLATED", false, "translated", true), ("TRANSLATED", false, "reviewed", false),
      ("REVIEWED", false, "reviewed", true), ("DISABLED", false, "suggested", false),
    ])
  func states(_ state: String, _ auto: Bool, _ take: String, _ isTaken: Bool) async throws {
    let place = try Place()
    let vendor = try place.vendor(["take": .text(take)])
    let shipment = PlatformConformance.shipment(language: "uk")
    let receipt = try await vendor.push(shipment)
    place.service.translate("uk", state: state, auto: auto)
    let work = OutstandingWork { [OutstandingWork.Part(shipment: shipment, receipt: receipt)] }
    let units = try await vendor.pull(work).bundles.flatMap(\.files).flatMap(\.units)
    #expect(units.count == (isTaken ? 7 : 0))
    let wanted = auto ? "needs-review-translation" : "translated"
    #expect(units.allSatisfy { $0.target?.state == wanted })
  }

  @Test(
    "a plural text that cannot be read is reported with the reason, and stays outstanding",
    arguments: [
      ("{value, plural, offset:1 one {%lld Vogel} other {%lld Vögel}}", "has offset:1"),
      ("{value, plural, one {%lld Vogel}", "not a valid ICU plural"),
      ("{value, plural, offset:0 one {%lld Vogel} other {%lld Vögel}}", ""),
    ])
  func unreadable(_ text: String, _ reason: String) async throws {
    let place = try Place()
    let vendor = try place.vendor()
    let shipment = PlatformConformance.shipment(language: "de")
    let work = PlatformConformance.outstanding([(shipment, try await vendor.push(shipment))])
    place.service.translate("de")
    place.service.enter(text, for: "%lld birds", in: "de")
    let found = try await vendor.pull(work)
    let units = found.bundles.flatMap(\.files).flatMap(\.units)
    #expect(units.contains { $0.key == "Bird" })
    #expect(units.contains { $0.key == "%lld birds" } == reason.isEmpty)
    #expect(found.diagnostics.count == (reason.isEmpty ? 0 : 1))
    #expect(found.diagnostics.allSatisfy { $0.message.contains("“%lld birds” into de: ") })
    #expect(found.diagnostics.allSatisfy { $0.message.contains(reason) })
  }

  @Test("existing translations are entered only where Tolgee has none")
  func existing() async throws {
    try await PlatformConformance.checkExisting(
      try Place().scene, entered: ["de=ours 0", "de={value, plural, one {ours 3} other {ours 6}}"])
  }

  @Test("a plain text can become a plural, and a long comment is truncated and not sent again")
  func changes() async throws {
    let place = try Place()
    let vendor = try place.vendor()
    var shipment = PlatformConformance.shipment(language: "de")
    _ = try await vendor.push(shipment)
    shipment.files[0].units[0].path = [.plural(.other)]
    shipment.files[0].units[1].note = String(repeating: "é", count: 3000)
    _ = try await vendor.push(shipment)
    #expect(place.service.content.contains("Bird [a note] plural tags=[] en={value, plural, one {Bird} other {Bird}}"))
    #expect(place.service.content.contains("[\(String(repeating: "é", count: 2000))]"))
    #expect(try await vendor.push(shipment).wasThere)
  }

  @Test("a language that Tolgee lacks blocks only that language, and the probe reports the next step")
  func missingLanguage() async throws {
    let place = try Place()
    let vendor = try place.vendor()
    let error = await #expect(throws: VendorError.self) {
      try await vendor.push(PlatformConformance.shipment(language: "fr"))
    }
    #expect(error?.kind == .unknownLanguage && error?.detail.contains("locales: { fr: CODE }") == true)
    let probe = try await vendor.probe(["de", "fr"])
    #expect(probe.facts.contains("The vendor's code for de is de.") && probe.faults.count == 1)
  }

  @Test("wrong settings are refused, and the message names the next step")
  func settings() async throws {
    let place = try Place()
    let number = #expect(throws: VendorError.self) { try place.vendor(["project": .text("birds")]) }
    #expect(number?.detail.contains("/projects/NUMBER") == true)
    let token = await #expect(throws: TransportError.self) { try await place.vendor(secret: "x").probe(["de"]) }
    #expect(token?.kind == .status(401) && token?.detail.contains("invalid_api_key") == true)
    let project = await #expect(throws: VendorError.self) {
      try await place.vendor(["project": .text("8")]).probe(["de"])
    }
    #expect(project?.kind == .configuration && project?.detail.contains("project_not_found") == true)
    #expect(project?.detail.contains("Check `project`") == true)
    place.service.removeNamespaces()
    let off = await #expect(throws: VendorError.self) { try await place.vendor().probe(["de"]) }
    #expect(off?.kind == .configuration && off?.detail.contains("Turn them on") == true)
  }

  @Test("a catalog path that is too long for a namespace is truncated but stays unique")
  func namespaces() {
    let folder = String(repeating: "Folder/", count: 20)
    let names = ["A", "B"].map { TolgeePlatform.namespace(TreePath(trusted: "\(folder)\($0).xcstrings")) }
    #expect(names.allSatisfy { $0.utf8.count <= 100 } && names[0] != names[1])
    #expect(TolgeePlatform.namespace("App/Localizable.xcstrings") == "App/Localizable.xcstrings")
  }

  @Test(
    "an unexpected response format is reported with the request and the JSON member",
    arguments: [("[]", "is expected"), (#"{"baseLanguage":{"tag":"en"}}"#, "base is missing at baseLanguage")])
  func shapes(_ body: String, _ words: String) async throws {
    let text = try await PlatformConformance.probeError(
      of: TolgeeKind.self, ["project": .text("7")], response: body)
    #expect(text.contains(words) && text.contains("tolgee: GET /v2/projects/7"))
  }

  @Test(
    "language codes are mapped in both directions",
    arguments: ["de", "pt-BR", "zh-Hans", "zh-Hant", "sr-Latn", "es-419"])
  func languages(_ text: String) {
    let locales = VendorLocales(.hyphen)
    #expect(locales.code(of: LocaleIdentifier(text)) == text)
    #expect(locales.language(of: text) == LocaleIdentifier(text))
    #expect(locales.language(of: text.replacing("-", with: "_")) == LocaleIdentifier(text))
  }
}
