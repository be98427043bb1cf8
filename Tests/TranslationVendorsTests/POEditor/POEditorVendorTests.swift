import Foundation
import HTTPTransport
import Localization
import TestSupport
import Testing

@testable import TranslationVendors
@testable import VendorServers

private typealias Place = PlatformPlace<POEditorServer>

extension PlatformPlace<POEditorServer> {
  fileprivate init() throws {
    try self.init(POEditorServer(), POEditorKind.self, ["project": .text("7717")]) { $0.respond(to: $1) }
  }

  fileprivate var scene: PlatformConformance.Scene {
    scene(
      translate: { $0.translate($1) }, content: { $0.content },
      leaveOnly: { $0.leaveOnly($1, in: $2, isReviewed: $3) })
  }
}

@Suite("The vendor poeditor")
struct POEditorVendorTests {
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
      marked: "Bird [a note] plural= tags=[\"dragoman-gone\"]", mark: "dragoman-gone")
  }

  @Test("translations of a changed text are fuzzy, and not accepted until a person checks them")
  func stale() async throws {
    let place = try Place()
    let work = try await PlatformConformance.outdateBird(place.scene)
    let taking = try place.vendor(["take": .text("suggested")])
    let all = try await taking.pull(work).bundles.flatMap(\.files).flatMap(\.units)
    let bird = try #require(all.first { $0.key == "Bird" })
    #expect(bird.target?.state == "needs-review-translation" && bird.source == .text("Little bird"))
  }

  @Test("existing translations are entered only where POEditor has none")
  func existing() async throws {
    try await PlatformConformance.checkExisting(
      try Place().scene,
      entered: ["de=ours 0", "de=[(key: \"one\", value: \"ours 3\"), (key: \"other\", value: \"ours 6\")]"])
  }

  @Test(
    "a refusal with status 200 is an error with POEditor's message",
    arguments: [
      ("4011", Disposition.askPerson), ("4031", .askPerson), ("4048", .retryAfter(.seconds(60))),
      ("4033", .retryAfter(.seconds(60))), ("4032", .askPerson), ("4042", .askPerson), ("503", .retry),
    ])
  func refusals(_ code: String, _ disposition: Disposition) async throws {
    let place = try Place()
    place.service.set(refusal: code)
    let error = await #expect(throws: (any Error).self) { try await place.vendor().probe(["de"]) }
    #expect((error as? any DisposableError)?.disposition == disposition)
    #expect("\(try #require(error))".contains("POEditor refused the request with code \(code): refused"))
    #expect("\(try #require(error))".contains("/languages/list"))
  }

  @Test("a project without a reference language is refused, and the message names the next step")
  func noReference() async throws {
    let place = try Place()
    place.service.set(reference: "")
    let error = await #expect(throws: VendorError.self) {
      try await place.vendor().push(PlatformConformance.shipment(language: "de"))
    }
    #expect(error?.kind == .configuration && error?.detail.contains("Set it in the project's settings") == true)
    #expect(place.service.content.isEmpty)
  }

  @Test(
    "an unexpected response format is reported with the request and the JSON member",
    arguments: [
      ("{}", "response is missing"), ("[]", "is expected"),
      (#"{"response":{"status":"success","code":"200"}}"#, "result"),
      (#"{"response":{"status":"success","code":"200"},"result":{"languages":[{}]}}"#, "code is missing"),
      (#"{"response":{"status":"fail","code":404}}"#, "refused the request with code 404: no reason given"),
    ])
  func shapes(_ body: String, _ words: String) async throws {
    let text = try await PlatformConformance.probeError(
      of: POEditorKind.self, ["project": .text("7717")], response: body)
    #expect(text.contains(words) && text.contains("poeditor: POST /languages/list"))
  }

  @Test("language codes are mapped in both directions", arguments: ["de", "pt-BR", "zh-Hans", "zh-Hant", "sr-Latn"])
  func languages(_ text: String) throws {
    let locales = VendorLocales(.hyphen, exceptions: POEditorKind.exceptions)
    let language = LocaleIdentifier(text)
    #expect(locales.language(of: locales.code(of: language)) == language)
    let codes = ["de", "pt-br", "zh-CN", "zh-TW", "sr-latn"]
    #expect(codes.contains(try locales.code(of: language, among: codes, at: "poeditor")))
  }
}
