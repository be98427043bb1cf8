internal import Daemon
internal import Foundation
internal import HTTPTypes
internal import Localization
internal import Pipeline
internal import ReadModel

/// All operations of the API, except those in `APIResponder.special`.
struct APIOperations: Sendable {
  let daemon: RunningDaemon

  var model: ReadModel { daemon.model }

  var all: [APIOperation] {
    pipelineReads + pipelineActions + roundOperations + heldOperations + unitOperations + tokenOperations
  }

  static let pipelineFilter = APIOperation.Parameter(
    name: "pipeline", schema: .string(length: 1...200), description: "Only this pipeline.")

  static func limit(_ most: Int64, _ standard: Int64) -> APIOperation.Parameter {
    APIOperation.Parameter(
      name: "limit", schema: .integer(1...most), description: "The maximum number of results; \(standard) by default.")
  }

  static func before(_ what: String) -> APIOperation.Parameter {
    APIOperation.Parameter(
      name: "before", schema: .id, description: "Only \(what) with a smaller id, for the next page.")
  }

  static func list(_ name: String, _ schema: String) -> Schema { .object([.init(name, .array(.named(schema)))]) }

  struct Done: Encodable, Sendable {
    var result = "done"
  }

  // MARK: Pipelines

  struct Summary: Encodable, Sendable {
    var summary: PipelineSummary
    var isRunning: Bool

    private enum CodingKeys: String, CodingKey { case isRunning }

    func encode(to encoder: any Encoder) throws {
      try summary.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(isRunning, forKey: .isRunning)
    }
  }

  private struct Details: Encodable, Sendable {
    struct Vendor: Encodable, Sendable {
      var kind: String
      var name: String?
      var languages: [LocaleIdentifier]?
    }

    var summary: Summary
    var heads: [Head]
    var vendors: [Vendor]
    var problems: [PipelineProblem]
  }

  private struct Head: Encodable, Sendable {
    var branch: String
    var commit: CommitID
    var since: Date
  }

  private struct JobLine: Encodable, Sendable {
    var id: JobID
    var stage: Stage
    var scope: String
    var state: JobState.Name
    var attempts: Int
    var due: Date?
    var failure: FailureRecord?

    init(_ job: Job) {
      (id, stage, scope, state, attempts) = (job.id, job.stage, job.scope, job.state.name, job.attempts)
      switch job.state {
      case .queued(let due), .waiting(let due): self.due = due
      case .failed(let failure): self.failure = failure
      case .running, .succeeded: break
      }
    }
  }

  private struct Completion: Encodable, Sendable {
    var branch: String
    var day: String
    var commit: CommitID
    var languages: [LanguageCompletion]

    init(_ completion: BranchCompletion) {
      (branch, commit, languages) = (completion.branch, completion.commit, completion.languages)
      day = Date(timeIntervalSince1970: Double(completion.day) * 86_400).formatted(.iso8601.year().month().day())
    }
  }

  /// Returns the summary of a pipeline.
  /// - Throws: `APIProblem` if no pipeline with this name has run yet.
  func summary(of name: String) async throws -> Summary {
    guard let summary = try await model.pipeline(name) else {
      throw APIProblem(.notFound, "pipeline", "no pipeline with this name has run yet")
    }
    return Summary(summary: summary, isRunning: daemon.definition(of: name) != nil)
  }

