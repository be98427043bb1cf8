package import FoundationEssentials
import Localization
package import Pipeline

/// The figures of one pipeline in the list of all pipelines.
package struct PipelineSummary: Hashable, Sendable, Encodable {
  package var name: String
  package var pause: PipelinePause?
  /// The reason why the repository cannot be read or the pipeline cannot start.
  package var fault: FailureRecord?
  /// The number of outstanding units, in units × languages.
  package var outstanding: Int
  package var held: Int
  package var failedJobs: Int
  /// The number of jobs whose last run has findings, such as a catalog that cannot be read.
  package var findings: Int
  package var rounds: Int
  package var lastDelivery: Date?
  /// The number of translated units × languages of the watched branches. Like `total`, it is 0 until a branch was read.
  package var translated: Int
  package var total: Int
  package var branches: Int

  package init(
    name: String, pause: PipelinePause? = nil, fault: FailureRecord? = nil, outstanding: Int = 0, held: Int = 0,
    failedJobs: Int = 0, findings: Int = 0, rounds: Int = 0, lastDelivery: Date? = nil, translated: Int = 0,
    total: Int = 0,
    branches: Int = 0
  ) {
    self.name = name
    self.pause = pause
    self.fault = fault
    self.outstanding = outstanding
    self.held = held
    self.failedJobs = failedJobs
    self.findings = findings
    self.rounds = rounds
    self.lastDelivery = lastDelivery
    self.translated = translated
    self.total = total
    self.branches = branches
  }

  /// The completion in tenths of a percent, rounded down; `nil` if there is nothing to translate.
  package var tenths: Int? { total == 0 ? nil : translated * 1000 / total }
}

/// A part of the list of all pipelines.
package struct Portfolio: Sendable {
  /// The totals of all pipelines, not only of this part.
  package var totals: PortfolioTotals
  /// The pipelines of this part, sorted by name.
  package var pipelines: [PipelineSummary]
  /// Whether there are more pipelines after these.
  package var hasMore: Bool

  package init(totals: PortfolioTotals, pipelines: [PipelineSummary], hasMore: Bool) {
    self.totals = totals
    self.pipelines = pipelines
    self.hasMore = hasMore
  }
}

extension ReadModel {
  /// Returns a part of the list of all pipelines in the ledger: the first pipelines after a name. The totals include all pipelines.
  /// - Parameter name: the name of the last pipeline of the previous part; `nil` to start with the first pipeline.
  package func portfolio(after name: String?, limit: Int) async throws -> Portfolio {
    let part = try await people.portfolio(after: name, limit: limit)
    let completions = Dictionary(grouping: part.completions, by: \.pipeline)
    return Portfolio(
      totals: part.totals,
      pipelines: part.records.map {
        summary($0, part.standings[$0.name], part.controls[$0.name], completions[$0.name] ?? [])
      }, hasMore: part.hasMore)
  }

  /// Returns all pipelines in the ledger, sorted by name.
  package func pipelines() async throws -> [PipelineSummary] {
    let standings = try await people.standings(of: nil)
    let controls = try await people.controls(of: nil)
    let completions = Dictionary(grouping: try await people.completions(of: nil), by: \.pipeline)
    return try await store.pipelines().map { record in
      summary(record, standings[record.name], controls[record.name], completions[record.name] ?? [])
    }
  }

  /// Returns the figures of a pipeline.
  /// - Returns: `nil` if the ledger has no pipeline with this name.
  package func pipeline(_ name: String) async throws -> PipelineSummary? {
    guard let record = try await people.record(of: name) else { return nil }
    return summary(
      record, try await people.standings(of: name)[name], try await people.controls(of: name)[name],
      try await people.completions(of: name))
  }

  private func summary(
    _ record: PipelineRecord, _ standing: PipelineStanding?, _ control: PipelineControl?,
    _ completions: [BranchCompletion]
  ) -> PipelineSummary {
    let languages = completions.flatMap(\.languages)
    return PipelineSummary(
      name: record.name, pause: control?.pause, fault: record.watchFault, outstanding: standing?.outstanding ?? 0,
      held: standing?.held ?? 0, failedJobs: standing?.failedJobs ?? 0,
      findings: standing?.findings ?? 0, rounds: standing?.rounds ?? 0, lastDelivery: standing?.lastDelivery,
      translated: languages.reduce(0) { $0 + $1.translated },
      total: languages.reduce(0) { $0 + $1.total }, branches: completions.count)
  }

  /// Returns the newest completion of each watched branch.
  package func completion(of pipeline: String) async throws -> [BranchCompletion] {
    try await people.completions(of: pipeline)
  }

  /// Returns the completion of a branch today and on the `days` days before today, without days on which no completion was recorded, oldest first.
  /// Days begin at midnight UTC.
  package func completionHistory(
    of pipeline: String, branch: String, days: Int, now: Date
  ) async throws -> [BranchCompletion] {
    try await people.completionHistory(
      of: pipeline, branch: branch, since: Int(now.timeIntervalSince1970 / 86_400) - days)
  }
}
