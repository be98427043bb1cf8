import Daemon
import Foundation
import HTTPTransport
import Localization
import Pipeline
import ReadModel
import TestSupport
import Testing

@testable import DaemonServer

/// Comparisons of docs/reference/openapi.json with the server's document and its responses. If UPDATE_API_REFERENCE is set, the file is first
/// replaced with the server's document (`make api-reference`).
@Suite(.timeLimit(.minutes(10))) struct APIDocumentTests {
  private static let page = SharedFolder.root.appending(path: "docs/reference/openapi.json")

  @Test("the document in docs/reference equals the document that the server sends")
  func document() async throws {
    try await ServedDaemon().run { daemon async throws in
      let served = try await daemon.send("GET", "/api/v1/openapi.json")
      #expect(served.status == 200)
      #expect(served.head.header("Content-Type") == "application/json")
      if ProcessInfo.processInfo.environment["UPDATE_API_REFERENCE"] != nil {
        try Data(served.text.utf8).write(to: Self.page)
      }
      #expect(try String(contentsOf: Self.page, encoding: .utf8) == served.text, "run `make api-reference`")
    }
  }

  /// Queries and bodies for the operations that need them to succeed.
  private static let queries = [
    "/pipelines/{pipeline}/completion/history": "?branch=main", "/pipelines/{pipeline}/missing": "?branch=main&limit=5",
    "/units": "?key=a", "/search": "?text=a",
  ]
  private static let bodies = [
    "pausePipeline": "{\"reason\":\"holiday\"}", "takeHeld": "{\"branch\":\"main\"}",
    "dropHeld": "{\"branch\":\"main\"}",
    "editHeld": "{\"branch\":\"main\",\"texts\":[\"Ö\"]}", "addToken": "{\"name\":\"new\",\"role\":\"viewer\"}",
  ]

  @Test("every operation responds as documented, with and without data")
  func responses() async throws {
    let document = try ResponseForm(Data(contentsOf: Self.page))
    let daemon = try ServedDaemon()
    try daemon.repository.commit(["Localizable.xcstrings": APIData.catalog])
    try await daemon.run { daemon async throws in
      _ = await daemon.nextLook()
      let token = try await daemon.token(.admin)
      try await APIData.add(to: daemon.daemon())
      var good = 0
      for (method, path, operation) in document.operations where path != "/events" && path != "/openapi.json" {
        let name = operation["operationId"] as? String ?? ""
        for (pipeline, id) in [("birds", "1"), ("nothing", "999"), ("%00", "-1")] {
          let target =
            path.replacing("{pipeline}", with: pipeline).replacing("{id}", with: id).replacing("{name}", with: "admin2")
            + (Self.queries[path] ?? "")
          let response = try await daemon.send(
            method, "/api/v1" + target,
            [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
            Array((Self.bodies[name] ?? "").utf8))
          let faults = document.faults(in: response.text, status: response.status, of: operation)
          #expect(faults == [], "\(method) \(target): \(response.status) \(response.text.prefix(300))")
          if response.status < 300 { good += 1 }
          // The unit is dropped first, so the following requests do not find a held unit.
          if pipeline == "birds", !["removeToken", "dropHeld", "editHeld", "takeHeld", "getHeld"].contains(name) {
            #expect(response.status < 300, "\(method) \(target): \(response.status) \(response.text.prefix(300))")
          }
        }
      }
      #expect(good >= 25, "\(good)")
    }
  }
}

/// The data for the requests to the API.
enum APIData {
  static let catalog = """
    {"sourceLanguage":"en","strings":{"Hello":{"comment":"A greeting","localizations":{"de":{"stringUnit":{"state":"translated",\
    "value":"Hallo"}}}},"Bye":{}},"version":"1.0"}
    """

  /// Adds a round with two units in German and Ukrainian to `birds`. The German units are returned: one is held, and one is delivered.
  static func add(to daemon: RunningDaemon) async throws {
    let store = daemon.store
    let commit = StoreConformance.commit
    try await store.record([.plan(round(["a", "b"]))], of: "birds")
    let shipment = try #require(try await store.unsentShipments(of: "birds", vendor: "v").first { $0.language == "de" })
    let receipt = ShipmentReceipt(reference: "x", units: 2, wasThere: false)
    try await store.record([.shipped(shipment.id, receipt, at: daemon.now())], of: "birds")
    try await store.record([.receive(try await bundle(daemon, keys: ["a", "b"]))], of: "birds")
    let returned = try await store.returnedUnits(of: "birds", branch: "main")
    let held = try #require(returned.first { $0.unit.key == "a" })
    let good = try #require(returned.first { $0.unit.key == "b" })
    let delivery = NewDelivery(
      source: commit("a"), target: "l10n/main", expected: nil, base: commit("a"), commits: [commit("c")], units: 1,
      created: daemon.now(), replaces: [],
      outcomes: [BranchOutcome(returnedUnit: good.id, state: .delivered, reviewed: commit("a"))])
    try await store.record(
      [
        .outcomes(
          [BranchOutcome(returnedUnit: held.id, state: .held, reviewed: commit("a"), reason: .sourceChanged("b"))],
          branch: "main"), .deliver(delivery, branch: "main"),
      ], of: "birds")
  }

  private static func round(_ keys: [UnitKey]) -> PlannedRound { StoreConformance.round(keys) }

  static func bundle(
    _ daemon: RunningDaemon, keys: [UnitKey], digest: String = "d1"
  ) async throws -> NewBundle {
    let records = try await daemon.store.sentUnits(of: "birds", vendor: "v", language: "de", keys: Set(keys))
    return NewBundle(
      vendor: "v", reference: "b.zip", digest: digest, received: daemon.now(), review: nil,
      returnedUnits: records.map { record in
        NewReturnedUnit(
          unit: record.unit, language: "de",
          units: [
            ExchangeUnit(key: record.unit.key, source: .text(record.unit.key.text), target: ExchangeTarget(.text("Ü")))
          ], sentUnit: record.id, source: record.source, isFinished: true)
      })
  }
}
