import FoundationEssentials
import Localization
import Pipeline

/// Functions that convert rows and columns of the ledger to values.
enum LedgerRows {
  static func state(_ text: String) throws -> SentUnitState {
    guard let state = SentUnitState(rawValue: text) else {
      throw damaged("a sent unit has the unknown state '\(text)'")
    }
    return state
  }

  static func translation(_ text: String?) throws -> Translation? {
    try text.map { try LedgerCoding.decodeTranslation($0) }
  }

  /// Decodes the reason of a branch outcome, for example why a unit is held; `nil` if no reason is stored, or if only a newer version of Dragoman
  /// knows the reason.
  static func reason(_ text: String?) -> HoldReason? {
    text.flatMap { try? JSONDecoder().decode(HoldReason.self, from: Data($0.utf8)) }
  }

  static func returnedUnit(_ row: SQLRow) throws -> ReturnedUnit {
    let id = ReturnedUnitID(rawValue: row[0])
    let source: Int64? = row[5]
    let pin: String? = row[6]
    let sentUnit: Int64? = row[17]
    let standingPin: String? = row[20]
    let standingReturn: Int64? = row[21]
    let commit: String? = row[22]
    let planned: Double? = row[23]
    var export: ExportRecord?
    if sentUnit != nil, let canonical: String = row[7] {
      export = ExportRecord(pin: SourcePin(canonical: canonical), translation: try translation(row[8]))
    }
    return ReturnedUnit(
      id: id, unit: UnitID(catalog: TreePath(trusted: row[1]), key: UnitKey(row[2])),
      language: LocaleIdentifier(row[3]), units: try LedgerCoding.decodeUnits(row[4]),
      pin: pin.map(PinDigest.init(rawValue:)), source: source.map(SourceID.init(rawValue:)), vendor: row[10],
      bundle: row[11], received: JobRows.date(row[12]), round: row[9], export: export,
      outcome: try outcome(row, of: id), standing: row[18], standingVendor: row[19],
      standingPin: standingPin.map(PinDigest.init(rawValue:)),
      standingReturn: standingReturn.map(ReturnedUnitID.init(rawValue:)),
      sending: commit.flatMap { commit in
        planned.map { ReturnedUnit.Sending(commit: CommitID(rawValue: commit), planned: JobRows.date($0)) }
      })
  }

  private static func outcome(_ row: SQLRow, of returnedUnit: ReturnedUnitID) throws -> BranchOutcome? {
    guard let text: String = row[13], let reviewed: String = row[14] else { return nil }
    guard let state = BranchOutcome.State(rawValue: text) else {
      throw damaged("a branch outcome has the unknown state '\(text)'")
    }
    return BranchOutcome(
      returnedUnit: returnedUnit, state: state, reviewed: CommitID(rawValue: reviewed), reason: reason(row[15]),
      translation: row[16])
  }

  static func pipeline(_ row: SQLRow) -> PipelineRecord {
    let fault: String? = row[2]
    return PipelineRecord(
      name: row[0], decisions: row[1], watchFault: fault.map { FailureRecord(message: $0, at: JobRows.date(row[3])) })
  }

  static func heldUnit(_ row: SQLRow) throws -> HeldUnit {
    let round: Int64? = row[10]
    return HeldUnit(
      id: ReturnedUnitID(rawValue: row[11]), pipeline: row[0], branch: row[1],
      round: round.map(RoundID.init(rawValue:)),
      unit: UnitID(catalog: TreePath(trusted: row[2]), key: UnitKey(row[3])),
      language: LocaleIdentifier(row[4]), vendor: row[5], bundle: row[6], received: JobRows.date(row[7]),
      reason: reason(row[8]), text: text(of: try LedgerCoding.decodeUnits(row[9])))
  }

  /// Returns the translated texts of the units, separated by line breaks.
  static func text(of units: [ExchangeUnit]) -> String {
    units.compactMap { unit -> String? in
      switch unit.target?.text {
      case .text(let text): text
      case .phrases(let phrases): phrases.joined(separator: "\n")
      case nil: nil
      }
    }.joined(separator: "\n")
  }

  static func delivery(_ row: SQLRow) throws -> Delivery {
    guard let state = Delivery.State(rawValue: row["state"]) else { throw damaged("a delivery has an unknown state") }
    let expected: String? = row["expected"]
    return Delivery(
      id: DeliveryID(rawValue: row["id"]), pipeline: row["pipeline"], branch: row["branch"],
      source: CommitID(rawValue: row["source"]), target: row["target"],
      expected: expected.map(CommitID.init(rawValue:)), base: CommitID(rawValue: row["base"]),
      commits: commits(row["commits"]), units: row["units"], created: JobRows.date(row["created"]), state: state,
      bringsCatalogs: row["brings_catalogs"])
  }

  static func commits(_ text: String) -> [CommitID] {
    text.split(separator: " ").map { CommitID(rawValue: String($0)) }
  }
}
