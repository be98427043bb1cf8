internal import Daemon
internal import Foundation
internal import HTTPTypes
internal import Localization
internal import Pipeline
internal import ReadModel

/// The operations on rounds and held units, and the actions on pipelines.
extension APIOperations {
  private struct Reason: Decodable {
    var reason: String?
  }

  private struct Branch: Decodable {
    var branch: String
  }

  private struct Edit: Decodable {
    var branch: String
    var texts: [String]
  }

  private struct RoundDetails: Encodable, Sendable {
    var round: Round
    var held: [HeldUnit]
    var commits: [RoundOrigin]
  }

  private struct RoundLine: Encodable, Sendable {
    var unit: UnitID
    var sentFrom: CommitID
    var commit: CommitID?
    var author: String?
    var added: Date?

    init(_ unit: RoundUnit) {
      (self.unit, sentFrom) = (unit.source.unit, unit.sentFrom)
      (commit, author) = (unit.provenance?.commit, unit.provenance?.author)
      added = unit.provenance.map { Date(timeIntervalSince1970: Double($0.seconds)) }
    }
  }

  private func action(
    _ path: String, _ name: String, _ summary: String, body: Schema? = nil, problems: [HTTPResponse.Status] = [],
    _ act: @escaping @Sendable (APIRequest) async throws -> Void
  ) -> APIOperation {
    APIOperation(
      method: .post, path: path, name: name, summary: summary, role: .operator, body: body, response: .named("Done"),
      problems: problems
    ) { request in
      try await act(request)
      return Done()
    }
  }

  var pipelineActions: [APIOperation] {
    let reason = Schema.object([.init("reason", .string(length: 0...500), optional: true)])
    return [
      action(
        "/pipelines/{pipeline}/pause", "pausePipeline",
        "Pause a pipeline: no jobs are claimed, and nothing is polled. Running stages finish.", body: reason
      ) { request in
        let reason = try request.decode(Reason.self).reason
        guard reason.map({ $0.count <= 500 }) ?? true else {
          throw APIProblem(.badRequest, "body", "a reason has at most 500 characters")
        }
        try await daemon.decisions(of: request.actor).pause(
          request.pipeline, reason: reason?.isEmpty == true ? nil : reason)
      },
      action("/pipelines/{pipeline}/resume", "resumePipeline", "Resume a pipeline, and poll it now.") { request in
        try await daemon.decisions(of: request.actor).resume(request.pipeline)
      },
      action(
        "/pipelines/{pipeline}/look", "lookAtPipeline",
        "Poll the repository within seconds, and retry failed jobs.", problems: [.conflict]
      ) { request in
        try await daemon.decisions(of: request.actor).look(at: request.pipeline)
      },
    ]
  }

  var roundOperations: [APIOperation] {
    [
      APIOperation(
        method: .get, path: "/rounds", name: "listRounds", summary: "Rounds with their books, newest first.",
        role: .viewer, query: [Self.pipelineFilter, Self.limit(1000, 100), Self.before("rounds")],
        response: Self.list("rounds", "Round")
      ) { request in
        let limit = try request.number("limit", in: 1...1000, default: 100)
        let before = try request.number("before", in: 1...Int64.max, default: .max)
        let rounds = try await model.rounds(of: request.text("pipeline"))
        return ["rounds": Array(rounds.reversed().lazy.filter { $0.id.rawValue < before }.prefix(Int(limit)))]
      },
      APIOperation(
        method: .get, path: "/rounds/{id}", name: "getRound",
        summary: "A round, its held units, and the commits that added its strings.", role: .viewer,
        response: .named("RoundDetails")
      ) { request in
        let round = try await model.round(RoundID(rawValue: try request.id()))
        return RoundDetails(
          round: round, held: try await model.held(in: round),
          commits: RoundOrigin.all(of: try await model.units(of: round.id)))
      },
      APIOperation(
        method: .get, path: "/rounds/{id}/units", name: "listRoundUnits",
        summary: "The units of a round, by catalog and key.", role: .viewer,
        query: [
          Self.limit(1000, 200),
          .init(name: "offset", schema: .integer(0...1_000_000_000), description: "The number of units to skip."),
        ],
        response: .object([.init("units", .array(.named("RoundUnit"))), .init("count", .count)])
      ) { request in
        let limit = try request.number("limit", in: 1...1000, default: 200)
        let offset = try request.number("offset", in: 0...1_000_000_000, default: 0)
        let round = try await model.round(RoundID(rawValue: try request.id()))
        let units = try await model.units(of: round.id)
        return UnitPage(
          units: units.dropFirst(Int(offset)).prefix(Int(limit)).map(RoundLine.init), count: units.count)
      },
      action(
        "/rounds/{id}/retry", "retryRound",
        "Review a round's held units again, and resend the units that were withdrawn when it was cancelled."
      ) { request in
        try await daemon.decisions(of: request.actor).retry(RoundID(rawValue: try request.id()))
      },
      action(
        "/rounds/{id}/cancel", "cancelRound", "Withdraw the outstanding units of a round."
      ) { request in
        try await daemon.decisions(of: request.actor).cancel(RoundID(rawValue: try request.id()))
      },
    ]
  }

