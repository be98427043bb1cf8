import Daemon
import Foundation
import HTTPTransport
import Localization
import Pipeline
import ReadModel
import TestSupport
import Testing

@testable import DaemonServer

/// The actions of the API with their entries in the audit log, and the stream of events.
@Suite(.timeLimit(.minutes(10))) struct APIActionTests {
  private func post(_ daemon: ServedDaemon, _ token: String, _ path: String, _ body: String = "") async throws -> Int {
    try await daemon.send(
      "POST", "/api/v1" + path, [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
      Array(body.utf8)
    ).status
  }

  private func get(_ daemon: ServedDaemon, _ token: String, _ path: String) async throws -> [String: Any] {
    let response = try await daemon.send("GET", "/api/v1" + path, [("Authorization", "Bearer \(token)")])
    #expect(response.status == 200, "\(path): \(response.text)")
    return try #require(JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [String: Any])
  }

  @Test("a paused pipeline does not check its repository until it is resumed, and a check can be requested")
  func control() async throws {
    let daemon = try ServedDaemon()
    try await daemon.run { daemon async throws in
      _ = await daemon.nextLook()
      let token = try await daemon.token(.operator)
      #expect(try await post(daemon, token, "/pipelines/birds/pause", "{\"reason\":\"holiday\"}") == 200)
      #expect(try await post(daemon, token, "/pipelines/birds/look") == 409)
      let summary = try #require(try await get(daemon, token, "/pipelines/birds")["summary"] as? [String: Any])
      let pause = try #require(summary["pause"] as? [String: Any])
      #expect(pause["by"] as? String == "operator" && pause["reason"] as? String == "holiday")
      try daemon.repository.commit(["App/B.swift": "import SwiftUI\nlet b = Text(\"New\")\n"])
      #expect(try await post(daemon, token, "/pipelines/birds/resume") == 200)
      #expect(await daemon.nextLook() == "1 branch, 1 with a new commit")
      #expect(try await post(daemon, token, "/pipelines/birds/look") == 200)
      #expect(await daemon.nextLook() == "1 branch, 0 with a new commit")
      #expect(try await post(daemon, token, "/pipelines/none/look") == 404)
      let audit = try #require(try await get(daemon, token, "/audit?pipeline=birds")["entries"] as? [[String: Any]])
      let actions = audit.compactMap { ($0["action"] as? [String: Any])?["action"] as? String }
      #expect(actions == ["pipeline look", "pipeline resume", "pipeline pause"])
      #expect(audit.allSatisfy { $0["outcome"] as? String == "done" })
      let told = daemon.log.compactMap { $0.split(separator: "Z ", maxSplits: 1).last.map(String.init) }
      #expect(told.contains("birds: pipeline pause (holiday) by operator (api)"))
      #expect(told.contains("birds: pipeline resume by operator (api)"))
    }
  }

  @Test("rounds are cancelled and retried, and held units are accepted, dropped and edited")
  func decisions() async throws {
    let daemon = try ServedDaemon()
    try await daemon.run { daemon async throws in
      _ = await daemon.nextLook()
      let token = try await daemon.token(.operator)
      // The repository's catalogs lack these units, so a merge would pass them over. The pause prevents a merge.
      #expect(try await post(daemon, token, "/pipelines/birds/pause", "{}") == 200)
      try await APIData.add(to: daemon.daemon())
      let held = try #require(try await get(daemon, token, "/held")["held"] as? [[String: Any]])
      let id = try #require(held.first?["id"] as? Int)
      let details = try await get(daemon, token, "/held/\(id)?branch=main")
      #expect(details["mayBeTaken"] as? Bool == true)
      #expect((details["forms"] as? [[String: Any]])?.first?["target"] as? String == "Ü")
      #expect(try await post(daemon, token, "/held/\(id)/edit", "{\"branch\":\"main\",\"texts\":[\"a\",\"b\"]}") == 400)
      #expect(try await post(daemon, token, "/held/\(id)/edit", "{\"branch\":\"main\",\"texts\":[\"Ö\"]}") == 200)
      let store = try daemon.daemon().store
      let people = try daemon.daemon().people
      let edited = try #require(
        try await store.returnedUnits(of: "birds", branch: "main").last { $0.unit.key == "a" })
      #expect(edited.units.first?.target?.text == .text("Ö"))
      // A person who writes the text has seen the current source text, so this reason is overruled.
      #expect(try await people.overruled(of: "birds", branch: "main")[edited.id] == ["sourceChanged"])
      #expect(try await post(daemon, token, "/held/\(id)/drop", "{\"branch\":\"release\"}") == 404)
      // The edited text replaces the vendor's text.
      #expect((try await get(daemon, token, "/held")["held"] as? [Any])?.isEmpty == true)
      #expect(try await post(daemon, token, "/held/\(id)/take", "{\"branch\":\"main\"}") == 404)
      let crash = BranchOutcome(
        returnedUnit: edited.id, state: .held, reviewed: StoreConformance.commit("a"),
        reason: .placeholdersUnsafe("%n is not in the source text"))
      try await store.record([.outcomes([crash], branch: "main")], of: "birds")
      #expect(try await get(daemon, token, "/held/\(edited.id.rawValue)")["mayBeTaken"] as? Bool == false)
      #expect(try await post(daemon, token, "/held/\(edited.id.rawValue)/take", "{\"branch\":\"main\"}") == 409)
      let round = try #require(try await get(daemon, token, "/rounds")["rounds"] as? [[String: Any]]).last
      let number = try #require(round?["id"] as? Int)
      #expect(try await post(daemon, token, "/rounds/\(number)/cancel") == 200)
      #expect(try await store.rounds(of: "birds").first { $0.id.rawValue == number }?.isCancelled == true)
      #expect(try await post(daemon, token, "/rounds/\(number)/retry") == 200)
      #expect(try await store.rounds(of: "birds").first { $0.id.rawValue == number }?.isCancelled == false)
      #expect(try await post(daemon, token, "/rounds/99/cancel") == 404)
      let entries = try await people.audit(of: "birds", before: nil, limit: 9)
      #expect(entries.map(\.action.action) == ["round retry", "round cancel", "held edit", "pipeline pause"])
      #expect(entries.allSatisfy { $0.action.actor == Actor(name: "operator", way: .api) })
      #expect(entries[2].action.subject.hasPrefix("birds 1 main de "), "\(entries[2])")
    }
  }

  @Test(
    "dropping a held answer also drops older answers and keeps newer ones")
  func dropsOlder() async throws {
    let daemon = try ServedDaemon()
    try await daemon.run { daemon async throws in
      _ = await daemon.nextLook()
      let token = try await daemon.token(.operator)
      #expect(try await post(daemon, token, "/pipelines/birds/pause", "{}") == 200)
      let running = try daemon.daemon()
      try await APIData.add(to: running)
      for digest in ["d2", "d3"] {
        try await running.store.record(
          [.receive(try await APIData.bundle(running, keys: ["a"], digest: digest))], of: "birds")
      }
      let units = try await running.store.returnedUnits(of: "birds", branch: "main").filter { $0.unit.key == "a" }
      let outcomes = units.dropFirst().map {
        BranchOutcome(
          returnedUnit: $0.id, state: .held, reviewed: StoreConformance.commit("a"), reason: .sourceChanged("b"))
      }
      try await running.store.record([.outcomes(outcomes, branch: "main")], of: "birds")
      func held() async throws -> [Int] {
        let list = try #require(try await get(daemon, token, "/held")["held"] as? [[String: Any]])
        return list.compactMap { $0["id"] as? Int }.sorted()
      }
      let ids = try await held()
      #expect(ids.count == 3)
      #expect(try await post(daemon, token, "/held/\(ids[1])/drop", "{\"branch\":\"main\"}") == 200)
      #expect(try await held() == [ids[2]])
      #expect(try await post(daemon, token, "/held/\(ids[2])/drop", "{\"branch\":\"main\"}") == 200)
      #expect(try await held() == [])
      let entries = try await running.people.audit(of: "birds", before: nil, limit: 9)
      #expect(entries.filter { $0.action.action == "held drop" }.count == 3)
    }
  }

  @Test("progress is sent as server-sent events, and missed events are sent after the Last-Event-ID")
  func events() async throws {
    let daemon = try ServedDaemon()
    try await daemon.run { daemon async throws in
      _ = await daemon.nextLook()
      let token = try await daemon.token(.viewer)
      let request = """
        GET /api/v1/events?pipeline=birds HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\
        Last-Event-ID: 0\r\n\r\n
        """
      let text = try await RawConnection.exchange(request, port: daemon.port, until: "\"stage\":\"watch\"")
      #expect(text.contains("200 OK") && text.contains("text/event-stream"), "\(text)")
      #expect(text.contains("id: 1\n") && text.contains("event: stage\n"), "\(text)")
      #expect(text.contains("data: {\"pipeline\":\"birds\",\"stage\":\"watch\",\"state\":\"began\"}\n\n"), "\(text)")
    }
  }
}
