private import Foundation
private import Glibc
import LedgerStore
package import Localization
package import Pipeline
import PostgreSQLStore
package import ReadModel
import SQLiteStore
package import TranslationVendors

/// The operations of commands that read the ledger or record people's decisions, such as `dragoman rounds`, `held`, `explain`, `history`, `tokens`
/// and `pipelines pause`. The operations work on a store that a daemon may be using.
package struct RoundAdministration: Sendable {
  private let location: StoreLocation
  private let actor: Actor

  /// - Parameter actor: the person or program that the audit log names.
  package init(
    store location: StoreLocation, actor: Actor = Actor(name: Self.userName, way: .command)
  ) {
    self.location = location
    self.actor = actor
  }

  /// Creates the ledger of a store in a folder if the folder has none. An existing ledger, or a database, is not changed.
  package static func create(_ location: StoreLocation) throws {
    guard location.isLocal, !FileManager.default.fileExists(atPath: location.folder + "/ledger.sqlite") else { return }
    _ = try SQLiteStore(folder: location.folder)
  }

  /// The name of the account that runs this process, or the account's number if the account has no name.
  package static var userName: String {
    let name = NSUserName()
    return name.isEmpty ? "uid \(geteuid())" : name
  }

  /// Returns the queries that commands use. The queries work even while a daemon uses the store.
  package func model() throws -> ReadModel {
    let store = try OpenLedger.reading(location)
    return ReadModel(store: store, people: store, history: store)
  }

  /// Returns the decisions that people can make. A daemon that uses the store applies them within seconds.
  package func decisions() throws -> Decisions {
    let store = try OpenLedger.deciding(location)
    return Decisions(model: ReadModel(store: store, people: store, history: store), actor: actor)
  }

  /// Returns the rounds with their books, oldest first.
  package func list() async throws -> [Round] { try await model().rounds(of: nil) }

  /// Returns the costs of language models in rounds, as recorded on this machine.
  package func spending(of rounds: [Round]) throws -> [RoundSpending] {
    let numbers = Dictionary(grouping: rounds, by: \.pipeline).mapValues { Set($0.map(\.number)) }
    return try numbers.sorted { $0.key < $1.key }.flatMap { pipeline, numbers in
      try LLMBooks.spending(of: pipeline, in: location.vendorFolder(of: pipeline))
        .filter { numbers.contains($0.round) }
    }
  }

  /// Returns a round, its held units, and all its units with their provenance.
  package func show(_ id: RoundID) async throws -> (round: Round, held: [HeldUnit], units: [RoundUnit]) {
    let model = try model()
    let round = try await model.round(id)
    return (round, try await model.held(in: round), try await model.units(of: id))
  }

  /// Returns the histories of the strings with a key.
  /// - Parameters:
  ///   - pipeline: the name of the pipeline; `nil` for all pipelines.
  ///   - languages: the languages to include; empty for all languages.
  /// - Throws: an error with the nearest key if the ledger has no such string.
  package func histories(
    of key: String, in pipeline: String?, languages: Set<LocaleIdentifier>
  ) async throws -> [UnitHistory] {
    try await model().histories(of: key, in: pipeline, languages: languages)
  }

  /// Returns the history of watched branches, sorted by pipeline and branch.
  /// - Parameters:
  ///   - pipeline: the name of the pipeline; `nil` for all pipelines.
  ///   - branch: the name of the branch; `nil` for all watched branches.
  ///   - limit: the maximum number of commits of each branch.
  /// - Throws: an error if `pipeline` or `branch` is given, and no such branch is watched.
  package func history(of pipeline: String?, branch: String?, limit: Int) async throws -> [BranchHistory] {
    let store = try OpenLedger.reading(location)
    var found: [BranchHistory] = []
    for record in try await store.pipelines() where pipeline == nil || record.name == pipeline {
      for head in try await store.heads(of: record.name) where branch == nil || head.branch == branch {
        let commits = try await store.history(
          of: record.name, branch: head.branch, head: head.commit, limit: limit)
        found.append(
          BranchHistory(
            pipeline: record.name, branch: head.branch, head: head.commit, recorded: commits.first?.commit,
            commits: commits))
      }
    }
    guard found.isEmpty, pipeline != nil || branch != nil else { return found }
    let what = [pipeline.map { "pipeline \($0)" }, branch.map { "branch \($0)" }].compactMap(\.self)
    throw PipelineError(
      .notFound, operation: "show the history of \(what.joined(separator: ", "))",
      detail: "no such branch is watched; `dragoman history` shows all", disposition: .permanent)
  }

  /// Returns the records of a commit and its first parents, newest first and at most `limit`.
  package func history(of pipeline: String, from tip: CommitID, limit: Int) async throws -> [CommitRecord] {
    try await OpenLedger.reading(location).history(of: pipeline, from: tip, limit: limit)
  }

  /// Returns the held units of all pipelines.
  package func held() async throws -> [HeldUnit] { try await model().held(of: nil) }

  /// Returns the current problems: faults of pipeline files, and then the problems in the ledger, sorted by pipeline.
  package func problems() async throws -> [PipelineProblem] {
    var faults = FileFaults.read(location.folder)
    if let store = try OpenLedger.reading(location) as? PostgreSQLStore {
      faults = try await FileFaults.all(faults, and: store, StoredFileFaults(), now: Date())
    }
    return faults.map(\.problem) + (try await model().problems(of: nil))
  }

  /// Reviews a round's held units again, and resends the units that were withdrawn when the round was cancelled. Both happen in the next run.
  /// - Returns: the round before the change, and the number of its held units.
  @discardableResult
  package func retry(_ id: RoundID) async throws -> (round: Round, held: Int) { try await decisions().retry(id) }

  /// Withdraws the outstanding units of a round. The next run notifies the vendors.
  /// - Returns: the round before the change, whose outstanding units are now withdrawn.
  @discardableResult
  package func cancel(_ id: RoundID) async throws -> Round { try await decisions().cancel(id) }

  /// Returns the round that a user specified: `birds#2`, as in the list, or a number. The number is a round's `id` in JSON or its number in
  /// the pipeline.
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
        detail: "several rounds have this number: "
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

  private func noSuchRound(_ text: String) -> PipelineError { ReadModel.noSuchRound(text) }
}

extension Substring {
  fileprivate var trimmingSpaces: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}

/// The history of a watched branch, for display.
package struct BranchHistory: Hashable, Sendable, Codable {
  package var pipeline: String
  package var branch: String
  package var head: CommitID
  /// The newest commit that has a record. This commit is older than the head if the newest commits are not yet recorded; `nil` if no commit has a
  /// record.
  package var recorded: CommitID?
  /// The records of the newest commits, newest first.
  package var commits: [CommitRecord]
}
