package import FoundationEssentials
package import Localization

package struct ReturnedUnitID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A returned unit to be stored: everything that came for one key in one language.
package struct NewReturnedUnit: Sendable {
  package var unit: UnitID
  package var language: LocaleIdentifier
  package var units: [ExchangeUnit]
  /// What it answers; `nil` where nothing of the kind was sent.
  package var sentUnit: SentUnitID?
  package var source: SourceID?
  /// Whether the translator is done with it, so that the books count it as returned.
  package var isFinished: Bool

  package init(
    unit: UnitID, language: LocaleIdentifier, units: [ExchangeUnit], sentUnit: SentUnitID?, source: SourceID?,
    isFinished: Bool
  ) {
    self.unit = unit
    self.language = language
    self.units = units
    self.sentUnit = sentUnit
    self.source = source
    self.isFinished = isFinished
  }
}

/// A bundle that came back, to be stored with its units in one transaction before the vendor hears of it.
package struct NewBundle: Sendable {
  package var vendor: String
  package var reference: String
  /// SHA-256 of its bytes.
  package var digest: String
  package var received: Date
  /// What the vendor is told once the units are safe; `nil`: everything was taken.
  package var review: String?
  package var returnedUnits: [NewReturnedUnit]

  package init(
    vendor: String, reference: String, digest: String, received: Date, review: String?, returnedUnits: [NewReturnedUnit]
  ) {
    self.vendor = vendor
    self.reference = reference
    self.digest = digest
    self.received = received
    self.review = review
    self.returnedUnits = returnedUnits
  }
}

/// A returned unit as the ledger keeps it.
package struct ReturnedUnit: Sendable {
  package var id: ReturnedUnitID
  package var unit: UnitID
  package var language: LocaleIdentifier
  package var units: [ExchangeUnit]
  package var pin: PinDigest?
  package var source: SourceID?
  package var vendor: String
  package var bundle: String
  package var received: Date
  /// The number of the round it was sent in.
  package var round: Int?
  /// What stood in the catalog when it was sent; `nil` where it was never sent.
  package var export: ExportRecord?
  /// What became of it on the branch that was asked for.
  package var outcome: BranchOutcome?
  /// A digest of the translation that an earlier return for the unit and language brought to that branch.
  package var standing: String?

  package init(
    id: ReturnedUnitID, unit: UnitID, language: LocaleIdentifier, units: [ExchangeUnit], pin: PinDigest?,
    source: SourceID?,
    vendor: String, bundle: String, received: Date, round: Int?, export: ExportRecord?, outcome: BranchOutcome?,
    standing: String?
  ) {
    self.id = id
    self.unit = unit
    self.language = language
    self.units = units
    self.pin = pin
    self.source = source
    self.vendor = vendor
    self.bundle = bundle
    self.received = received
    self.round = round
    self.export = export
    self.outcome = outcome
    self.standing = standing
  }
}

/// What became of a returned unit on one branch.
package struct BranchOutcome: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, Codable, CaseIterable {
    /// In a commit of ours that the watched branch does not have yet.
    case delivered
    /// The watched branch has it.
    case settled
    case held
    /// Another return for the same unit and language stands in its place.
    case passedOver = "passed over"
  }

  package var returnedUnit: ReturnedUnitID
  package var state: State
  /// The commit whose catalogs it was reviewed against.
  package var reviewed: CommitID
  package var reason: HoldReason?
  /// A digest of the translation as it stands in the catalog with it.
  package var translation: String?

  package init(
    returnedUnit: ReturnedUnitID, state: State, reviewed: CommitID, reason: HoldReason? = nil,
    translation: String? = nil
  ) {
    self.returnedUnit = returnedUnit
    self.state = state
    self.reviewed = reviewed
    self.reason = reason
    self.translation = translation
  }
}

/// That a unit came back for a source, for telling what need not be sent again.
package struct ReturnRecord: Hashable, Sendable {
  package var id: ReturnedUnitID
  package var source: SourceID
  package var language: LocaleIdentifier
  /// By branch: the outcome's state and translation digest. Branches on which it was not reviewed yet are missing.
  package var outcomes: [String: Standing]

  package struct Standing: Hashable, Sendable {
    package var state: BranchOutcome.State
    package var translation: String?
    /// Held, or passed over, and the translator was not done with it: it answers nothing.
    package var isUnfinished: Bool

    package init(state: BranchOutcome.State, translation: String?, isUnfinished: Bool = false) {
      self.state = state
      self.translation = translation
      self.isUnfinished = isUnfinished
    }
  }

  package init(id: ReturnedUnitID, source: SourceID, language: LocaleIdentifier, outcomes: [String: Standing]) {
    self.id = id
    self.source = source
    self.language = language
    self.outcomes = outcomes
  }
}

/// A returned unit that could not be put into a catalog, as people are shown it.
package struct HeldUnit: Hashable, Sendable, Codable {
  package var pipeline: String
  package var branch: String
  /// The round it was sent in; `nil` where it was never sent.
  package var round: RoundID?
  package var unit: UnitID
  package var language: LocaleIdentifier
  package var vendor: String
  package var bundle: String
  package var received: Date
  package var reason: HoldReason?
  /// What came, the forms separated by newlines.
  package var text: String

  package init(
    pipeline: String, branch: String, round: RoundID?, unit: UnitID, language: LocaleIdentifier, vendor: String,
    bundle: String, received: Date, reason: HoldReason?, text: String
  ) {
    self.pipeline = pipeline
    self.branch = branch
    self.round = round
    self.unit = unit
    self.language = language
    self.vendor = vendor
    self.bundle = bundle
    self.received = received
    self.reason = reason
    self.text = text
  }
}
