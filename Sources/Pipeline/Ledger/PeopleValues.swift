package import FoundationEssentials
package import Localization

/// A unit that matches a search.
package struct FoundUnit: Hashable, Sendable, Codable {
  package var pipeline: String
  package var unit: UnitID
  /// The newest source text that was sent. Forms are separated by line breaks.
  package var text: String

  package init(pipeline: String, unit: UnitID, text: String) {
    self.pipeline = pipeline
    self.unit = unit
    self.text = text
  }
}

/// The figures of a pipeline for overviews. `outstanding` is counted in units × languages, and `held` in units × languages × watched branches.
package struct PipelineStanding: Hashable, Sendable {
  package var outstanding = 0
  package var held = 0
  package var failedJobs = 0
  /// The number of jobs whose last run left findings.
  package var findings = 0
  package var rounds = 0
  package var lastDelivery: Date?

  package init() {}
}

/// The totals of all pipelines.
package struct PortfolioTotals: Hashable, Sendable {
  package var pipelines: Int
  /// The outstanding units × languages. `held` counts units × languages × watched branches.
  package var outstanding: Int
  package var held: Int
  /// The number of pipelines that have a fault (`PipelineRecord.watchFault`), a failed job or a job with findings.
  package var withProblem: Int

  package init(pipelines: Int, outstanding: Int, held: Int, withProblem: Int) {
    self.pipelines = pipelines
    self.outstanding = outstanding
    self.held = held
    self.withProblem = withProblem
  }
}

/// Some pipelines with their figures, and the totals of all pipelines.
package struct PortfolioRecords: Hashable, Sendable {
  package var totals: PortfolioTotals
  /// The pipelines, sorted by name.
  package var records: [PipelineRecord]
  package var standings: [String: PipelineStanding]
  package var controls: [String: PipelineControl]
  package var completions: [BranchCompletion]
  /// Whether there are more pipelines after these.
  package var hasMore: Bool

  package init(
    totals: PortfolioTotals, records: [PipelineRecord], standings: [String: PipelineStanding],
    controls: [String: PipelineControl], completions: [BranchCompletion], hasMore: Bool
  ) {
    self.totals = totals
    self.records = records
    self.standings = standings
    self.controls = controls
    self.completions = completions
    self.hasMore = hasMore
  }
}

/// A returned unit as it is stored, with all data for storing another version of the unit.
package struct StoredReturn: Sendable {
  package var pipeline: String
  package var vendor: String
  package var bundle: String
  package var received: Date
  package var unit: NewReturnedUnit

  package init(pipeline: String, vendor: String, bundle: String, received: Date, unit: NewReturnedUnit) {
    self.pipeline = pipeline
    self.vendor = vendor
    self.bundle = bundle
    self.received = received
    self.unit = unit
  }
}

/// The completion of a branch's languages on one day.
package struct BranchCompletion: Hashable, Sendable {
  package var pipeline: String
  package var branch: String
  /// The day, in days since 1970, UTC.
  package var day: Int
  package var commit: CommitID
  /// The completion of each language, sorted by language. `stale` and `fallback` are not stored.
  package var languages: [LanguageCompletion]

  package init(pipeline: String, branch: String, day: Int, commit: CommitID, languages: [LanguageCompletion]) {
    self.pipeline = pipeline
    self.branch = branch
    self.day = day
    self.commit = commit
    self.languages = languages
  }
}

/// A pipeline's pause, with its reason and beginning.
package struct PipelinePause: Hashable, Sendable, Codable {
  package var since: Date
  package var by: String
  package var reason: String?

  package init(since: Date, by: String, reason: String?) {
    self.since = since
    self.by = by
    self.reason = reason
  }
}

/// What people requested for a pipeline: a pause, and checks of its repository.
package struct PipelineControl: Hashable, Sendable {
  package var pause: PipelinePause?
  /// The number of requests to check the repository so far.
  package var looks: Int64

  package init(pause: PipelinePause? = nil, looks: Int64 = 0) {
    self.pause = pause
    self.looks = looks
  }
}

extension PipelineError {
  /// Returns the error for a decision about a unit that is not held, or no longer held.
  package static func notHeld(_ id: ReturnedUnitID, on branch: String?) -> PipelineError {
    PipelineError(
      .notFound, operation: "find held unit \(id.rawValue)",
      detail: "nothing with this id is held\(branch.map { " on branch \($0)" } ?? ""); see `dragoman held`",
      disposition: .permanent)
  }
}
