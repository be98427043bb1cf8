package import FoundationEssentials
import LedgerStore
package import Localization
package import Pipeline

/// The operations of `dragoman rounds`.
package struct RoundAdministration: Sendable {
  private let location: StoreLocation

  package init(store location: StoreLocation) { self.location = location }

  /// Returns the rounds with their books, oldest first. This works even while a daemon uses the store.
  package func list() async throws -> [Round] { try await OpenLedger.reading(location).rounds(of: nil) }

  /// Returns a round, its held units, and all its units with their provenance.
  package func show(_ id: RoundID) async throws -> (round: Round, held: [HeldUnit], units: [RoundUnit]) {
    let store = try OpenLedger.reading(location)
    guard let round = try await store.rounds(of: nil).first(where: { $0.id == id }) else { throw noSuchRound(id) }
    let held = try await store.heldUnits(of: round.pipeline).filter { $0.round == id }
    return (round, held, try await store.units(of: id))
  }

  /// Returns the lives of the strings with a key.
  /// - Parameters:
  ///   - pipeline: `nil` for all.
  ///   - languages: only these; empty for all.
  /// - Throws: also if the ledger has no such string, with the nearest key.
  package func histories(
    of key: String, in pipeline: String?, languages: Set<LocaleIdentifier>
  ) async throws -> [UnitHistory] {
    let store = try OpenLedger.reading(location)
    var found = try await store.histories(of: UnitKey(key), in: pipeline, languages: languages)
    let commits = try await store.commits(changing: UnitKey(key), of: pipeline, limit: Self.commitLimit)
    for commit in commits {
      if let place = found.firstIndex(where: { $0.pipeline == commit.pipeline && $0.unit == commit.change.unit }) {
        found[place].commits.append(commit)
      } else {
        found.append(UnitHistory(pipeline: commit.pipeline, unit: commit.change.unit, commits: [commit]))
      }
    }
    guard found.isEmpty else { return found }
    let place = pipeline.map { " of pipeline \($0)" } ?? ""
    throw PipelineError(
      .notFound, operation: "explain \(key.debugDescription)",
      detail: "no string with this key was ever sent, returned or changed\(place)"
        + NearestName.suffix(key, try await store.someKeys(of: pipeline, limit: 20_000)), disposition: .permanent)
  }

  /// How many commits of one string are shown.
  private static let commitLimit = 200

  /// Returns the history of watched branches, sorted by pipeline and branch.
  /// - Parameters:
  ///   - pipeline: `nil` for all.
  ///   - branch: `nil` for all.
  ///   - limit: how many commits of each branch to follow.
  /// - Throws: if no such branch is watched.
  package func history(of pipeline: String?, branch: String?, limit: Int) async throws -> [BranchHistory] {
    let store = try OpenLedger.reading(location)
    var found: [BranchHistory] = []
    for record in try await store.pipelines() where pipeline == nil || record.name == pipeline {
      for head in try await store.heads(of: record.name) where branch == nil || head.branch == branch {
        found.append(
          BranchHistory(
            pipeline: record.name, branch: head.branch, head: head.commit,
            commits: try await store.history(of: record.name, from: head.commit, limit: limit)))
      }
    }
    guard found.isEmpty, pipeline != nil || branch != nil else { return found }
    let what = [pipeline.map { "pipeline \($0)" }, branch.map { "branch \($0)" }].compactMap(\.self)
    throw PipelineError(
      .notFound, operation: "show the history of \(what.joined(separator: ", "))",
      detail: "no such branch is watched; `dragoman history` shows all", disposition: .permanent)
  }

  /// Returns the records of a commit and its first parents, newest first.
  package func history(of pipeline: String, from tip: CommitID, limit: Int) async throws -> [CommitRecord] {
    try await OpenLedger.reading(location).history(of: pipeline, from: tip, limit: limit)
  }

  /// Returns the held units of all pipelines.
  package func held() async throws -> [HeldUnit] {
    try await OpenLedger.reading(location).heldUnits(of: nil)
  }

  /// Returns the current problems, by pipeline and stage: repositories that cannot be read, jobs that failed or wait for a retry, and
  /// findings that stay valid until their job runs again.
  package func problems() async throws -> [PipelineProblem] {
    let store = try OpenLedger.reading(location)
    var problems: [PipelineProblem] = []
    for pipeline in try await store.pipelines() {
      if let fault = pipeline.watchFault {
        problems.append(PipelineProblem(pipeline: pipeline.name, stage: .watch, scope: "", fault, retry: .soon))
      }
      for job in try await store.jobs(of: pipeline.name) {
        if case .failed(let failure) = job.state {
          problems.append(
            PipelineProblem(pipeline: pipeline.name, stage: job.stage, scope: job.scope, failure, retry: .often))
        }
        problems += job.findings.map { PipelineProblem(pipeline: pipeline.name, job, $0) }
      }
    }
    return problems
  }

  /// Reviews a round's held units again, and resends the units that were withdrawn when it was cancelled. Both happen in the next run.
  /// - Returns: the round before the change, and the number of its held units.
  @discardableResult
  package func retry(_ id: RoundID) async throws -> (round: Round, held: Int) {
    let store = try OpenLedger.deciding(location)
    guard let round = try await store.rounds(of: nil).first(where: { $0.id == id }) else { throw noSuchRound(id) }
    let held = try await store.heldUnits(of: round.pipeline).count { $0.round == id }
    try await store.retryRound(id)
    return (round, held)
  }

  /// Withdraws the outstanding units of a round. The next run notifies the vendors.
  /// - Returns: the round before the change. Its outstanding units are withdrawn now.
  @discardableResult
  package func cancel(_ id: RoundID) async throws -> Round {
    let store = try OpenLedger.deciding(location)
    guard let round = try await store.rounds(of: nil).first(where: { $0.id == id }) else { throw noSuchRound(id) }
    try await store.cancelRound(id)
    return round
  }

  /// Returns the round that a user specified: `birds#2`, as in the list, or a number, which is a round's `id` in JSON or its number.
  ///
  /// A number that matches several rounds is an error.
  package func find(_ text: String) async throws -> RoundID {
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmingSpaces)
    let rounds = try await list()
    guard parts.count == 1 else {
      guard let found = rounds.first(where: { $0.pipeline == parts[0] && String($0.number) == parts[1] }) else {
        throw noSuchRound(text)
      }
      return found.id
    }
    let found = rounds.filter { String($0.id.rawValue) == parts[0] || String($0.number) == parts[0] }
    guard found.count < 2 else {
      throw PipelineError(
        .notFound, operation: "find round \(text)",
        detail: "this number fits several rounds: "
          + found.prefix(5).map { "\($0.pipeline)#\($0.number)" }.joined(separator: ", ")
          + ". Give one of these names", disposition: .askPerson)
    }
    if let last = rounds.last(where: { $0.pipeline == parts[0] }) {
      throw PipelineError(
        .notFound, operation: "find round \(text)",
        detail: "this is a pipeline. Give one of its rounds, such as \(last.pipeline)#\(last.number), without a space",
        disposition: .askPerson)
    }
    guard let only = found.first else { throw noSuchRound(text) }
    return only.id
  }

  private func noSuchRound(_ id: RoundID) -> PipelineError { noSuchRound(String(id.rawValue)) }

  private func noSuchRound(_ text: String) -> PipelineError {
    PipelineError(
      .notFound, operation: "find round \(text)",
      detail: "no such round; see `dragoman rounds list`", disposition: .permanent)
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}

