private import Foundation
private import Glibc
package import Localization
package import Pipeline
package import ReadModel
import SQLiteStore

/// The operations of `dragoman rounds`, `held`, `explain` and `audit` on a store that a daemon may use at the same time.
package struct RoundAdministration: Sendable {
  private let location: StoreLocation
  private let actor: Actor

  /// - Parameter actor: who acts, for the audit log.
  package init(
    store location: StoreLocation, actor: Actor = Actor(name: Self.userName, way: .command)
  ) {
    self.location = location
    self.actor = actor
  }

  /// Creates the store if there is none. A store that is in use is left alone.
  package static func create(_ location: StoreLocation) throws {
    guard !FileManager.default.fileExists(atPath: location.folder + "/ledger.sqlite") else { return }
    _ = try SQLiteStore(folder: location.folder)
  }

  /// The name of the account that runs this process; its number if it has none.
  package static var userName: String {
    let name = NSUserName()
    return name.isEmpty ? "uid \(geteuid())" : name
  }

  /// What people look at. This works even while a daemon uses the store.
  package func model() throws -> ReadModel {
    let store = try SQLiteStore(reading: location.folder)
    return ReadModel(store: store, people: store)
  }

  /// What people decide. A daemon that uses the store picks decisions up within seconds.
  package func decisions() throws -> Decisions {
    let store = try SQLiteStore(deciding: location.folder)
    return Decisions(store: store, people: store, actor: actor)
  }

  /// Returns the rounds with their books, oldest first.
  package func list() async throws -> [Round] { try await model().rounds(of: nil) }

  /// Returns a round, its held units, and all its units with their provenance.
  package func show(_ id: RoundID) async throws -> (round: Round, held: [HeldUnit], units: [RoundUnit]) {
    let model = try model()
    let round = try await model.round(id)
    return (round, try await model.held(in: round), try await model.units(of: id))
  }

  /// Returns the lives of the strings with a key.
  /// - Parameters:
  ///   - pipeline: `nil` for all.
  ///   - languages: only these; empty for all.
  /// - Throws: also if the ledger has no such string, with the nearest key.
  package func histories(
    of key: String, in pipeline: String?, languages: Set<LocaleIdentifier>
  ) async throws -> [UnitHistory] {
    try await model().histories(of: key, in: pipeline, languages: languages)
  }

  /// Returns the held units of all pipelines.
  package func held() async throws -> [HeldUnit] { try await model().held(of: nil) }

  /// Returns the current problems, by pipeline and stage.
  package func problems() async throws -> [PipelineProblem] { try await model().problems(of: nil) }

  /// Reviews a round's held units again, and resends the units that were withdrawn when it was cancelled. Both happen in the next run.
  /// - Returns: the round before the change, and the number of its held units.
  @discardableResult
  package func retry(_ id: RoundID) async throws -> (round: Round, held: Int) { try await decisions().retry(id) }

  /// Withdraws the outstanding units of a round. The next run notifies the vendors.
  /// - Returns: the round before the change. Its outstanding units are withdrawn now.
  @discardableResult
  package func cancel(_ id: RoundID) async throws -> Round { try await decisions().cancel(id) }

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

  private func noSuchRound(_ text: String) -> PipelineError { ReadModel.noSuchRound(text) }
}

extension Substring {
  fileprivate var trimmingSpaces: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
