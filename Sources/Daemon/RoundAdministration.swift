package import FoundationEssentials
import Localization
package import Pipeline
import SQLiteStore

/// What `dragoman rounds` shows and does.
package struct RoundAdministration: Sendable {
  private let location: StoreLocation

  package init(store location: StoreLocation) { self.location = location }

  /// Rounds with their books, oldest first. Also while a daemon uses the store.
  package func list() async throws -> [Round] { try await SQLiteStore(reading: location.folder).rounds(of: nil) }

  /// A round, its held units, and all its units with where they came from.
  package func show(_ id: RoundID) async throws -> (round: Round, held: [HeldUnit], units: [RoundUnit]) {
    let store = try SQLiteStore(reading: location.folder)
    guard let round = try await store.rounds(of: nil).first(where: { $0.id == id }) else { throw noSuchRound(id) }
    let held = try await store.heldUnits(of: round.pipeline).filter { $0.round == id }
    return (round, held, try await store.units(of: id))
  }

  /// The jobs that failed, of all pipelines, by pipeline and stage. They are tried again every 15 minutes, and when something changes.
  package func problems() async throws -> [JobProblem] {
    let store = try SQLiteStore(reading: location.folder)
    var problems: [JobProblem] = []
    for pipeline in Set(try await store.rounds(of: nil).map(\.pipeline)).sorted() {
      for job in try await store.jobs(of: pipeline) {
        guard case .failed(let failure) = job.state else { continue }
        problems.append(
          JobProblem(pipeline: pipeline, stage: job.stage, scope: job.scope, message: failure.message, at: failure.at))
      }
    }
    return problems
  }

  /// Takes up a round's held units again, and sends again what was withdrawn when it was cancelled; the next run does both.
  /// - Returns: the round as it was, and how many of its units were held.
  @discardableResult
  package func retry(_ id: RoundID) async throws -> (round: Round, held: Int) {
    let store = try SQLiteStore(folder: location.folder)
    guard let round = try await store.rounds(of: nil).first(where: { $0.id == id }) else { throw noSuchRound(id) }
    let held = try await store.heldUnits(of: round.pipeline).count { $0.round == id }
    try await store.retryRound(id)
    return (round, held)
  }

  /// Withdraws what a round has outstanding; the next run tells the vendors.
  /// - Returns: the round as it was: what it had outstanding is withdrawn now.
  @discardableResult
  package func cancel(_ id: RoundID) async throws -> Round {
    let store = try SQLiteStore(folder: location.folder)
    guard let round = try await store.rounds(of: nil).first(where: { $0.id == id }) else { throw noSuchRound(id) }
    try await store.cancelRound(id)
    return round
  }

  /// The round that a person means: `birds#2`, as the list shows it, or the number that JSON has as `id`.
  package func find(_ text: String) async throws -> RoundID {
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let rounds = try await list()
    let found = rounds.first { round in
      parts.count == 2
        ? round.pipeline == parts[0].trimmingSpaces && String(round.number) == parts[1].trimmingSpaces
        : String(round.id.rawValue) == text
    }
    guard let found else { throw noSuchRound(text) }
    return found.id
  }

  private func noSuchRound(_ id: RoundID) -> PipelineError { noSuchRound(String(id.rawValue)) }

  private func noSuchRound(_ text: String) -> PipelineError {
    PipelineError(
      .notFound, operation: "find round \(text)",
      detail: "there is no such round; 'dragoman rounds list' names those there are", disposition: .permanent)
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}

/// A job that failed, as people are shown it.
package struct JobProblem: Sendable, CustomStringConvertible {
  package var pipeline: String
  package var stage: Stage
  /// The branch or vendor; empty for a comparison.
  package var scope: String
  package var message: String
  package var at: Date

  /// `birds deliver main: error: the server refused: … (2026-11-22T12:03:04Z; tried again every 15 min)`.
  package var description: String {
    let place = [pipeline, stage.rawValue, scope].filter { !$0.isEmpty }.joined(separator: " ")
    return "\(place): error: \(message) (\(at.formatted(.iso8601)); tried again every 15 min)".withVisibleControls
  }
}
