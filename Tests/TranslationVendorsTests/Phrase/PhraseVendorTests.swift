import Foundation
import HTTPTransport
import Localization
import Synchronization
import TestSupport
import Testing

@testable import TranslationVendors
@testable import VendorServers

private typealias Place = PlatformPlace<PhraseServer>

extension PlatformPlace<PhraseServer> {
  fileprivate init(branch: String? = nil) throws {
    try self.init(PhraseServer(branch: branch), PhraseKind.self, ["project": .text("p1")]) { $0.respond(to: $1) }
  }

  fileprivate var scene: PlatformConformance.Scene {
    var scene = self.scene(
      translate: { $0.translate($1) }, content: { $0.content },
      leaveOnly: { $0.leaveOnly($1, in: $2, isReviewed: $3) })
    scene.limits = { service.limits }
    scene.screenshots = { service.screenshots }
    scene.glossary = glossary(terms: { $0.terms }, edit: { $0.editTerm($1, $2, $3) })
    // The lists have a second page.
    scene.foreign = { service.set(foreign: $0 + PhraseClient.pageSize - 3) }
    return scene
  }
}

@Suite("The vendor phrase")
struct PhraseVendorTests {
  @Test("whole rounds are completed, and any fault at any request leads to the same final state")
  func conformance() async throws {
    try await PlatformConformance(scene: { try Place().scene }).check()
  }

  @Test("a translation of an older source text does not count for the new one, even if suggestions are accepted")
  func olderAnswers() async throws {
    let place = try Place()
    try await PlatformConformance.checkOlderAnswers(place.scene) { try place.vendor(["take": .text("suggested")]) }
  }

  @Test("every request names the project's branch")
  func branch() async throws {
    let place = try Place(branch: "next")
    let vendor = try place.vendor(["branch": .text("next"), "removed": .text("delete")], isInUse: { _ in false })
    let receipt = try await vendor.push(PlatformConformance.shipment(language: "de"))
    place.service.translate("de")
    _ = try await vendor.push(PlatformConformance.shipment(language: "de", birds: "Little bird"))
    #expect(place.service.content.contains("l2 =de : Bird unverified"))
    let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")
    try await vendor.withdraw([bird], of: receipt, language: "de")
    #expect(!place.service.content.contains("::Bird ["))
  }

  @Test("strings that no branch has are tagged, untagged when they return, and deleted if the pipeline file says so")
  func removal() async throws {
    let place = try Place()
    try await PlatformConformance.checkRemoval(
      place.scene, keeping: place.vendor { _ in false },
      deleting: place.vendor(["removed": .text("delete")], isInUse: { _ in false }),
      marked: "::Bird [a note] plain tags=[\"dragoman-gone\"]", mark: "dragoman-gone", name: "::Bird [")
  }

  @Test("translations of an older source text become unverified and are not accepted until verified")
  func stale() async throws {
    let place = try Place()
    let vendor = try place.vendor()
    _ = try await vendor.push(PlatformConformance.shipment(language: "uk"))
    place.service.translate("uk")
    let changed = PlatformConformance.shipment(language: "uk", birds: "Little bird")
    let receipt = try await vendor.push(changed)
    #expect(place.service.content.contains("l3 =uk : Bird unverified"))
    let work = OutstandingWork { [OutstandingWork.Part(shipment: changed, receipt: receipt)] }
    let found = try await vendor.pull(work).bundles.flatMap(\.files).flatMap(\.units)
    #expect(!found.contains { $0.key == "Bird" } && found.contains { $0.key == "%lld birds" })
    place.service.translate("uk")
    let all = try await vendor.pull(work).bundles.flatMap(\.files).flatMap(\.units)
    #expect(all.first { $0.key == "Bird" }?.target?.text == .text("uk : Little bird"))
  }

  @Test(
    "the pipeline file determines which states are accepted",
    arguments: [
      (true, "translated", "translated", 0, ""), (true, "translated", "suggested", 7, "needs-review-translation"),
      (false, "translated", "translated", 7, "translated"), (false, "translated", "reviewed", 0, ""),
      (false, "reviewed", "reviewed", 7, "translated"),
    ])
  func states(_ unverified: Bool, _ state: String, _ take: String, _ count: Int, _ word: String) async throws {
    let place = try Place()
    let vendor = try place.vendor(["take": .text(take)])
    let shipment = PlatformConformance.shipment(language: "uk")
    let receipt = try await vendor.push(shipment)
    let work = OutstandingWork { [OutstandingWork.Part(shipment: shipment, receipt: receipt)] }
    place.service.translate("uk", unverified: unverified, state: state, excluded: true)
    #expect(try await vendor.pull(work).bundles.isEmpty)
    place.service.translate("uk", unverified: unverified, state: state)
    let units = try await vendor.pull(work).bundles.flatMap(\.files).flatMap(\.units)
    #expect(units.count == count && units.allSatisfy { $0.target?.state == word })
  }

  @Test("existing translations are entered only where Phrase has none")
  func existing() async throws {
    try await PlatformConformance.checkExisting(
      try Place().scene, entered: ["l2 =ours 0", "l2 one=ours 3; l2 other=ours 6"])
  }

