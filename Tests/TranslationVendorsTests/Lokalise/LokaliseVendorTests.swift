import Foundation
import HTTPTransport
import Localization
import Synchronization
import TestSupport
import Testing

@testable import TranslationVendors
@testable import VendorServers

@Suite("The vendor lokalise")
struct LokaliseVendorTests {
  private func scene() throws -> PlatformConformance.Scene {
    let service = LokaliseServer()
    let bench = try VendorBench { service.respond(to: $0) }
    let server = try bench.server()
    let settings = VendorSettings(options: ["url": .text(server.url), "project": .text("p1")])
    return PlatformConformance.Scene(
      bench: bench, server: server, make: { try LokaliseKind.vendor(settings, in: bench.environment()) },
      translate: { service.translate($0) }, content: { service.content },
      limits: { service.limits }, screenshots: { service.screenshots },
      glossary: GlossaryConformance.Access(
        make: { try LokaliseKind.vendor(settings, in: bench.environment(glossary: $0)) }, terms: { service.terms },
        edit: { service.editTerm($0, $1, $2) }),
      leaveOnly: { service.leaveOnly($0, in: $1, isReviewed: $2) })
  }

  @Test("whole rounds are completed, and any fault at any request leads to the same final state")
  func conformance() async throws { try await PlatformConformance(scene: { try scene() }).check() }

  @Test("a translation of an older source text does not count for the new one, even if suggestions are accepted")
  func olderAnswers() async throws {
    let service = LokaliseServer()
    let bench = try VendorBench { service.respond(to: $0) }
    let server = try bench.server()
    let options: [String: VendorOptionValue] = [
      "url": .text(server.url), "project": .text("p1"), "take": .text("suggested"),
    ]
    let scene = PlatformConformance.Scene(
      bench: bench, server: server,
      make: { try LokaliseKind.vendor(VendorSettings(options: options), in: bench.environment()) },
      translate: { service.translate($0) }, content: { service.content }, leaveOnly: { _, _, _ in })
    try await PlatformConformance.checkOlderAnswers(scene, make: scene.make)
  }

  @Test("a plural is sent with only the source language's forms, and a changed comment changes no text")
  func sourceForms() async throws {
    let service = LokaliseServer()
    let bench = try VendorBench { service.respond(to: $0) }
    let server = try bench.server()
    let options: [String: VendorOptionValue] = ["url": .text(server.url), "project": .text("p1")]
    let vendor = try LokaliseKind.vendor(VendorSettings(options: options), in: bench.environment())
    var shipment = PlatformConformance.shipment(language: "uk")
    _ = try await vendor.push(shipment)
    service.translate("uk")
    func texts() throws -> [String] {
      let line = try #require(service.content.split(separator: "\n").first { $0.contains("%lld birds ") })
      return line.split(separator: " en=")[1].components(separatedBy: " uk=")
    }
    let before = try texts()
    #expect(before.count == 2 && !before[0].contains("few") && before[0].contains("one") && before[1].contains("uk:"))
    let requests = server.requests.count
    for index in shipment.files[0].units.indices where shipment.files[0].units[index].key == "%lld birds" {
      shipment.files[0].units[index].note = "another note"
    }
    _ = try await vendor.push(shipment)
    #expect(try texts() == before && service.content.contains("another note"))
    #expect(!server.requests[requests...].contains { $0.path.contains("translations") && $0.method != "GET" })
  }

  @Test("strings that no branch has are archived or deleted, depending on the pipeline file")
  func removal() async throws {
    let service = LokaliseServer()
    let bench = try VendorBench { service.respond(to: $0) }
    let server = try bench.server()
    let options: [String: VendorOptionValue] = ["url": .text(server.url), "project": .text("p1")]
    let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")
    let keeping = try LokaliseKind.vendor(VendorSettings(options: options), in: bench.environment { _ in false })
    let receipt = try await keeping.push(PlatformConformance.shipment(language: "de"))
    try await keeping.withdraw([bird], of: receipt, language: "de")
    #expect(service.content.contains("archived"))
    let deleting = try LokaliseKind.vendor(
      VendorSettings(options: options.merging(["removed": .text("delete")]) { _, new in new }),
      in: bench.environment { _ in false })
    try await deleting.withdraw([bird], of: receipt, language: "de")
    #expect(!service.content.contains("::Bird "))
  }