  private struct UnitPage: Encodable, Sendable {
    var units: [RoundLine]
    var count: Int
  }

  var heldOperations: [APIOperation] {
    let branch = Schema.object([.init("branch", .string(length: 1...1000))])
    return [
      APIOperation(
        method: .get, path: "/held", name: "listHeld",
        summary: "Returned units that could not be delivered, with the reasons.",
        role: .viewer, query: [Self.pipelineFilter, Self.limit(1000, 200), Self.before("units")],
        response: .object([.init("held", .array(.named("HeldUnit"))), .init("count", .count)])
      ) { request in
        let limit = try request.number("limit", in: 1...1000, default: 200)
        let before = try request.number("before", in: 1...Int64.max, default: .max)
        let held = try await model.held(of: request.text("pipeline")).filter { $0.id.rawValue < before }
        return HeldPage(held: Array(held.sorted { $0.id > $1.id }.prefix(Int(limit))), count: held.count)
      },
      APIOperation(
        method: .get, path: "/held/{id}", name: "getHeld", summary: "A held unit with its forms.", role: .viewer,
        query: [
          .init(name: "branch", schema: .string(length: 1...1000), description: "The branch on which the unit is held.")
        ],
        response: .named("HeldDetails")
      ) { request in
        try await model.held(ReturnedUnitID(rawValue: try request.id()), on: request.text("branch"))
      },
      action(
        "/held/{id}/take", "takeHeld", "Accept a held unit despite the reason for which it is held.", body: branch,
        problems: [.conflict]
      ) { request in
        let branch = try request.decode(Branch.self).branch
        try await daemon.decisions(of: request.actor).take(ReturnedUnitID(rawValue: try request.id()), on: branch)
      },
      action(
        "/held/{id}/drop", "dropHeld",
        "Discard a held unit, and earlier returns for the string. The string is sent again if it is not translated.",
        body: branch
      ) { request in
        let branch = try request.decode(Branch.self).branch
        try await daemon.decisions(of: request.actor).drop(ReturnedUnitID(rawValue: try request.id()), on: branch)
      },
      action(
        "/held/{id}/edit", "editHeld", "Replace the texts of a held unit. They are reviewed like those of the vendor.",
        body: .object([
          .init("branch", .string(length: 1...1000)),
          .init("texts", .array(.text), "The texts of all forms, in the order of the forms."),
        ])
      ) { request in
        let edit = try request.decode(Edit.self)
        try await daemon.decisions(of: request.actor)
          .edit(ReturnedUnitID(rawValue: try request.id()), on: edit.branch, texts: edit.texts)
      },
    ]
  }

  private struct HeldPage: Encodable, Sendable {
    var held: [HeldUnit]
    var count: Int
  }
}
