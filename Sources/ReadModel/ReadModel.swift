package import FoundationEssentials
package import Localization
package import Pipeline

/// The queries that the command line, the API and the dashboard share. These queries change nothing.
package struct ReadModel: Sendable {
  package let store: any Store
  package let people: any PeopleStore
  package let history: any CommitHistoryStore

  package init(store: any Store, people: any PeopleStore, history: any CommitHistoryStore) {
    self.store = store
    self.people = people
    self.history = history
  }

  // MARK: Rounds

  /// Returns the rounds of a pipeline, or of all pipelines if `pipeline` is `nil`, with their books, oldest first.
  package func rounds(of pipeline: String?) async throws -> [Round] { try await store.rounds(of: pipeline) }

  /// Returns the newest rounds, newest first.
  /// - Parameter id: the round before which to start; `nil` to start with the newest round.
  package func rounds(of pipeline: String?, before id: RoundID?, limit: Int) async throws -> [Round] {
    try await people.rounds(of: pipeline, before: id, limit: limit)
  }

  /// Returns a round with its books.
  /// - Throws: `PipelineError` if no round has this id.
  package func round(_ id: RoundID) async throws -> Round {
    guard id.rawValue < .max,
      let round = try await people.rounds(of: nil, before: RoundID(rawValue: id.rawValue + 1), limit: 1).first,
      round.id == id
    else { throw Self.noSuchRound(String(id.rawValue)) }
    return round
  }

  /// Returns the units of a round with their provenance, sorted by catalog and key.
  package func units(of id: RoundID) async throws -> [RoundUnit] { try await store.units(of: id) }

  /// Returns a part of the units of a round, sorted by catalog and key.
  /// - Parameter start: the number of units to skip.
  package func units(of id: RoundID, from start: Int, limit: Int) async throws -> [RoundUnit] {
    try await people.units(of: id, from: start, limit: limit)
  }

  /// Returns the commits that added the strings of a round.
  package func origins(of id: RoundID) async throws -> [RoundOrigin] {
    RoundOrigin.all(of: try await people.origins(of: id))
  }

  package static func noSuchRound(_ text: String) -> PipelineError {
    PipelineError(
      .notFound, operation: "find round \(text)", detail: "no such round; see `dragoman rounds list`",
      disposition: .permanent)
  }

  // MARK: Held units

  /// Checks that the ledger has a pipeline with this name.
  /// - Throws: `PipelineError` with the nearest name if the ledger has no such pipeline.
  package func checkPipeline(_ name: String) async throws {
    let names = try await store.pipelines().map(\.name)
    guard !names.contains(name) else { return }
    throw PipelineError(
      .notFound, operation: "find pipeline \(name)",
      detail: "no pipeline with this name has run yet" + NearestName.suffix(name, names), disposition: .permanent)
  }

  package func held(of pipeline: String?) async throws -> [HeldUnit] { try await store.heldUnits(of: pipeline) }

  package func held(in round: Round) async throws -> [HeldUnit] {
    try await store.heldUnits(of: round.pipeline).filter { $0.round == round.id }
  }

  /// Returns a held unit with its forms.
  /// - Parameter branch: a branch on which the unit is held; `nil` for the first such branch.
  /// - Throws: `PipelineError` if nothing with this id is held.
  package func held(_ id: ReturnedUnitID, on branch: String?) async throws -> HeldDetails {
    let missing = PipelineError.notHeld(id, on: branch)
    guard let stored = try await people.returnedUnit(id) else { throw missing }
    let held = try await store.heldUnits(of: stored.pipeline).filter { $0.id == id }
    guard let unit = branch.map({ branch in held.first { $0.branch == branch } }) ?? held.first else { throw missing }
    return HeldDetails(unit: unit, forms: stored.unit.units.map(HeldDetails.Form.init))
  }

  // MARK: Strings

  /// The maximum number of commits that are shown for a string.
  private static let commitLimit = 200

  /// Returns the histories of the strings with a key.
  /// - Parameters:
  ///   - pipeline: the name of the pipeline; `nil` for all pipelines.
  ///   - languages: the languages to include; empty for all languages.
  /// - Throws: an error with the nearest key if the ledger has no such string.
  package func histories(
    of key: String, in pipeline: String?, languages: Set<LocaleIdentifier>
  ) async throws -> [UnitHistory] {
    let found = try await lives(of: UnitKey(key), in: pipeline, languages: languages)
    guard found.isEmpty else { return found }
    let place = pipeline.map { " of pipeline \($0)" } ?? ""
    throw PipelineError(
      .notFound, operation: "explain \(key.debugDescription)",
      detail: "no string with this key was ever sent, returned or changed\(place)"
        + NearestName.suffix(key, try await people.someKeys(of: pipeline, limit: 20_000)), disposition: .permanent)
  }

  /// Returns the histories of the strings with a key; empty if the ledger has no such string.
  func lives(
    of key: UnitKey, in pipeline: String?, languages: Set<LocaleIdentifier>
  ) async throws -> [UnitHistory] {
    var found = try await people.histories(of: key, in: pipeline, languages: languages)
    for commit in try await history.commits(changing: key, of: pipeline, limit: Self.commitLimit) {
      if let place = found.firstIndex(where: { $0.pipeline == commit.pipeline && $0.unit == commit.change.unit }) {
        found[place].commits.append(commit)
      } else {
        found.append(UnitHistory(pipeline: commit.pipeline, unit: commit.change.unit, commits: [commit]))
      }
    }
    return found
  }

  /// Returns at most `limit` sent units whose key or newest source text contains the given text. Case is ignored.
  package func search(_ text: String, in pipeline: String?, limit: Int) async throws -> [FoundUnit] {
    try await people.units(containing: text, in: pipeline, limit: limit)
  }

  // MARK: Problems

  /// Returns the current problems, sorted by pipeline: pauses, repositories that cannot be read, pipelines that cannot start, jobs that failed or
  /// wait for a retry, and findings that stay valid until their job runs again. Faults of pipeline files are not included.
  package func problems(of pipeline: String?) async throws -> [PipelineProblem] {
    var problems: [PipelineProblem] = []
    let records =
      if let pipeline { try await people.record(of: pipeline).map { [$0] } ?? [] } else { try await store.pipelines() }
    let controls = try await people.controls(of: pipeline)
    for record in records {
      if let pause = controls[record.name]?.pause { problems.append(PipelineProblem(pipeline: record.name, pause)) }
      if let fault = record.watchFault {
        problems.append(PipelineProblem(pipeline: record.name, stage: .watch, scope: "", fault, retry: .soon))
      }
      for job in try await store.jobs(of: record.name) {
        if case .failed(let failure) = job.state {
          problems.append(
            PipelineProblem(pipeline: record.name, stage: job.stage, scope: job.scope, failure, retry: .often))
        }
        problems += job.findings.map { PipelineProblem(pipeline: record.name, job, $0) }
      }
    }
    return problems
  }

  // MARK: Deliveries and actions

  /// Returns the deliveries of a pipeline since a given time, newest first.
  package func deliveries(of pipeline: String, since: Date) async throws -> [Delivery] {
    try await store.deliveries(of: pipeline, since: since).reversed()
  }

  /// Returns the entries of the audit log, newest first.
  package func audit(of pipeline: String?, before id: AuditID?, limit: Int) async throws -> [AuditEntry] {
    try await people.audit(of: pipeline, before: id, limit: limit)
  }
}

/// A held unit with its forms, for a person who edits them.
package struct HeldDetails: Hashable, Sendable, Encodable {
  package struct Form: Hashable, Sendable, Encodable {
    /// The name of the form, such as `plural.one`; empty for a text that does not vary.
    package var form: String
    package var source: String
    package var target: String

    init(_ unit: ExchangeUnit) {
      form = unit.path.text
      source = unit.source?.plain ?? ""
      target = unit.target?.text.plain ?? ""
    }
  }

  package var unit: HeldUnit
  package var forms: [Form]

  /// Whether a person may take the unit unchanged, despite the reason for which it is held.
  package var mayBeTaken: Bool { unit.reason.map { Decisions.overrulable.contains($0.code) } ?? false }

  private enum CodingKeys: String, CodingKey { case unit, forms, mayBeTaken }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(unit, forKey: .unit)
    try container.encode(forms, forKey: .forms)
    try container.encode(mayBeTaken, forKey: .mayBeTaken)
  }
}
