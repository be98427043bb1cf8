import Foundation
import HTTPTransport
import Localization
import Logging
import Synchronization
import TestSupport
import Testing

@testable import TranslationVendors
@testable import VendorServers

private typealias Place = PlatformPlace<SmartlingServer>

extension PlatformPlace<SmartlingServer> {
  fileprivate init() throws {
    try self.init(SmartlingServer(), SmartlingKind.self, ["project": .text("p1")], secret: "me:se:cret") {
      $0.respond(to: $1)
    }
  }

  fileprivate var scene: PlatformConformance.Scene {
    var scene = self.scene(
      translate: { $0.translate($1) }, content: { $0.content },
      leaveOnly: { server, _, language, _ in server.leaveOnly(place: 0, in: language) })
    scene.hasUnreviewed = false
    scene.glossary = glossary(terms: { $0.terms }, edit: { $0.editTerm($1, $2, $3) })
    scene.foreign = { service.set(foreign: $0) }
    return scene
  }
}

@Suite("The vendor smartling")
struct SmartlingVendorTests {
  @Test("whole rounds are completed, and any fault at any request leads to the same final state")
  func conformance() async throws {
    try await PlatformConformance(scene: { try Place().scene }).check()
  }

  @Test("strings that no branch has are removed from the file, and get their translations back when they return")
  func removal() async throws {
    let place = try Place()
    let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")
    let vendor = try place.vendor { _ in false }
    let shipment = PlatformConformance.shipment(language: "uk")
    let receipt = try await vendor.push(shipment)
    place.service.translate("uk")
    try await vendor.withdraw([bird], of: receipt, language: "uk")
    #expect(!place.service.content.contains("\nBird ["))
    _ = try await vendor.push(shipment)
    #expect(place.service.content.contains("\nBird [a note] Bird|"))
    let work = OutstandingWork { [OutstandingWork.Part(shipment: shipment, receipt: receipt)] }
    #expect(try await vendor.pull(work).bundles.flatMap(\.files).flatMap(\.units).contains { $0.key == "Bird" })
  }

  @Test(
    "a source file that was only partly read is not replaced",
    arguments: ["", "msgid \"\"\nmsgstr \"\"\n\"X-Dragoman-Strings: 5\\n\"\n"])
  func partOfFile(body: String) async throws {
    let isCut = Mutex(false)
    let place = try PlatformPlace(
      SmartlingServer(), SmartlingKind.self, ["project": .text("p1")], secret: "me:se:cret"
    ) { server, request in
      guard isCut.withLock(\.self), request.method == "GET", request.target.contains("/p1/file?") else {
        return server.respond(to: request)
      }
      return .respond(status: 200, body: Array(body.utf8))
    }
    let vendor = try place.vendor()
    var shipment = PlatformConformance.shipment(language: "uk")
    _ = try await vendor.push(shipment)
    let content = place.service.content
    isCut.withLock { $0 = true }
    shipment.files[0].units[0].source = .text("Another bird")
    let error = await #expect(throws: VendorError.self) { try await vendor.push(shipment) }
    #expect(error?.kind == .protocolFault)
    #expect(place.service.content == content)
  }

  @Test("existing translations are entered only where Smartling has none")
  func existing() async throws {
    try await PlatformConformance.checkExisting(
      try Place().scene,
      entered: ["(key: \"Bird\", value: [\"ours 0\"])", "(key: \"%lld birds\", value: [\"ours 3\", \"ours 6\"])"])
  }

