package import FoundationEssentials
package import Localization

package struct ReturnedUnitID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A returned unit to store: everything that was returned for one key in one language.
package struct NewReturnedUnit: Sendable {
  package var unit: UnitID
  package var language: LocaleIdentifier
  package var units: [ExchangeUnit]
  /// The sent unit for which this translation was returned; `nil` if no matching unit was sent.
  package var sentUnit: SentUnitID?
  package var source: SourceID?
  /// Whether the translator has finished the unit. The books count only finished units as returned.
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

/// A returned bundle to store. It is stored with its units in one transaction before the vendor is notified.
package struct NewBundle: Sendable {
  /// The beginning of a bundle's reference if the bundle contains a held unit that a person edited. The person's name follows.
  package static let editedBy = "edited by "

  package var vendor: String
  package var reference: String
  /// A digest that identifies the bundle's content, in most cases the SHA-256 of its bytes.
  package var digest: String
  package var received: Date
  /// The message for the vendor about the problems of the bundle and the units that were not accepted, sent after the units are stored;
  /// `nil` if there are none.
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

/// A returned unit in the ledger.
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
  /// The number of the round in which the unit was sent; `nil` if it was never sent.
  package var round: Int?
  /// The pin and the translation in the catalog when the unit was sent; `nil` if it was never sent.
  package var export: ExportRecord?
  /// The outcome on the branch that the query is about.
  package var outcome: BranchOutcome?
  /// The digest of the translation that the catalog of this branch had after the review of `standingReturn`; `nil` if there is none.
  package var standing: String?
  /// The newest other return for the same unit and language that is delivered or settled on this branch; `nil` if there is none.
  package var standingReturn: ReturnedUnitID?
  /// The vendor of `standingReturn`.
  package var standingVendor: String?
  /// The pin of `standingReturn`; `nil` if its source text was never sent. Pins are compared instead of sources, because a text has two sources
  /// if Dragoman did not detect that its catalog was renamed.
  package var standingPin: PinDigest?
  /// The commit and time of the sending; `nil` if the unit was never sent.
  package var sending: Sending?

  package struct Sending: Hashable, Sendable {
    /// The commit from which the unit was sent.
    package var commit: CommitID
    /// The time when the unit's round was planned.
    package var planned: Date

    package init(commit: CommitID, planned: Date) {
      self.commit = commit
      self.planned = planned
    }
  }

  package init(
    id: ReturnedUnitID, unit: UnitID, language: LocaleIdentifier, units: [ExchangeUnit], pin: PinDigest?,
    source: SourceID?,
    vendor: String, bundle: String, received: Date, round: Int?, export: ExportRecord?, outcome: BranchOutcome?,
    standing: String?, standingVendor: String? = nil, standingPin: PinDigest? = nil,
    standingReturn: ReturnedUnitID? = nil, sending: Sending? = nil
  ) {
    self.sending = sending
    self.standingReturn = standingReturn
    self.standingVendor = standingVendor
    self.standingPin = standingPin
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

/// The result of a returned unit on one branch.
package struct BranchOutcome: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, Codable, CaseIterable {
    /// The translation is in a commit of ours that is not on the watched branch yet.
    case delivered
    /// The translation reached the watched branch. A person may have replaced it there since.
    case settled
    case held
    /// Another return for the same unit and language is used instead, a person discarded the return, the string was removed, or only
    /// another branch had the source text.
    case passedOver = "passed over"
  }

  package var returnedUnit: ReturnedUnitID
  package var state: State
  /// The commit whose catalogs were used for the review.
  package var reviewed: CommitID
  package var reason: HoldReason?
  /// A digest of the translation in the catalog after the review.
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

/// A return for a source, with its outcomes. For example, planning uses it to decide whether the source must be sent again.
package struct ReturnRecord: Hashable, Sendable {
  package var id: ReturnedUnitID
  package var source: SourceID
  package var language: LocaleIdentifier
  package var vendor: String
  /// The outcome on each branch. Branches on which the return was not reviewed are left out.
  package var outcomes: [String: Standing]

  package struct Standing: Hashable, Sendable {
    package var state: BranchOutcome.State
    package var translation: String?
    /// Whether the return is held or passed over because it is unfinished or was skipped on request (`HoldReason.answersNothing`). Such a
    /// return does not count as a translation of its source.
    package var isUnfinished: Bool
    /// Whether the return is held because a person removed it from the branch.
    package var isRemoved: Bool
    /// Whether the return was passed over because the branch did not have the string.
    package var isOfGoneString: Bool

    package init(
      state: BranchOutcome.State, translation: String?, isUnfinished: Bool = false, isRemoved: Bool = false,
      isOfGoneString: Bool = false
    ) {
      self.state = state
      self.translation = translation
      self.isUnfinished = isUnfinished
      self.isRemoved = isRemoved
      self.isOfGoneString = isOfGoneString
    }
  }

  package init(
    id: ReturnedUnitID, source: SourceID, language: LocaleIdentifier, vendor: String, outcomes: [String: Standing]
  ) {
    self.vendor = vendor
    self.id = id
    self.source = source
    self.language = language
    self.outcomes = outcomes
  }
}

/// A returned unit that is held on a branch, for display.
package struct HeldUnit: Hashable, Sendable, Codable {
  package var id: ReturnedUnitID
  package var pipeline: String
  package var branch: String
  /// The round in which the unit was sent; `nil` if it was never sent.
  package var round: RoundID?
  package var unit: UnitID
  package var language: LocaleIdentifier
  package var vendor: String
  package var bundle: String
  package var received: Date
  package var reason: HoldReason?
  /// The returned texts. Forms are separated by newlines.
  package var text: String

  package init(
    id: ReturnedUnitID, pipeline: String, branch: String, round: RoundID?, unit: UnitID, language: LocaleIdentifier,
    vendor: String, bundle: String, received: Date, reason: HoldReason?, text: String
  ) {
    self.id = id
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
