import Foundation
import Localization
import TestSupport
import Testing

@testable import TranslationVendors
@testable import VendorServers

@Suite("The machine translation vendors")
struct MachineVendorTests {
  private static let names = ["azure", "deepl", "google", "libretranslate"]

  @Test("this suite tests every machine translation vendor except llm, which has its own tests")
  func complete() {
    let machines = VendorRegistry.kinds.filter { $0.capabilities.exchange == .texts }.map { $0.name }
    #expect(
      Set(machines).subtracting(["llm", "pseudo"]) == Set(Self.names), "add the name to MachineVendorTests.names")
  }

  private func dialect(_ name: String) throws -> MachineServer.Dialect {
    switch name {
    case "azure": MachineDialects.azure()
    case "deepl": try MachineDialects.deepl()
    case "google": MachineDialects.google()
    default: try MachineDialects.libreTranslate()
    }
  }

  private func scene(
    _ name: String, _ dialect: MachineServer.Dialect, options: [String: VendorOptionValue] = [:],
    glossary: Glossary? = nil
  ) throws -> EngineConformance.Scene {
    let machine = MachineServer(dialect)
    let bench = try VendorBench { machine.respond(to: $0) }
    let server = try bench.server()
    let all = options.merging(["url": .text(server.url)]) { own, _ in own }
    return EngineConformance.Scene(
      bench: bench, server: server, machine: machine,
      make: {
        let kind = try #require(VendorRegistry.kind(named: name))
        return try kind.vendor(VendorSettings(options: all), in: bench.environment(glossary: glossary))
      })
  }

  @Test(
    "engines translate whole rounds, are paid once for each text, and recover from any fault at any request",
    arguments: names)
  func conformance(_ name: String) async throws {
    let dialect = try dialect(name)
    try await EngineConformance(scene: { try scene(name, dialect) }).check()
  }

  @Test("a probe checks the key and the languages, and reports what is missing", arguments: names)
  func probe(_ name: String) async throws {
    let scene = try scene(name, try dialect(name))
    let probe = try await scene.make().probe(["uk", "tlh"])
    let access =
      name == "libretranslate"
      ? "The server accepts requests with this key. It may accept any key." : "The key is accepted."
    #expect(probe.facts.first == access)
    #expect(probe.facts.contains { $0.hasPrefix("The vendor's code for uk is") })
    #expect(probe.faults.count == 1 && probe.faults.first?.contains("tlh") == true)
  }

  @Test("languages are mapped to the vendor's codes")
  func languages() {
    func code(_ language: LocaleIdentifier, _ exceptions: [LocaleIdentifier: String]) -> String {
      VendorLocales(.hyphen, exceptions: exceptions).code(of: language)
    }
    #expect(code("pt-BR", DeepLKind.exceptions) == "pt-BR")
    #expect(code("pt", DeepLKind.exceptions) == "PT-PT")
    #expect(DeepLService.sourceCode(of: "en-GB") == "EN" && DeepLService.sourceCode(of: "zh-Hans") == "ZH")
    #expect(code("zh-Hant", GoogleKind.exceptions) == "zh-TW")
    #expect(code("zh-Hant", AzureKind.exceptions) == "zh-Hant")
  }

  @Test("DeepL gets comments as context, the formality, and the language's glossary")
  func deepl() async throws {
    let seen = Recorder()
    let dialect = try MachineDialects.deepl { seen.note($0) }
    let options: [String: VendorOptionValue] = [
      "formality": .text("prefer_less"), "glossaries": .languages(["uk": "g1", "de": "g2"]),
    ]
    let scene = try scene("deepl", dialect, options: options)
    let shipment = VendorConformance.shipment(language: "uk")
    let receipt = try await scene.make().push(shipment)
    _ = try await scene.make().pull(
      OutstandingWork { [OutstandingWork.Part(shipment: shipment, receipt: receipt)] })
    #expect(seen.questions.count == 2, "there is one request for each comment")
    #expect(seen.questions.first?["context"] as? String == "a note")
    #expect(seen.questions.last?["context"] == nil)
    for question in seen.questions {
      #expect(question["formality"] as? String == "prefer_less")
      #expect(question["glossary_id"] as? String == "g1")
      #expect(question["target_lang"] as? String == "UK" && question["source_lang"] as? String == "EN")
    }
  }

  @Test(
    "a language that the service refuses does not stop the others; a pull fails if no other language is left",
    arguments: [400, 500])
  func oneLanguage(status: Int) async throws {
    let machine = MachineServer(try MachineDialects.deepl())
    let bench = try VendorBench { request in
      String(decoding: request.body, as: UTF8.self).contains("\"UK\"")
        ? .json(["message": "formality is not supported"], status: status) : machine.respond(to: request)
    }
    let server = try bench.server()
    let vendor = try DeepLKind.vendor(VendorSettings(options: ["url": .text(server.url)]), in: bench.environment())
    var parts: [OutstandingWork.Part] = []
    for language in ["uk", "de"] as [LocaleIdentifier] {
      let shipment = VendorConformance.shipment(language: language)
      parts.append(OutstandingWork.Part(shipment: shipment, receipt: try await vendor.push(shipment)))
    }
    let all = parts
    let found = try await vendor.pull(OutstandingWork { all })
    #expect(found.bundles.flatMap(\.files).map(\.targetLanguage) == ["de"])
    #expect(found.diagnostics.map(\.message).contains { $0.hasPrefix("texts are not translated into uk: ") })
    await #expect(throws: (any Error).self) { try await vendor.pull(OutstandingWork { [all[0]] }) }
  }

  @Test("the answers to a request are stored before the next request is sent")
  func keptAtOnce() async throws {
    let shipment = VendorConformance.shipment(language: "uk")
    func pull(_ scene: EngineConformance.Scene) async throws -> PullResult {
      let vendor = try scene.make()
      let receipt = try await vendor.push(shipment)
      return try await vendor.pull(
        OutstandingWork { [OutstandingWork.Part(shipment: shipment, receipt: receipt)] })
    }
    // There are two requests, because only some of the texts have a comment.
    let reference = try scene("deepl", try MachineDialects.deepl())
    _ = try await pull(reference)
    let last = try #require(reference.bench.writes.last)
    #expect(reference.bench.writes.count == 2)
    let scene = try scene("deepl", try MachineDialects.deepl())
    scene.bench.fail(.page, at: last)
    await #expect(throws: (any Error).self) { try await pull(scene) }
    #expect(try await pull(scene).bundles.flatMap(\.files).flatMap(\.units).count == 7)
    #expect(scene.machine.texts.sorted() == reference.machine.texts.sorted(), "no text is paid for twice")
  }

  private static func glossary(_ terms: [String: String]) -> Glossary {
    Glossary(
      entries: terms.sorted { $0.key < $1.key }.map { source, target in
        GlossaryEntry(terms: [
          GlossaryTerm(language: "en", text: source), GlossaryTerm(language: "de", text: target),
          GlossaryTerm(language: "uk", text: target),
        ])
      })
  }

  @Test("DeepL gets the pipeline's glossary once, under a name made from its terms, and older glossaries are deleted")
  func deeplGlossary() async throws {
    let account = DeepLAccount()
    let digest = "0123456789abcdef"
    // These glossaries belong to a person, to another installation and to another pipeline.
    let others = [
      "dragoman birds en-de by hand", "dragoman birds 22222222 en-de \(digest)", "dragoman b 11111111 en-de \(digest)",
    ]
    for other in others { account.add(named: other) }
    account.add(named: "dragoman birds en-de \(digest)")
    var all: [DeepLAccount.Entry] { account.all.filter { !others.contains($0.name) } }
    let seen = Recorder()
    let dialect = try MachineDialects.deepl(glossaries: account) { seen.note($0) }
    func translate(_ language: LocaleIdentifier, _ terms: [String: String], round: String) async throws {
      let scene = try scene("deepl", dialect, glossary: Self.glossary(terms))
      var shipment = VendorConformance.shipment(language: language)
      shipment.round = round
      let sent = shipment
      let receipt = try await scene.make().push(sent)
      _ = try await scene.make().pull(
        OutstandingWork { [OutstandingWork.Part(shipment: sent, receipt: receipt)] })
    }
    try await translate("de", ["Bird": "Vogel", "Nest": "Nest"], round: "1")
    #expect(all.map(\.entries) == ["Bird\tVogel\nNest\tNest"])
    #expect(all.map(\.languages) == ["en-de"], "the glossary of an older version is replaced")
    #expect(all.allSatisfy { $0.name.hasPrefix("dragoman birds 11111111 en-de ") })
    #expect(seen.questions.allSatisfy { $0["glossary_id"] as? String == "glossary-1" } && !seen.questions.isEmpty)
    try await translate("de", ["Bird": "Vogel", "Nest": "Nest"], round: "2")
    #expect(all.count == 1)
    try await translate("de", ["Bird": "Piepmatz"], round: "3")
    #expect(all.map(\.entries) == ["Bird\tPiepmatz"])
    #expect(seen.questions.last?["glossary_id"] as? String == "glossary-2")
    // DeepL does not support glossaries for this pair of languages.
    try await translate("uk", ["Bird": "птах"], round: "4")
    #expect(all.count == 1 && seen.questions.last?["glossary_id"] == nil)
    #expect(Set(account.all.map(\.name)).isSuperset(of: others), "other people's glossaries are kept")
  }

  @Test("requests with free DeepL keys go to the free plan's address")
  func freeKeys() throws {
    let bench = try VendorBench { _ in .close }
    let vendor = try DeepLKind.vendor(VendorSettings(number: 2), in: bench.environment(secret: "k:fx"))
    #expect(vendor.name == "deepl-2")
  }

  @Test(
    "a text above the request limit is refused and the others are translated, and a changed limit takes effect")
  func tooLong() async throws {
    let scene = try scene(
      "libretranslate", try MachineDialects.libreTranslate(), options: ["characters": .number(400)])
    var shipment = VendorConformance.shipment(language: "uk")
    shipment.files[0].units[0].source = .text(String(repeating: "Bird ", count: 100))
    let sent = shipment
    let receipt = try await scene.make().push(sent)
    let found = try await scene.make().pull(
      OutstandingWork { [OutstandingWork.Part(shipment: sent, receipt: receipt)] })
    #expect(found.bundles.flatMap(\.files).flatMap(\.units).count == 6)
    #expect(found.diagnostics.contains { $0.message.contains("longer than 400 characters") })
    let raised = try LibreTranslateKind.vendor(
      VendorSettings(options: ["url": .text(scene.server.url), "characters": .number(4000)]),
      in: scene.bench.environment())
    let later = try await raised.pull(
      OutstandingWork { [OutstandingWork.Part(shipment: sent, receipt: receipt)] })
    #expect(later.bundles.flatMap(\.files).flatMap(\.units).count == 7 && later.refusals.isEmpty)
  }

  @Test("a text is requested again only if it is sent again after its answer was returned")
  func sentAgain() async throws {
    let scene = try scene("libretranslate", try MachineDialects.libreTranslate())
    func part(_ round: String, _ language: LocaleIdentifier) async throws -> OutstandingWork.Part {
      var shipment = VendorConformance.shipment(language: language)
      shipment.round = round
      return OutstandingWork.Part(shipment: shipment, receipt: try await scene.make().push(shipment))
    }
    let first = [try await part("1", "de"), try await part("1", "uk")]
    let found = try await scene.make().pull(OutstandingWork { first })
    let count = scene.machine.texts.count
    try await scene.make().acknowledge(found.bundles[0], verdict: .taken)
    // The first bundle was acknowledged and the second bundle was not, as after a crash between the two acknowledgements.
    let rest = try await scene.make().pull(OutstandingWork { [first[1]] })
    #expect(rest.bundles.map(\.digest) == [found.bundles[1].digest] && scene.machine.texts.count == count)
    let second = try await part("2", "de")
    let again = try await scene.make().pull(OutstandingWork { [first[1], second] })
    #expect(again.bundles.count == 2)
    let once = scene.machine.texts.dropFirst(count)
    #expect(Set(once) == Set(scene.machine.texts[..<(count / 2)]) && once.count == count / 2)
  }
}

/// The requests that a dialect received.
private final class Recorder: Sendable {
  private let lock = NSLock()
  nonisolated(unsafe) private var all: [[String: Any]] = []

  var questions: [[String: Any]] { lock.withLock { all } }
  func note(_ question: [String: Any]) { lock.withLock { all.append(question) } }
}
