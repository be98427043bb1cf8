import Foundation
import HTTPTransport
import Localization
import Synchronization
import TestSupport
import Testing

@testable import TranslationVendors
@testable import VendorServers

private typealias Place = PlatformPlace<TransifexServer>

extension PlatformPlace<TransifexServer> {
  fileprivate init() throws {
    try self.init(
      TransifexServer(), TransifexKind.self,
      ["organization": .text("org"), "project": .text("birds"), "resource": .text("app")]
    ) { $0.respond(to: $1) }
  }

  fileprivate var scene: PlatformConformance.Scene {
    var scene = self.scene(
      translate: { $0.translate($1) }, content: { $0.content },
      leaveOnly: { $0.leaveOnly($1, in: $2, isReviewed: $3) })
    scene.limits = { service.limits }
    return scene
  }
}

@Suite("The vendor transifex")
struct TransifexVendorTests {
  @Test("whole rounds are completed, and any fault at any request leads to the same final state")
  func conformance() async throws {
    try await PlatformConformance(scene: { try Place().scene }).check()
  }

  @Test("strings that no branch has are tagged, untagged when they return, and deleted if the pipeline file says so")
  func removal() async throws {
    let place = try Place()
    try await PlatformConformance.checkRemoval(
      place.scene, keeping: place.vendor { _ in false },
      deleting: place.vendor(["removed": .text("delete")], isInUse: { _ in false }),
      marked: "Bird [a note] tags=[\"dragoman-gone\"]", mark: "dragoman-gone")
  }