  @Test("a person's edits during a large upload are not overwritten")
  func editedMeanwhile() async throws {
    let service = LokaliseServer()
    let editor = Mutex<(@Sendable () -> Void)?>(nil)
    let bench = try VendorBench { request in
      // A person saves a text while the first translation is being written.
      if request.method == "PUT", request.target.contains("/translations/") {
        editor.withLock {
          $0?()
          $0 = nil
        }
      }
      return service.respond(to: request)
    }
    let server = try bench.server()
    let settings = VendorSettings(options: ["url": .text(server.url), "project": .text("p1")])
    let vendor = try LokaliseKind.vendor(settings, in: bench.environment())
    func push(_ key: String, _ source: String, de: String? = nil) async throws {
      let units = (0..<8).map { number in
        ExchangeUnit(
          key: UnitKey("\(key)\(number)"), source: .text("\(source) \(number)"),
          target: de.map { ExchangeTarget(.text("\($0) \(number)"), state: "translated") })
      }
      let file = ExchangeFile(
        original: "App/Localizable.xcstrings", sourceLanguage: "en", targetLanguage: "de", units: units)
      _ = try await vendor.push(
        Shipment(
          pipeline: "birds", round: "1", language: "de", sourceLanguage: "en", files: [file], sourceContents: [:]))
    }
    try await push("Known", "Text")
    service.translate("de")
    editor.withLock { $0 = { service.edit("::Known7", "Von Ada", in: "de") } }
    try await push("Known", "Other text")
    editor.withLock { $0 = { service.edit("::New7", "Auch von Ada", in: "de") } }
    try await push("New", "New text", de: "Neuer Text")
    let lines = service.content.split(separator: "\n")
    func line(_ name: String) -> Substring { lines.first { $0.contains("::\(name) ") } ?? "" }
    #expect(line("Known7").contains("de=Von Ada") && line("Known6").contains("de=de: Text 6"))
    #expect(line("New7").contains("de=Auch von Ada"), "\(service.content)")
    #expect(line("New6").contains("de=Neuer Text 6"))
    #expect(line("Known7").contains("en=Other text 7"))
  }

  @Test("keys that a response with status 200 lists as errors are reported, and the others are sent once")
  func errors() async throws {
    let service = LokaliseServer()
    let bench = try VendorBench { service.respond(to: $0) }
    let server = try bench.server()
    let settings = VendorSettings(options: ["url": .text(server.url), "project": .text("p1")])
    let vendor = try LokaliseKind.vendor(settings, in: bench.environment())
    service.refuse("::Bird")
    let shipment = PlatformConformance.shipment(language: "de")
    let receipt = try await vendor.push(shipment)
    let work = PlatformConformance.outstanding([(shipment, receipt)])
    let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")
    #expect(receipt.units == 4 && !service.content.contains("::Bird "))
    #expect(try await vendor.pull(work).refusals.map(\.units) == [[bird: "This key name is already taken"]])
    #expect(server.requests.filter { $0.method == "POST" }.count == 1)
    service.refuse(nil)
    // A vendor with different settings sends the refused string again.
    let other = VendorSettings(options: settings.options.merging(["places": .flag(true)]) { $1 })
    let changed = try LokaliseKind.vendor(other, in: bench.environment())
    #expect(try await changed.pull(work).refusals.isEmpty && service.content.contains("::Bird "))
    service.refuse("::Bird")
    let comment = UnitComment(text: "another note", sourceLanguage: "en")
    try await changed.update([bird: comment])
    #expect(!service.content.contains("another note"))
  }

