package import Localization

/// The store for queries and decisions by people: search, completion over time, decisions about held units, pauses, tokens of the API, and
/// the audit log. The two SQL stores implement it (`SQLLedger`); `StoreConformance.peopleChecks` tests its guarantees.
///
/// Each method runs in one transaction. Any process may write decisions. The process that runs the pipeline applies them within seconds.
package protocol PeopleStore: Sendable {
  // MARK: Queries

  /// Returns the histories of all strings with a key, sorted by pipeline and catalog. The `commits` of the histories are empty.
  /// - Parameters:
  ///   - pipeline: the pipeline to search; `nil` for all pipelines.
  ///   - languages: the languages whose sent and returned units are included; empty for all languages.
  func histories(
    of key: UnitKey, in pipeline: String?, languages: Set<LocaleIdentifier>
  ) async throws -> [UnitHistory]

  /// Returns keys of sent units, as suggestions.
  func someKeys(of pipeline: String?, limit: Int) async throws -> [String]

  /// Returns at most `limit` sent units whose key or newest source text contains a text, sorted by pipeline, catalog and key. Case is
  /// ignored.
  func units(containing text: String, in pipeline: String?, limit: Int) async throws -> [FoundUnit]

  /// Returns a pipeline's own data in the ledger.
  /// - Returns: `nil` if the ledger has no pipeline with this name.
  func record(of pipeline: String) async throws -> PipelineRecord?

  /// Returns the next pipelines after a name, with their figures and the totals of all pipelines.
  /// - Parameter name: `nil` to begin with the first pipeline.
  func portfolio(after name: String?, limit: Int) async throws -> PortfolioRecords

  /// Returns the figures of pipelines, by name; for all pipelines if `pipeline` is `nil`. A pipeline is left out if all its figures are 0.
  func standings(of pipeline: String?) async throws -> [String: PipelineStanding]

  /// Returns the newest rounds with their books, newest first; of all pipelines if `pipeline` is `nil`.
  /// - Parameter id: only rounds before this round are returned; `nil` for all.
  func rounds(of pipeline: String?, before id: RoundID?, limit: Int) async throws -> [Round]

  /// Returns a page of the units of a round, sorted by catalog and key.
  /// - Parameter start: the number of units to skip.
  func units(of round: RoundID, from start: Int, limit: Int) async throws -> [RoundUnit]

  /// Counts the units of a round by the commit that added them (`nil` if it is unknown), in no particular order.
  func origins(of round: RoundID) async throws -> [(provenance: Provenance?, units: Int)]

  /// Returns the pipeline of a round; `nil` if there is no such round.
  func pipeline(of round: RoundID) async throws -> String?

  /// Returns a returned unit; `nil` if there is no unit with this id.
  func returnedUnit(_ id: ReturnedUnitID) async throws -> StoredReturn?

  /// Records the completion of a branch's languages for today, by the store's clock. Replaces the branch's values of the same day, and deletes
  /// those that are older than two years.
  func noteCompletion(
    _ languages: [LanguageCompletion], of pipeline: String, branch: String, commit: CommitID
  ) async throws

  /// Returns the newest completion of each branch that is watched now, for all pipelines if `pipeline` is `nil`.
  func completions(of pipeline: String?) async throws -> [BranchCompletion]

  /// Returns the completion of a branch on each day since `day` on which it was recorded, oldest first.
  /// - Parameter day: days since 1970.
  func completionHistory(of pipeline: String, branch: String, since day: Int) async throws -> [BranchCompletion]

  // MARK: Decisions

  /// Overrules a reason for holding a unit that is held or not yet reviewed. The next merge accepts the unit unless there is another reason
  /// for holding it.
  /// - Parameter reason: a `HoldReason.code`.
  /// - Throws: `PipelineError` if the unit does not exist, or has an outcome other than `held`.
  func overrule(_ reason: String, for id: ReturnedUnitID, on branch: String) async throws

  /// Returns the codes of the reasons that people overruled, by unit.
  func overruled(of pipeline: String, branch: String) async throws -> [ReturnedUnitID: Set<String>]

  /// Discards a held unit: the unit is passed over on the branch, and its string is sent again if it is still untranslated. Throws
  /// `PipelineError` if the unit is not held.
  func drop(_ id: ReturnedUnitID, on branch: String) async throws

  /// Pauses a pipeline; `nil` resumes it. The pipeline's files, books and heads are kept.
  func setPause(_ pause: PipelinePause?, of pipeline: String) async throws

  /// Records a request to the daemon to check a pipeline's repository now.
  func requestLook(at pipeline: String) async throws

  /// Returns the pauses and the number of requests to check the repository, by pipeline; for all pipelines if `pipeline` is `nil`.
  /// Pipelines with neither are left out.
  func controls(of pipeline: String?) async throws -> [String: PipelineControl]

  // MARK: Audit log

  /// Records an action before it is carried out. `settleAudit` records its result; an entry without a result belongs to an action that is
  /// still running or was interrupted.
  func beginAudit(_ action: AuditAction) async throws -> AuditID

  func settleAudit(_ id: AuditID, outcome: String) async throws

  /// Returns entries of the audit log, newest first.
  /// - Parameters:
  ///   - pipeline: the pipeline whose entries are returned; `nil` for all entries.
  ///   - id: only entries before this entry are returned; `nil` for the newest.
  func audit(of pipeline: String?, before id: AuditID?, limit: Int) async throws -> [AuditEntry]

  // MARK: Tokens

  /// Returns the tokens of the API, sorted by name.
  func tokens() async throws -> [APIToken]

  /// Adds a token.
  /// - Returns: `false` if there is already a token with this name. In that case, nothing is changed.
  func addToken(_ token: APIToken) async throws -> Bool

  /// Removes a token.
  /// - Returns: whether there was a token with this name.
  func removeToken(named name: String) async throws -> Bool
}