  @Test(
    "after a push was interrupted between the forms of a translation, each missing form is added once",
    arguments: 0..<24)
  func interrupted(_ request: Int) async throws {
    let place = try Place()
    var shipment = PlatformConformance.shipment(language: "de")
    shipment.translateAll()
    place.bench.fail(.noResponse, at: request)
    for _ in 0..<3 { _ = try? await place.vendor().push(shipment) }
    #expect(place.service.content.contains("l1 one=%lld bird; l1 other=%lld birds; l2 one=ours 3; l2 other=ours 6"))
    #expect(try await place.vendor().push(shipment).wasThere)
  }

  @Test("a text that gets plural forms keeps its key")
  func shape() async throws {
    let place = try Place()
    let vendor = try place.vendor()
    var shipment = PlatformConformance.shipment(language: "de")
    _ = try await vendor.push(shipment)
    shipment.files[0].units[0].path = [.plural(.other)]
    _ = try await vendor.push(shipment)
    #expect(place.service.content.contains("::Bird [a note] plural tags=[] l1 one=Bird; l1 other=Bird"))
    #expect(try await vendor.push(shipment).wasThere)
  }

  @Test("the length limit of an existing key changes with the placeholders and the length of its source text")
  func limits() async throws {
    let place = try Place()
    func push(_ source: String) async throws -> Int? {
      var shipment = PlatformConformance.shipment(language: "de", birds: source)
      for index in shipment.files[0].units.indices where shipment.files[0].units[index].key == "Bird" {
        shipment.files[0].units[index].note = "dragoman:max-length 6"
      }
      _ = try await place.vendor().push(shipment)
      return place.service.limits.first { $0.key.hasSuffix("::Bird") }?.value
    }
    #expect(try await push("Bird") == 6)
    // The limit of Phrase also counts the 4 characters of the placeholder.
    #expect(try await push("%lld bird") == 10)
    #expect(try await push("Many little birds") == 0)
    #expect(try await push("Birds") == 6)
  }

  @Test("a key that another client adds at the same time counts as added")
  func conflict() async throws {
    let service = try PhraseServer()
    let isFirst = Mutex(true)
    let bench = try VendorBench { request in
      let isNow =
        request.method == "POST"
        && isFirst.withLock { value in
          defer { value = false }
          return value
        }
      // Another client sends the same request just before.
      if isNow { _ = service.respond(to: request) }
      return service.respond(to: request)
    }
    let server = try bench.server()
    let options: [String: VendorOptionValue] = ["url": .text(server.url), "project": .text("p1")]
    let vendor = try PhraseKind.vendor(VendorSettings(options: options), in: bench.environment())
    _ = try await vendor.push(PlatformConformance.shipment(language: "de"))
    #expect(service.content.components(separatedBy: "tags=").count == 5)
    #expect(try await vendor.push(PlatformConformance.shipment(language: "de")).wasThere)
  }

  @Test("a language that Phrase lacks blocks only that language, and the pipeline file can name a locale for it")
  func missingLanguage() async throws {
    let place = try Place()
    let error = await #expect(throws: VendorError.self) {
      try await place.vendor().push(PlatformConformance.shipment(language: "fr"))
    }
    #expect(error?.kind == .unknownLanguage && error?.detail.contains("it has de, german, uk") == true)
    let probe = try await place.vendor(["locales": .languages(["fr": "german"])]).probe(["fr", "uk"])
    #expect(probe.facts.contains("The vendor's code for fr is german.") && probe.faults.isEmpty)
  }

  @Test("a wrong token and a wrong project are reported with Phrase's message")
  func refusals() async throws {
    let place = try Place()
    let token = await #expect(throws: TransportError.self) { try await place.vendor(secret: "x").probe(["de"]) }
    #expect(token?.kind == .status(401) && token?.detail.contains("Token invalid") == true)
    let project = await #expect(throws: VendorError.self) {
      try await place.vendor(["project": .text("p2")]).probe(["de"])
    }
    #expect(project?.kind == .configuration && project?.detail.contains("Not Found") == true)
    #expect(project?.detail.contains("Check `project`,") == true)
  }

  @Test(
    "an unexpected response format is reported with the request and the JSON member",
    arguments: [("{}", "is expected"), (#"[{"id":"l1"}]"#, "name is missing at [0]")])
  func shapes(_ body: String, _ words: String) async throws {
    let text = try await PlatformConformance.probeError(
      of: PhraseKind.self, ["project": .text("p1")], response: body)
    #expect(text.contains(words) && text.contains("phrase: GET /projects/p1/locales"))
  }

  @Test(
    "language codes are mapped in both directions",
    arguments: ["de", "de-AT", "pt-BR", "zh-Hans", "zh-Hant", "sr-Latn"])
  func languages(_ text: String) {
    let locales = VendorLocales(.hyphen)
    #expect(locales.code(of: LocaleIdentifier(text)) == text)
    #expect(locales.language(of: text) == LocaleIdentifier(text))
  }
}
