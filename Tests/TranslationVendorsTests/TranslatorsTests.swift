import Foundation
import Localization
import TestSupport
import Testing

@testable import TranslationVendors
@testable import VendorServers

private typealias Person = Localization.Translator

/// The translators that vendors report for a text.
struct TranslatorsTests {
  private let shipment = PlatformConformance.shipment(language: "uk")

  private func work(_ receipt: ShipmentReceipt) -> OutstandingWork {
    OutstandingWork { [OutstandingWork.Part(shipment: shipment, receipt: receipt)] }
  }

  /// Returns the translators of all units that a vendor returned.
  private func translators(_ result: PullResult) -> Set<Person?> {
    Set(result.bundles.flatMap(\.files).flatMap(\.units).map { $0.target?.translator })
  }

  private func vendor(
    _ kind: any VendorKind.Type, _ bench: VendorBench, _ server: LoopbackHTTPServer, project: String? = nil,
    names: Bool = true
  ) throws -> any TranslationVendor {
    var options: [String: VendorOptionValue] = ["url": .text(server.url)]
    if let project { options["project"] = .text(project) }
    return try kind.vendor(VendorSettings(options: options), in: bench.environment(namesTranslators: names))
  }

  @Test("Crowdin returns names and accounts, for plural forms too, but only if the pipeline file requests them")
  func crowdin() async throws {
    let service = CrowdinServer(isStrings: false)
    let bench = try VendorBench { service.respond(to: $0) }
    let server = try bench.server()
    let receipt = try await vendor(CrowdinKind.self, bench, server, project: "2").push(shipment)
    service.translate("uk")
    #expect(try await translators(vendor(CrowdinKind.self, bench, server, project: "2").pull(work(receipt))) == [nil])
    service.sign(["username": "ada_l", "fullName": "Ada\nLovelace"])
    let named = try await vendor(CrowdinKind.self, bench, server, project: "2").pull(work(receipt))
    #expect(translators(named) == [Person(name: "Ada Lovelace", account: "ada_l")])
    let silent = try await vendor(CrowdinKind.self, bench, server, project: "2", names: false).pull(work(receipt))
    #expect(translators(silent) == [nil])
    #expect(silent.bundles.map(\.digest) == named.bundles.map(\.digest))
  }

  @Test("Lokalise returns translators' addresses")
  func lokalise() async throws {
    let service = LokaliseServer()
    let bench = try VendorBench { service.respond(to: $0) }
    let server = try bench.server()
    let lokalise = try vendor(LokaliseKind.self, bench, server, project: "p1")
    let receipt = try await lokalise.push(shipment)
    service.translate("uk")
    service.sign("ada@example.com")
    #expect(
      try await translators(lokalise.pull(work(receipt))) == [Person(name: "ada", address: "ada@example.com")])
  }

  @Test("Phrase is queried for each text; a token without permission is reported, and translations are still read")
  func phrase() async throws {
    let service = try PhraseServer()
    let bench = try VendorBench { service.respond(to: $0) }
    let server = try bench.server()
    let phrase = try vendor(PhraseKind.self, bench, server, project: "p1")
    let receipt = try await phrase.push(shipment)
    service.translate("uk")
    let refused = try await phrase.pull(work(receipt))
    #expect(translators(refused) == [nil] && refused.bundles.first?.files.first?.units.count == 7)
    #expect(refused.diagnostics.map(\.message).first?.contains("may not see who translated into uk") == true)
    service.sign(["username": "ada_l", "name": "Ada Lovelace"])
    let named = try await phrase.pull(work(receipt))
    #expect(translators(named) == [Person(name: "Ada Lovelace", account: "ada_l")] && named.diagnostics.isEmpty)
    service.translate("uk", unverified: true)
    let requests = bench.requests
    let open = try await phrase.pull(work(receipt))
    #expect(
      open.bundles.isEmpty && bench.requests - requests < 12, "no request is made for texts that are not accepted")
  }

  @Test("at Weblate, the newest change of a text names its translator; bots and deleted accounts have no name")
  func weblate() async throws {
    let service = WeblateServer(specification: try OpenAPIDocument("weblate/openapi.yaml"))
    let bench = try VendorBench { service.respond(to: $0) }
    let server = try bench.server()
    let weblate = try vendor(WeblateKind.self, bench, server, project: "birds")
    let receipt = try await weblate.push(shipment)
    service.translate("uk")
    service.lock.withLock {
      let component = service.state.components.values.first
      func change(_ key: String, _ account: String, action: Int, _ time: Int) -> [String: Any] {
        [
          "id": time, "action": action, "timestamp": "2026-11-24T10:00:\(10 + time).123456Z",
          "unit": "https://elsewhere.test/api/units/\((component?.ids[key] ?? 0) + 100_000)/",
          "author": "https://elsewhere.test/api/users/\(account)/", "user": NSNull(),
        ]
      }
      let keys = component?.ids.keys.sorted() ?? []
      service.state.changes =
        [change("Bird", "root", action: 36, 40), change("Bird", "ada%20l", action: 2, 30)]
        + keys.filter { $0 != "Bird" }.enumerated().map {
          change($1, ["bot", "gone", ".."][$0 % 3], action: 5, 20 - $0)
        }
        + [change("Bird", "eve", action: 5, 1)]
      service.state.users = [
        "ada l": ["username": "ada l", "full_name": "Ada", "email": "ada@example.com", "is_bot": false],
        "bot": ["username": "bot", "full_name": "Bot", "is_bot": true],
        "eve": ["username": "eve", "full_name": "Eve"], "root": ["username": "root", "full_name": "Root"],
      ]
    }
    let found = try await weblate.pull(work(receipt))
    let ada = Person(name: "Ada", account: "ada l", address: "ada@example.com")
    #expect(translators(found) == [nil, ada])
    let units = found.bundles.flatMap(\.files).flatMap(\.units)
    #expect(units.filter { $0.target?.translator != nil }.map(\.key) == ["Bird"])
  }

  @Test("an in-house system can return names, accounts and addresses")
  func inHouse() async throws {
    let service = InHouseServer()
    let bench = try VendorBench { service.respond(to: $0) }
    let server = try bench.server()
    let own = try vendor(InHouseKind.self, bench, server)
    let receipt = try await own.push(shipment)
    service.translate("uk", by: ["name": "Ada", "account": "7", "address": "ada@example.com>"])
    #expect(try await translators(own.pull(work(receipt))) == [Person(name: "Ada", account: "7")])
  }
}