  @Test("existing translations that an import with status 200 skips are reported with Smartling's message")
  func importErrors() async throws {
    let place = try Place()
    let log = LogLines()
    let vendor = try place.vendor(logger: Logger(label: "test") { _ in log.handler })
    var shipment = PlatformConformance.shipment(language: "de")
    shipment.translateAll()
    place.service.refuse("Bird")
    let receipt = try await vendor.push(shipment)
    #expect(receipt.units == 5)
    #expect(!place.service.content.contains("ours 0") && place.service.content.contains("ours 3"))
    let warnings = log.lines.filter { $0.contains("was refused") }
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("the existing translation into de of “Bird” of App/Localizable.xcstrings") == true)
    #expect(warnings.first?.contains("Placeholder is missing") == true)
  }

  @Test("a token is renewed before it expires and after a refusal, and by a new sign-in when the session ends")
  func tokens() async throws {
    let place = try Place()
    let vendor = try place.vendor()
    _ = try await vendor.probe(["de"])
    _ = try await vendor.probe(["de"])
    #expect(place.service.signs == (1, 0))
    try await place.bench.environment().sleep(.seconds(425))
    _ = try await vendor.probe(["de"])
    #expect(place.service.signs == (1, 1))
    place.service.revoke()
    _ = try await vendor.probe(["de"])
    #expect(place.service.signs == (2, 1))
    place.service.revoke(canRefresh: false)
    try await place.bench.environment().sleep(.seconds(425))
    _ = try await vendor.probe(["de"])
    #expect(place.service.signs == (3, 2))
    try await place.bench.environment().sleep(.seconds(4000))
    _ = try await vendor.probe(["de"])
    #expect(place.service.signs == (4, 2))
  }

  @Test("wrong credentials are refused, and the message names the next step")
  func credentials() async throws {
    let place = try Place()
    let shape = await #expect(throws: VendorError.self) { try await place.vendor(secret: "x").probe(["de"]) }
    #expect(shape?.kind == .configuration && shape?.detail.contains("USER_IDENTIFIER:USER_SECRET") == true)
    let wrong = await #expect(throws: TransportError.self) { try await place.vendor(secret: "a:b").probe(["de"]) }
    #expect(wrong?.disposition == .askPerson && wrong?.detail.contains("wrong credentials") == true)
  }

  @Test("the plural forms of classic gettext are read, and any other number of forms is an error")
  func plurals() throws {
    func text(_ texts: [String], _ language: LocaleIdentifier) throws -> PlatformText {
      let entry = GettextEntry(context: "k", id: "bird", isPlural: true, plural: "birds", texts: texts)
      return try SmartlingPlatform.text(entry, language, "A.xcstrings")
    }
    #expect(try text(["a", "b"], "de") == .plural([.one: "a", .other: "b"]))
    #expect(try text(["a"], "ja") == .plural([.other: "a"]))
    #expect(try text(["a", "b", "c"], "uk") == .plural([.one: "a", .few: "b", .many: "c", .other: "c"]))
    #expect(try text(["a", "b", "c", "d"], "uk") == .plural([.one: "a", .few: "b", .many: "c", .other: "d"]))
    let error = #expect(throws: VendorError.self) { try text(["a", "b", "c", "d", "e"], "de") }
    #expect(error?.detail == "“k” has 5 plural forms; de has 2")
  }

  @Test("after Smartling has processed a delayed upload, existing translations are entered too")
  func accepted() async throws {
    let place = try Place()
    place.service.delayUploads(looks: 3)
    try await PlatformConformance.checkExisting(
      place.scene,
      entered: ["(key: \"Bird\", value: [\"ours 0\"])", "(key: \"%lld birds\", value: [\"ours 3\", \"ours 6\"])"])
    let never = try Place()
    never.service.delayUploads(looks: 1000)
    let error = await #expect(throws: VendorError.self) {
      try await never.vendor().push(PlatformConformance.shipment(language: "de"))
    }
    #expect(error?.disposition == .retry && error?.detail.contains("has not processed the upload") == true)
  }

  @Test("a text with forms that its language lacks is reported and rejected, and the others are accepted")
  func wrongForms() async throws {
    let place = try Place()
    let vendor = try place.vendor()
    let shipment = PlatformConformance.shipment(language: "de")
    let receipt = try await vendor.push(shipment)
    place.service.translate("de")
    place.service.addForms("de")
    let found = try await vendor.pull(
      OutstandingWork { [OutstandingWork.Part(shipment: shipment, receipt: receipt)] })
    let keys = found.bundles.flatMap(\.files).flatMap(\.units).map(\.key)
    #expect(keys.contains("Bird") && !keys.contains("%lld birds"))
    #expect(found.diagnostics.map(\.message).contains { $0.contains("“%lld birds” has 3 plural forms; de has 2") })
  }

  @Test(
    "an unexpected response format is reported with the request and the JSON member",
    arguments: [
      ("{}", "response is missing"), (#"{"response":{"code":"SUCCESS","data":{}}}"#, "accessToken is missing"),
    ])
  func shapes(_ body: String, _ words: String) async throws {
    let text = try await PlatformConformance.probeError(
      of: SmartlingKind.self, ["project": .text("p1")], secret: "a:b", response: body)
    #expect(text.contains(words) && text.contains("smartling: POST /auth-api/v2/authenticate"))
  }

  @Test(
    "language codes are mapped in both directions",
    arguments: [("de", "de"), ("pt-BR", "pt-BR"), ("zh-Hans", "zh-CN"), ("zh-Hant", "zh-TW"), ("sr-Latn", "sr-Latn")])
  func languages(_ text: String, _ code: String) {
    let locales = VendorLocales(.hyphen, exceptions: SmartlingKind.exceptions)
    #expect(locales.code(of: LocaleIdentifier(text)) == code)
    #expect(locales.language(of: code) == LocaleIdentifier(text))
  }
}