  private var pipelineReads: [APIOperation] {
    [
      APIOperation(
        method: .get, path: "/pipelines", name: "listPipelines", summary: "Every pipeline that has run.",
        role: .viewer, response: Self.list("pipelines", "PipelineSummary")
      ) { _ in
        let running = Set(daemon.pipelines)
        return [
          "pipelines": try await model.pipelines().map { Summary(summary: $0, isRunning: running.contains($0.name)) }
        ]
      },
      APIOperation(
        method: .get, path: "/problems", name: "listProblems",
        summary:
          "The current problems: pipeline files that are not in force, pauses, repositories that cannot be read, failed jobs, and findings of jobs.",
        role: .viewer, response: Self.list("problems", "PipelineProblem")
      ) { _ in ["problems": try await daemon.problems(of: nil)] },
      APIOperation(
        method: .get, path: "/pipelines/{pipeline}", name: "getPipeline",
        summary: "A pipeline with its problems.",
        role: .viewer, response: .named("Pipeline")
      ) { request in
        let summary = try await summary(of: request.pipeline)
        let vendors = daemon.definition(of: request.pipeline)?.vendors ?? []
        return Details(
          summary: summary, heads: try await heads(of: request.pipeline),
          vendors: vendors.map { Details.Vendor(kind: $0.kind, name: $0.name, languages: $0.languages) },
          problems: try await daemon.problems(of: request.pipeline))
      },
      APIOperation(
        method: .get, path: "/pipelines/{pipeline}/heads", name: "listHeads",
        summary: "The newest commit of each watched branch.", role: .viewer, response: Self.list("heads", "Head")
      ) { request in
        _ = try await summary(of: request.pipeline)
        return ["heads": try await heads(of: request.pipeline)]
      },
      APIOperation(
        method: .get, path: "/pipelines/{pipeline}/jobs", name: "listJobs", summary: "The jobs of a pipeline.",
        role: .viewer, response: Self.list("jobs", "Job")
      ) { request in
        _ = try await summary(of: request.pipeline)
        return ["jobs": try await daemon.store.jobs(of: request.pipeline).map(JobLine.init)]
      },
      APIOperation(
        method: .get, path: "/pipelines/{pipeline}/completion", name: "getCompletion",
        summary: "The completion of the languages of each watched branch.", role: .viewer,
        response: Self.list("branches", "BranchCompletion")
      ) { request in
        _ = try await summary(of: request.pipeline)
        return ["branches": try await model.completion(of: request.pipeline).map(Completion.init)]
      },
      APIOperation(
        method: .get, path: "/pipelines/{pipeline}/completion/history", name: "getCompletionHistory",
        summary: "The completion of a branch's languages, for each day on which the branch was read.", role: .viewer,
        query: [
          .init(name: "branch", schema: .string(length: 1...1000), description: "The branch.", isRequired: true),
          .init(name: "days", schema: .integer(1...730), description: "The number of days to go back; 90 by default."),
        ], response: Self.list("days", "BranchCompletion")
      ) { request in
        _ = try await summary(of: request.pipeline)
        let days = try request.number("days", in: 1...730, default: 90)
        let history = try await model.completionHistory(
          of: request.pipeline, branch: try request.branch(), days: Int(days), now: daemon.now())
        return ["days": history.map(Completion.init)]
      },
      APIOperation(
        method: .get, path: "/pipelines/{pipeline}/missing", name: "listMissing",
        summary: "The missing translations of a branch, and where each of them is.", role: .viewer,
        query: [
          .init(name: "branch", schema: .string(length: 1...1000), description: "The branch.", isRequired: true),
          .init(name: "language", schema: .string(length: 1...100), description: "Only this language."),
          Self.limit(1000, 200),
        ], response: .named("MissingStrings"), problems: [.conflict]
      ) { request in
        _ = try await summary(of: request.pipeline)
        return try await missing(request)
      },
      APIOperation(
        method: .get, path: "/pipelines/{pipeline}/deliveries", name: "listDeliveries",
        summary: "The commits that were delivered for a pipeline, newest first.", role: .viewer,
        query: [
          .init(name: "days", schema: .integer(1...3650), description: "The number of days to go back; 90 by default.")
        ],
        response: Self.list("deliveries", "Delivery")
      ) { request in
        _ = try await summary(of: request.pipeline)
        let days = try request.number("days", in: 1...3650, default: 90)
        return [
          "deliveries": try await model.deliveries(
            of: request.pipeline, since: daemon.now().addingTimeInterval(-86_400 * Double(days)))
        ]
      },
    ]
  }

  private func heads(of pipeline: String) async throws -> [Head] {
    try await daemon.store.heads(of: pipeline).map { Head(branch: $0.branch, commit: $0.commit, since: $0.created) }
  }

  private func missing(_ request: APIRequest) async throws -> MissingStrings {
    let branch = try request.branch()
    let limit = try request.number("limit", in: 1...1000, default: 200)
    let snapshot: Snapshot
    guard let definition = daemon.definition(of: request.pipeline) else { throw Self.noBranch }
    do {
      guard let found = try await daemon.snapshot(of: request.pipeline, branch: branch) else { throw Self.noBranch }
      snapshot = found
    } catch is InputFault {
      throw APIProblem(.conflict, "unreadable", "the newest commit of the branch cannot be read")
    }
    let language = request.text("language").map { LocaleIdentifier($0) }
    let missing = try await model.missing(
      in: snapshot, of: definition, branch: branch, languages: Set(language.map { [$0] } ?? []), limit: Int(limit))
    // Obstacles, such as an unreadable catalog, can be the reason why the language is missing. In this case the result is returned instead of an
    // error, because it contains the obstacles.
    if let language, missing.languages.isEmpty, snapshot.obstacles.isEmpty {
      throw APIProblem(.notFound, "language", missing.obstacles.first ?? "\(language) is not one of the languages")
    }
    return missing
  }

  private static var noBranch: APIProblem {
    APIProblem(.notFound, "branch", "the pipeline does not run, or does not watch this branch")
  }
}

extension APIRequest {
  fileprivate func branch() throws -> String {
    guard let branch = text("branch"), !branch.isEmpty else {
      throw APIProblem(.badRequest, "parameter", "branch is missing")
    }
    return branch
  }
}