/// The history of a watched branch, for display.
package struct BranchHistory: Hashable, Sendable, Codable {
  package var pipeline: String
  package var branch: String
  package var head: CommitID
  /// Newest first. Empty if the head has no record yet.
  package var commits: [CommitRecord]
}

/// A current problem of a pipeline, for display.
package struct PipelineProblem: Hashable, Sendable, Codable, CustomStringConvertible {
  /// When the problem is retried automatically.
  package enum Retry: String, Hashable, Sendable, Codable {
    /// Tried again with the next look, or when the job is due.
    case soon
    /// Tried again every 15 minutes, and when something changes.
    case often = "every 15 min"
    /// Not retried until the file in question changes.
    case change
  }

  package var pipeline: String
  package var stage: Stage
  /// The branch or vendor; empty for the stages watch and diff.
  package var scope: String
  package var severity: Diagnostic.Severity
  package var message: String
  /// Since when the repository cannot be read, or when the job failed.
  package var since: Date?
  package var retry: Retry

  init(pipeline: String, stage: Stage, scope: String, _ failure: FailureRecord, retry: Retry) {
    (self.pipeline, self.stage, self.scope) = (pipeline, stage, scope)
    (severity, message, since, self.retry) = (.error, failure.message, failure.at, retry)
  }

  /// A finding about the whole pipeline has the pipeline's name as its path.
  init(pipeline: String, _ job: Job, _ finding: Diagnostic) {
    (self.pipeline, stage, scope, severity) = (pipeline, job.stage, job.scope, finding.severity)
    let place = finding.path == pipeline ? "" : finding.place + ": "
    message = place + finding.message + (finding.hint.map { "; " + $0 } ?? "")
    retry = job.state.name == .queued ? .soon : .change
  }

  /// `birds deliver main: error: the server refused: … (2026-11-22T12:03:04Z; tried again every 15 min)`.
  package var description: String {
    let place = [pipeline, stage.rawValue, scope].filter { !$0.isEmpty }.joined(separator: " ")
    let time = since.map { $0.formatted(.iso8601) }
    let next: String? =
      switch retry {
      case .soon: "will be retried"
      case .often: "retried every 15 min"
      case .change: nil
      }
    let rest = [time, next].compactMap(\.self).joined(separator: "; ")
    return ("\(place): \(severity.rawValue): \(message)" + (rest.isEmpty ? "" : " (\(rest))")).withVisibleControls
  }
}