  @Test("a translation older than its source text is not accepted until a person checks it")
  func stale() async throws {
    let place = try Place()
    let work = try await PlatformConformance.outdateBird(place.scene)
    place.service.review("uk")
    let same = try await place.vendor().pull(work).bundles.flatMap(\.files).flatMap(\.units)
    #expect(
      same.first { $0.key == "Bird" }?.target?.text == .text("uk other: Bird"),
      "a reviewer has checked the translation since")
    place.service.translate("uk")
    let all = try await place.vendor().pull(work).bundles.flatMap(\.files).flatMap(\.units)
    #expect(all.first { $0.key == "Bird" }?.target?.text == .text("uk other: Little bird"))
  }

  @Test("machine translations that no person reviewed count as suggestions")
  func machine() async throws {
    let place = try Place()
    let vendor = try place.vendor()
    let shipment = PlatformConformance.shipment(language: "uk")
    let receipt = try await vendor.push(shipment)
    let work = OutstandingWork { [OutstandingWork.Part(shipment: shipment, receipt: receipt)] }
    place.service.translate("uk", origin: "MT:DEEPL", isReviewed: false)
    #expect(try await vendor.pull(work).bundles.isEmpty)
    let units = try await place.vendor(["take": .text("suggested")]).pull(work).bundles.flatMap(\.files).flatMap(
      \.units)
    #expect(units.count == 7 && units.allSatisfy { $0.target?.state == "needs-review-translation" })
    place.service.translate("uk", origin: "MT:DEEPL", isReviewed: true)
    #expect(try await vendor.pull(work).bundles.count == 1)
  }

  @Test("existing translations are entered only where Transifex has none")
  func existing() async throws {
    try await PlatformConformance.checkExisting(
      try Place().scene, entered: ["de=[\"ours 0\"]", "de=[\"ours 3\", \"ours 6\"]"])
  }

  @Test("a text that gets plural forms is added as a new string, because Transifex cannot change the existing one")
  func shape() async throws {
    let place = try Place()
    let vendor = try place.vendor()
    var shipment = PlatformConformance.shipment(language: "de")
    _ = try await vendor.push(shipment)
    shipment.files[0].units[0].path = [.plural(.other)]
    _ = try await vendor.push(shipment)
    #expect(place.service.content.contains("Bird [a note] tags=[] [(key: \"one\", value: \"Bird\"), (key: \"other\""))
  }

  @Test(
    "a string that another client adds at the same time counts as added, and the rest of the request is resent")
  func conflict() async throws {
    let service = try TransifexServer()
    let isFirst = Mutex(true)
    let bench = try VendorBench { request in
      guard request.method == "POST",
        isFirst.withLock({ value in
          defer { value = false }
          return value
        })
      else {
        return service.respond(to: request)
      }
      // Another client adds the first string, so Transifex accepts no string of the request.
      var other = request
      let data = [(request.object["data"] as? [[String: Any]] ?? [])[0]]
      other.body = Array((try? JSONSerialization.data(withJSONObject: ["data": data])) ?? Data())
      _ = service.respond(to: other)
      return .json(["errors": [["code": "conflict"]]], status: 409, type: "application/vnd.api+json")
    }
    let server = try bench.server()
    let options: [String: VendorOptionValue] = [
      "url": .text(server.url), "organization": .text("org"), "project": .text("birds"), "resource": .text("app"),
    ]
    let vendor = try TransifexKind.vendor(VendorSettings(options: options), in: bench.environment())
    let shipment = PlatformConformance.shipment(language: "de")
    _ = try await vendor.push(shipment)
    #expect(service.content.components(separatedBy: "tags=").count == 5)
    #expect(try await vendor.push(shipment).wasThere)
  }

  @Test("a comment of more than 1000 characters is truncated and not sent again")
  func comments() async throws {
    let place = try Place()
    var shipment = PlatformConformance.shipment(language: "de")
    shipment.files[0].units[0].note = String(repeating: "é", count: 1500)
    _ = try await place.vendor().push(shipment)
    #expect(place.service.content.contains("[\(String(repeating: "é", count: 1000))]"))
    let requests = place.server.requests.count
    _ = try await place.vendor().push(shipment)
    #expect(!place.server.requests[requests...].contains { $0.method != "GET" })
  }

  @Test("a missing resource is an error with Transifex's message")
  func missing() async throws {
    let place = try Place()
    let error = await #expect(throws: TransportError.self) {
      try await place.vendor(["resource": .text("none")]).push(PlatformConformance.shipment(language: "de"))
    }
    #expect(error?.kind == .status(404) && error?.detail.contains("no such resource") == true)
  }

  @Test("a probe checks that the resource exists")
  func missingResource() async throws {
    let place = try Place()
    #expect(try await place.vendor().probe(["de"]).facts.contains("Source texts are in en."))
    let error = await #expect(throws: VendorError.self) {
      try await place.vendor(["resource": .text("nope")]).probe(["de"])
    }
    #expect(error?.kind == .configuration && error?.detail.contains("has no resource nope") == true)
  }

  @Test(
    "an unexpected response format is reported with the request and the JSON member",
    arguments: [
      ("{}", "data is missing"), ("[]", "is expected"), (#"{"data":[{}]}"#, "attributes is missing"),
      (#"{"data":[{"attributes":{"plural_rules":{}}}]}"#, "code is missing at data[0].attributes"),
    ])
  func shapes(_ body: String, _ words: String) async throws {
    let text = try await PlatformConformance.probeError(
      of: TransifexKind.self, ["organization": .text("org"), "project": .text("birds"), "resource": .text("app")],
      response: body, type: "application/vnd.api+json")
    #expect(text.contains(words) && text.contains("transifex: GET /projects/o:org:p:birds/languages"))
  }

  @Test("the cursor is taken from the link to the next page, whatever its host")
  func cursor() {
    #expect(TransifexClient.cursor(in: "https://a.example/b?limit=3&page%5Bcursor%5D=c%3A%3D") == "c:=")
    #expect(TransifexClient.cursor(in: "https://a.example/b?page[cursor]=x") == "x")
    #expect(TransifexClient.cursor(in: "https://a.example/b") == nil)
  }

  @Test(
    "language codes are mapped in both directions",
    arguments: [
      ("de", "de"), ("pt-BR", "pt_BR"), ("zh-Hans", "zh-Hans"), ("zh-Hant", "zh-Hant"), ("sr-Latn", "sr@latin"),
    ])
  func languages(_ text: String, _ code: String) {
    let locales = VendorLocales(.underscore, exceptions: TransifexKind.exceptions)
    #expect(locales.code(of: LocaleIdentifier(text)) == code)
    #expect(locales.language(of: code) == LocaleIdentifier(text))
  }
}
