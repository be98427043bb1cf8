import Foundation
import HTTPTransport
import Localization
import TestSupport
import Testing

@testable import TranslationVendors
@testable import VendorServers

private typealias Place = PlatformPlace<LocalazyServer>

extension PlatformPlace<LocalazyServer> {
  fileprivate init() throws {
    try self.init(LocalazyServer(), LocalazyKind.self, ["project": .text("birds")]) { $0.respond(to: $1) }
  }

  fileprivate var scene: PlatformConformance.Scene {
    var scene = self.scene(
      translate: { $0.translate($1) }, content: { $0.content },
      leaveOnly: { server, form, language, _ in server.leaveOnly(form, in: language) })
    scene.hasUnreviewed = false
    return scene
  }
}

@Suite("The vendor localazy")
struct LocalazyVendorTests {
  @Test("whole rounds are completed, and any fault at any request leads to the same final state")
  func conformance() async throws {
    try await PlatformConformance(scene: { try Place().scene }).check()
  }

  @Test(
    "strings that no branch has are deprecated, restored when they return, and deleted if the pipeline file says so")
  func removal() async throws {
    let place = try Place()
    try await PlatformConformance.checkRemoval(
      place.scene, keeping: place.vendor { _ in false },
      deleting: place.vendor(["removed": .text("delete")], isInUse: { _ in false }),
      marked: "Bird [a note] deprecated=0", mark: "deprecated=0")
  }

  @Test("existing translations are entered only where Localazy has none")
  func existing() async throws {
    try await PlatformConformance.checkExisting(
      try Place().scene, entered: ["de=ours 0", "de=[\"@one=ours 3\", \"@other=ours 6\"]"], isSilent: true)
  }

  @Test("existing translations are entered even if the list of a language omits keys without a translation")
  func existingOfHidden() async throws {
    let place = try Place()
    place.service.hideUntranslated()
    try await PlatformConformance.checkExisting(
      place.scene, entered: ["de=ours 0", "de=[\"@one=ours 3\", \"@other=ours 6\"]"], isSilent: true)
  }

  @Test("keys that begin with a special character of the importer are escaped, and unescaped when they return")
  func signs() async throws {
    let place = try Place()
    let vendor = try place.vendor()
    var shipment = PlatformConformance.shipment(language: "uk")
    shipment.files[0].units[0].key = "@other"
    shipment.files[0].units[1].key = "~@other"
    let receipt = try await vendor.push(shipment)
    #expect(place.service.content.contains("~@other [") && place.service.content.contains("~~@other ["))
    place.service.translate("uk")
    let sent = shipment
    let work = OutstandingWork { [OutstandingWork.Part(shipment: sent, receipt: receipt)] }
    let units = try await vendor.pull(work).bundles.flatMap(\.files).flatMap(\.units)
    #expect(units.first { $0.key == "@other" }?.target?.text == .text("uk: Bird"))
    #expect(units.first { $0.key == "~@other" }?.target?.text == .text("uk: %1$lld of %2$@"))
  }

  @Test(
    "an import at the platform that fails or never ends is an error", arguments: ["error", "invalid_id", "in_progress"])
  func imports(_ status: String) async throws {
    let place = try Place()
    place.service.set(status: status)
    let start = place.bench.now
    let error = await #expect(throws: VendorError.self) {
      try await place.vendor().push(PlatformConformance.shipment(language: "de"))
    }
    let isSlow = status == "in_progress"
    #expect(
      error?.detail
        == (isSlow ? "the import has not ended after 600 seconds" : "the import ended with status “\(status)”"))
    #expect(place.bench.now.timeIntervalSince(start) >= (isSlow ? 600 : 0))
    #expect(place.bench.now.timeIntervalSince(start) < (isSlow ? 660 : 30))
  }

  @Test("a project that the token cannot access is refused, and the accessible projects are listed")
  func missing() async throws {
    let place = try Place()
    let error = await #expect(throws: VendorError.self) {
      try await place.vendor(["project": .text("none")]).probe(["de"])
    }
    #expect(error?.kind == .configuration && error?.detail.contains("its projects are birds, other") == true)
  }

  @Test(
    "an unexpected response format is reported with the request and the JSON member",
    arguments: [
      ("{}", "is expected"), (#"[{"id":"birds"}]"#, "slug is missing"),
      (#"[{"id":"birds","slug":"b","sourceLanguage":1,"languages":[]}]"#, "sourceLanguage 1 is missing in languages"),
    ])
  func shapes(_ body: String, _ words: String) async throws {
    let text = try await PlatformConformance.probeError(
      of: LocalazyKind.self, ["project": .text("birds")], response: body)
    #expect(text.contains(words) && text.contains("localazy: GET /projects"))
  }

  @Test("values in formats that Dragoman does not write are not read as texts")
  func values() throws {
    let text = #"["a", {"@one": "b", "@other": "c"}, ["d"], {"one": "e"}, {"@one": ["f"]}]"#
    let values = try JSONDecoder().decode([LocalazyMessages.Value].self, from: Data(text.utf8))
    #expect(values.map(\.content) == [.plain("a"), .plural([.one: "b", .other: "c"]), nil, nil, nil])
  }

  @Test("recorded responses of the official client are decoded")
  func recorded() throws {
    guard SharedFolder.specs.isThere else {
      print(SharedFolder.specs.notice)
      return
    }
    func read<Content: Decodable>(_ name: String, _ type: Content.Type) throws -> Content {
      try JSONDecoder().decode(type, from: try SharedFolder.specs.data("localazy/fixtures/full-project/\(name).json"))
    }
    let projects = try read("projectsOrgsLangs", [LocalazyMessages.Project].self)
    #expect(projects.map(\.slug) == ["test-project"] && projects[0].languages[0].id == projects[0].sourceLanguage)
    #expect(try read("files", [LocalazyMessages.File].self).map(\.catalog) == ["en.json"])
    let keys = try read("fileKeys", LocalazyMessages.Keys.self)
    #expect(keys.next == nil && keys.keys.count == 7 && keys.keys[3].key == ["headers", "role"])
    #expect(keys.keys[0].value?.content == .plain("My Application"))
    #expect(try read("fileKeysWithEvents", LocalazyMessages.Keys.self).keys.count == 4)
  }

  @Test(
    "language codes are mapped in both directions",
    arguments: [
      ("de", "de"), ("pt-BR", "pt_BR"), ("zh-Hans", "zh#Hans"), ("zh-Hant", "zh#Hant"), ("sr-Latn", "sr#Latn"),
      ("es-419", "es_419"), ("pa-Arab", "pa#Arab"), ("zh-Hant-TW", "zh_TW#Hant"), ("ca-valencia", "ca_valencia"),
    ])
  func languages(_ text: String, _ code: String) {
    let locales = VendorLocales(.numberSign)
    #expect(locales.code(of: LocaleIdentifier(text)) == code)
    #expect(locales.language(of: code) == LocaleIdentifier(text))
  }
}