  @Test("a token that the server repeats when it refuses a screenshot is removed from the message")
  func repeatedToken() async throws {
    let service = LokaliseServer()
    let bench = try VendorBench { request in
      guard request.method == "POST", request.target.hasSuffix("/screenshots") else {
        return service.respond(to: request)
      }
      let words = String(repeating: "x", count: 290) + " \(request.header("X-Api-Token") ?? "nothing") may not\u{7}"
      return .json(["screenshots": [] as [Any], "errors": [["message": words]]])
    }
    let server = try bench.server()
    let settings = VendorSettings(options: ["url": .text(server.url), "project": .text("p1")])
    let vendor = try LokaliseKind.vendor(settings, in: bench.environment())
    var shipment = PlatformConformance.shipment(language: "uk")
    _ = try await vendor.push(shipment)
    shipment.screenshots = [
      Screenshot(
        name: "start.png", format: .png, bytes: [0x89, 0x50, 0x4E, 0x47],
        units: [UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")])
    ]
    let refusals = try await vendor.attach(shipment.screenshots, to: shipment.files)
    #expect(refusals.count == 1 && refusals[0].contains("xxx RE"), "\(refusals)")
    #expect(!refusals.joined().contains("secret"), "\(refusals)")
  }

  @Test("recorded responses of the official client are decoded")
  func recorded() throws {
    guard SharedFolder.specs.isThere else {
      print(SharedFolder.specs.notice)
      return
    }
    let keys = try SharedFolder.specs.data("lokalise/fixtures/keys/create_keys.json")
    let decoded = try JSONDecoder().decode(LokaliseMessages.Keys.self, from: keys)
    #expect(decoded.keys.first?.key_name.text == "ruby_k")
    #expect(decoded.keys.first?.translations?.first?.translation == "Ruby key")
    let errors = try JSONDecoder().decode(LokaliseMessages.KeysDone.self, from: keys).errors
    #expect(errors?.map(\.message) == ["This key name is already taken"] && errors?.first?.key_name?.text == "welcome")
    let updated = try SharedFolder.specs.data("lokalise/fixtures/keys/update_keys.json")
    #expect(try JSONDecoder().decode(LokaliseMessages.KeysDone.self, from: updated).errors?.map(\.key_id) == [1])
    let languages = try SharedFolder.specs.data("lokalise/fixtures/languages/project_languages.json")
    #expect(try JSONDecoder().decode(LokaliseMessages.Languages.self, from: languages).languages.count > 1)
    let terms = try SharedFolder.specs.data("lokalise/fixtures/glossary_terms/glossary_terms.json")
    let glossary = try JSONDecoder().decode(LokaliseMessages.Terms.self, from: terms)
    #expect(glossary.data.map(\.term) == ["router", "sample"] && glossary.meta?.hasMore == false)
    #expect(glossary.data.last?.translatable == false && glossary.data.first?.translations.first?.langId == 597)
  }

  @Test("a plural key that a person changed to a plain text is reported, and its translation is rejected")
  func plainForPlural() async throws {
    let service = LokaliseServer()
    let bench = try VendorBench { service.respond(to: $0) }
    let server = try bench.server()
    let settings = VendorSettings(options: ["url": .text(server.url), "project": .text("p1")])
    let vendor = try LokaliseKind.vendor(settings, in: bench.environment())
    let shipment = PlatformConformance.shipment(language: "uk")
    let receipt = try await vendor.push(shipment)
    service.makePlain("%lld birds")
    service.translate("uk")
    let found = try await vendor.pull(PlatformConformance.outstanding([(shipment, receipt)]))
    let units = found.bundles.flatMap(\.files).flatMap(\.units)
    #expect(units.count == 3 && !units.contains { $0.key == "%lld birds" })
    #expect(found.diagnostics.count == 1 && found.diagnostics[0].message.contains("has no plural forms at the vendor"))
  }

  @Test("a language whose code the pipeline file maps to a different language is reported and not sent under that code")
  func sharedCode() async throws {
    let service = LokaliseServer()
    let bench = try VendorBench { service.respond(to: $0) }
    let server = try bench.server()
    let settings = VendorSettings(options: [
      "url": .text(server.url), "project": .text("p1"), "locales": .languages(["de-AT": "de"]),
    ])
    let vendor = try LokaliseKind.vendor(settings, in: bench.environment())
    _ = try await vendor.push(PlatformConformance.shipment(language: "de-AT"))
    let content = service.content
    let error = await #expect(throws: VendorError.self) {
      _ = try await vendor.push(PlatformConformance.shipment(language: "de"))
    }
    #expect(error?.kind == .unknownLanguage && error?.detail.contains("de and de-AT have the same code de") == true)
    #expect(service.content == content)
  }

  @Test("language codes are mapped in both directions", arguments: ["de", "pt-BR", "zh-Hans", "zh-Hant", "sr-Latn"])
  func languages(_ text: String) {
    let locales = VendorLocales(.underscore, exceptions: LokaliseKind.exceptions)
    let language = LocaleIdentifier(text)
    #expect(locales.language(of: locales.code(of: language)) == language)
  }
}
