import Foundation
import HTTPTransport
import Localization
import TestSupport
import Testing

@testable import TranslationVendors
@testable import VendorServers

typealias CrowdinPlace = PlatformPlace<CrowdinServer>

extension PlatformPlace<CrowdinServer> {
  init(isStrings: Bool, branches: [String]? = nil) throws {
    try self.init(
      CrowdinServer(isStrings: isStrings, branches: branches ?? (isStrings ? ["main"] : [])), CrowdinKind.self,
      ["project": .text("2")]
    ) { $0.respond(to: $1) }
  }

  var scene: PlatformConformance.Scene {
    var scene = self.scene(
      translate: { $0.translate($1) }, content: { $0.content },
      leaveOnly: { $0.leaveOnly($1, in: $2, isReviewed: $3) })
    scene.limits = { service.limits }
    scene.glossary = glossary(terms: { $0.terms }, edit: { $0.editTerm($1, $2, $3) })
    scene.foreign = { service.set(foreign: $0) }
    return scene
  }
}

@Suite("The vendor crowdin")
struct CrowdinVendorTests {
  @Test(
    "whole rounds are completed, and any fault at any request leads to the same final state", arguments: [true, false])
  func conformance(_ isStrings: Bool) async throws {
    try await PlatformConformance(scene: { try CrowdinPlace(isStrings: isStrings).scene }).check()
  }

  @Test("a string that Crowdin omits from a file is reported, and the others are sent")
  func leftOut() async throws {
    let place = try CrowdinPlace(isStrings: false)
    let vendor = try place.vendor()
    place.service.leaveOut("Bird")
    let shipment = PlatformConformance.shipment(language: "de")
    let receipt = try await vendor.push(shipment)
    let requests = place.server.requests.count { $0.method != "GET" }
    #expect(receipt.units == 4)
    let found = try await vendor.pull(PlatformConformance.outstanding([(shipment, receipt)]))
    let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")
    #expect(
      found.refusals.map(\.units) == [[bird: "it is missing after the upload of App/Localizable.xcstrings"]])
    #expect(place.server.requests.count { $0.method != "GET" } == requests)
  }

  @Test(
    "strings that no branch has are hidden, shown again when they return, and deleted if the pipeline file says so",
    arguments: [true, false])
  func removal(_ isStrings: Bool) async throws {
    let place = try CrowdinPlace(isStrings: isStrings)
    let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")
    let keeping = try place.vendor { _ in false }
    let shipment = PlatformConformance.shipment(language: "de")
    let receipt = try await keeping.push(shipment)
    try await keeping.withdraw([bird], of: receipt, language: "de")
    #expect(place.service.content.contains("Bird [a note] hidden"))
    _ = try await keeping.push(shipment)
    #expect(!place.service.content.contains("hidden"))
    let deleting = try place.vendor(["removed": .text("delete")], isInUse: { _ in false })
    try await deleting.withdraw([bird], of: receipt, language: "de")
    #expect(!place.service.content.contains("Bird [") && place.service.content.contains("birds ["))
    try await deleting.withdraw(Array(shipment.unitIDs), of: receipt, language: "de")
    #expect(place.service.content.isEmpty)
    #expect(try await !deleting.push(shipment).wasThere)
  }

  @Test(
    "translations of an older source text are dropped, or kept and accepted once a person approves them",
    arguments: [true, false], ["clear", "keep"])
  func changed(_ isStrings: Bool, _ changed: String) async throws {
    let place = try CrowdinPlace(isStrings: isStrings)
    let vendor = try place.vendor(["changed": .text(changed)])
    _ = try await vendor.push(PlatformConformance.shipment(language: "uk"))
    place.service.translate("uk")
    let shipment = PlatformConformance.shipment(language: "uk", birds: "Little bird")
    let receipt = try await vendor.push(shipment)
    #expect(place.service.content.contains("uk : Bird") == (changed == "keep"))
    let work = OutstandingWork { [OutstandingWork.Part(shipment: shipment, receipt: receipt)] }
    let found = try await vendor.pull(work).bundles.flatMap(\.files).flatMap(\.units)
    #expect(!found.contains { $0.key == "Bird" } && found.contains { $0.key == "%lld birds" })
    place.service.translate("uk", isApproved: changed == "keep")
    let all = try await vendor.pull(work).bundles.flatMap(\.files).flatMap(\.units)
    #expect(all.first { $0.key == "Bird" }?.target?.text == .text("uk : Little bird"))
  }

  @Test(
    "kept translations stay finished after a change of the comment",
    arguments: [true, false])
  func commentOfKept(_ isStrings: Bool) async throws {
    let place = try CrowdinPlace(isStrings: isStrings)
    func vendor() throws -> any TranslationVendor { try place.vendor(["changed": .text("keep")]) }
    let shipment = PlatformConformance.shipment(language: "uk")
    let work = PlatformConformance.outstanding([(shipment, try await vendor().push(shipment))])
    _ = try await vendor().pull(work)
    place.service.translate("uk", isApproved: false)
    let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")
    try await vendor().update([bird: UnitComment(text: "another note", sourceLanguage: "en")])
    #expect(place.service.content.contains("Bird [another note]"))
    let units = try await vendor().pull(work).bundles.flatMap(\.files).flatMap(\.units)
    #expect(units.first { $0.key == "Bird" }?.target?.state == "translated")
  }

  @Test(
    "a kept translation does not count for the new source text, even if suggestions are accepted",
    arguments: [true, false])
  func olderAnswers(_ isStrings: Bool) async throws {
    let place = try CrowdinPlace(isStrings: isStrings)
    try await PlatformConformance.checkOlderAnswers(place.scene) {
      try place.vendor(["changed": .text("keep"), "take": .text("suggested")])
    }
  }

  @Test("approved translations get the state reviewed, and others the state translated", arguments: [true, false])
  func states(_ isStrings: Bool) async throws {
    let place = try CrowdinPlace(isStrings: isStrings)
    let shipment = PlatformConformance.shipment(language: "uk")
    let receipt = try await place.vendor().push(shipment)
    let work = OutstandingWork { [OutstandingWork.Part(shipment: shipment, receipt: receipt)] }
    place.service.translate("uk", isApproved: false)
    #expect(try await place.vendor().pull(work).bundles.flatMap(\.files).flatMap(\.units).count == 7)
    #expect(try await place.vendor(["take": .text("reviewed")]).pull(work).bundles.isEmpty)
    place.service.translate("uk")
    #expect(try await place.vendor(["take": .text("reviewed")]).pull(work).bundles.count == 1)
  }

  @Test("existing translations are entered only where Crowdin has none", arguments: [true, false])
  func existing(_ isStrings: Bool) async throws {
    try await PlatformConformance.checkExisting(
      try CrowdinPlace(isStrings: isStrings).scene, entered: ["de: =ours 0", "de: one=ours 3, other=ours 6"])
  }

  @Test("a plain text can become a plural", arguments: [true, false])
  func shape(_ isStrings: Bool) async throws {
    let place = try CrowdinPlace(isStrings: isStrings)
    let vendor = try place.vendor()
    var shipment = PlatformConformance.shipment(language: "de")
    _ = try await vendor.push(shipment)
    shipment.files[0].units[0].path = [.plural(.other)]
    _ = try await vendor.push(shipment)
    #expect(place.service.content.contains("Bird [a note] [\"one=Bird\", \"other=Bird\"]"))
    #expect(try await vendor.push(shipment).wasThere)
  }

  @Test("each catalog becomes a file in matching folders, on the branch that the pipeline file names")
  func files() async throws {
    let place = try CrowdinPlace(isStrings: false, branches: ["main", "next"])
    var shipment = PlatformConformance.shipment(language: "de")
    var other = shipment.files[0]
    other.original = "App/Sub/en.lproj/Extra.strings"
    shipment.files.append(other)
    _ = try await place.vendor().push(shipment)
    #expect(place.service.content.contains("App/Localizable.xcstrings Bird"))
    #expect(place.service.content.contains("App/Sub/en.lproj/Extra.strings.xcstrings Bird"))
    #expect(try await place.vendor().push(shipment).wasThere)
    _ = try await place.vendor(["branch": .text("next")]).push(shipment)
    #expect(place.service.content.contains("next:/App/Sub/en.lproj/Extra.strings.xcstrings Bird"))
    #expect(try await place.vendor(["branch": .text("next")]).push(shipment).wasThere)
  }

  @Test("a pull waits for a file that Crowdin is still processing")
  func busy() async throws {
    let place = try CrowdinPlace(isStrings: false)
    place.service.beBusy(5)
    _ = try await place.vendor().push(PlatformConformance.shipment(language: "de"))
    #expect(place.service.content.contains("Bird"))
    place.service.beBusy(1000)
    let error = await #expect(throws: TransportError.self) {
      try await place.vendor().push(PlatformConformance.shipment(language: "de", birds: "Little bird"))
    }
    #expect(error?.disposition == .retryAfter(.seconds(60)))
  }

  @Test("a missing or unspecified branch is an error that lists the existing branches")
  func branches() async throws {
    let two = try CrowdinPlace(isStrings: true, branches: ["main", "next"])
    let which = await #expect(throws: VendorError.self) { try await two.vendor().probe(["de"]) }
    #expect(
      which?.kind == .configuration
        && which?.detail.contains("Choose the branch of the strings with `branch`. ") == true)
    #expect(which?.detail.contains("The project has main, next.") == true)
    _ = try await two.vendor(["branch": .text("next")]).push(PlatformConformance.shipment(language: "de"))
    #expect(two.service.content.contains("next App/Localizable.xcstrings::Bird"))
    let wrong = await #expect(throws: VendorError.self) { try await two.vendor(["branch": .text("x")]).probe(["de"]) }
    #expect(wrong?.detail.contains("there is no branch x. The project has main, next.") == true)
    let none = try CrowdinPlace(isStrings: true, branches: [])
    let empty = await #expect(throws: VendorError.self) { try await none.vendor().probe(["de"]) }
    #expect(empty?.detail.contains("Add one at Crowdin.") == true)
  }

  @Test("wrong settings are refused, and the message names the next step")
  func settings() async throws {
    let place = try CrowdinPlace(isStrings: false)
    let number = #expect(throws: VendorError.self) { try place.vendor(["project": .text("birds")]) }
    #expect(number?.detail.contains("is not a number") == true)
    let token = await #expect(throws: TransportError.self) { try await place.vendor(secret: "x").probe(["de"]) }
    #expect(token?.kind == .status(401) && token?.detail.contains("Unauthorized") == true)
    let project = await #expect(throws: VendorError.self) {
      try await place.vendor(["project": .text("3")]).probe(["de"])
    }
    #expect(project?.kind == .configuration && project?.detail.contains("Project Not Found") == true)
    #expect(project?.detail.contains("Check `project`") == true)
    let language = await #expect(throws: VendorError.self) {
      try await place.vendor().push(PlatformConformance.shipment(language: "fr"))
    }
    #expect(language?.kind == .unknownLanguage && language?.detail.contains("locales: { fr: CODE }") == true)
    let probe = try await place.vendor().probe(["pt", "zh-Hans"])
    #expect(
      probe.facts.suffix(2) == ["The vendor's code for pt is pt-PT.", "The vendor's code for zh-Hans is zh-CN."]
        && probe.faults.isEmpty)
  }

  @Test(
    "an unexpected response format is reported with the request and the JSON member",
    arguments: [
      ("{}", "data is missing"), (#"{"data":{"sourceLanguageId":"en"}}"#, "targetLanguageIds is missing at data"),
    ])
  func shapes(_ body: String, _ words: String) async throws {
    let text = try await PlatformConformance.probeError(
      of: CrowdinKind.self, ["project": .text("2")], response: body)
    #expect(text.contains(words) && text.contains("crowdin: GET /projects/2"))
  }

  @Test(
    "language codes are mapped in both directions",
    arguments: [
      ("de", "de"), ("pt", "pt-PT"), ("pt-BR", "pt-BR"), ("es", "es-ES"), ("es-MX", "es-MX"), ("sv", "sv-SE"),
      ("zh-Hans", "zh-CN"), ("zh-Hant", "zh-TW"), ("zh-HK", "zh-HK"), ("sr", "sr"), ("sr-Latn", "sr-CS"),
      ("ca-valencia", "val-ES"), ("nb", "nb"),
    ])
  func languages(_ text: String, _ code: String) {
    let locales = VendorLocales(.hyphen, exceptions: CrowdinKind.exceptions)
    #expect(locales.code(of: LocaleIdentifier(text)) == code)
    #expect(locales.language(of: code) == LocaleIdentifier(text))
  }
}
