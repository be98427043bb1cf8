package import FoundationEssentials
package import Localization

package struct RoundID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

package struct ShipmentID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

package struct SentUnitID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The id of a text unit with one source text. The ledger stores each such pair once.
package struct SourceID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The state of a unit that was sent to a vendor for translation into one language. Each state is counted separately in the books.
package enum SentUnitState: String, Hashable, Sendable, Codable, CaseIterable {
  case outstanding, returned
  /// The unit is no longer needed from the vendor. Either the unit was removed from all branches, is no longer routed to the vendor or was
  /// in a cancelled round, or the vendor refused the unit or failed for too long.
  case withdrawn
  /// The source text changed on all branches while the unit was outstanding. The new source text is sent instead.
  case superseded
}

/// The books of a vendor and language, in units × languages. At any time, sent = returned + outstanding + withdrawn + superseded.
package struct Books: Hashable, Sendable, Codable {
  package var vendor: String
  package var language: LocaleIdentifier
  package var sent: Int
  package var returned: Int
  package var outstanding: Int
  package var withdrawn: Int
  package var superseded: Int

  package init(
    vendor: String, language: LocaleIdentifier, sent: Int = 0, returned: Int = 0, outstanding: Int = 0,
    withdrawn: Int = 0, superseded: Int = 0
  ) {
    self.vendor = vendor
    self.language = language
    self.sent = sent
    self.returned = returned
    self.outstanding = outstanding
    self.withdrawn = withdrawn
    self.superseded = superseded
  }

  package var isBalanced: Bool { sent == returned + outstanding + withdrawn + superseded }
}

/// The text units that were sent together, with their books.
package struct Round: Hashable, Sendable, Codable {
  package var id: RoundID
  package var pipeline: String
  /// The number of the round in its pipeline, from 1.
  package var number: Int
  package var created: Date
  package var isCancelled: Bool
  /// The books, sorted by vendor, then by language.
  package var books: [Books]

  package init(id: RoundID, pipeline: String, number: Int, created: Date, isCancelled: Bool, books: [Books]) {
    self.id = id
    self.pipeline = pipeline
    self.number = number
    self.created = created
    self.isCancelled = isCancelled
    self.books = books
  }
}

/// One unit of a planned round, in one language.
package struct PlannedUnit: Hashable, Sendable {
  package var unit: UnitID
  package var pin: SourcePin
  /// The forms of the source language; `nil` if the key is the text.
  package var source: Translation?
  /// The translation in the catalog when the round was planned.
  package var baseline: Translation?
  /// The commit from which the unit is sent.
  package var commit: CommitID
  /// The author of `commit`.
  package var author: String
  /// The commit that added the unit, if it is known.
  package var provenance: Provenance?

  package init(
    unit: UnitID, pin: SourcePin, source: Translation?, baseline: Translation?, commit: CommitID, author: String,
    provenance: Provenance? = nil
  ) {
    self.unit = unit
    self.pin = pin
    self.source = source
    self.baseline = baseline
    self.commit = commit
    self.author = author
    self.provenance = provenance
  }
}

/// The units of one vendor and language in a planned round.
package struct PlannedShipment: Hashable, Sendable {
  package var vendor: String
  package var language: LocaleIdentifier
  package var sourceLanguage: LocaleIdentifier
  package var sentUnits: [PlannedUnit]

  package init(
    vendor: String, language: LocaleIdentifier, sourceLanguage: LocaleIdentifier, sentUnits: [PlannedUnit]
  ) {
    self.vendor = vendor
    self.language = language
    self.sourceLanguage = sourceLanguage
    self.sentUnits = sentUnits
  }
}

/// A planned round. It is recorded before anything is sent.
package struct PlannedRound: Hashable, Sendable {
  package var created: Date
  package var shipments: [PlannedShipment]

  package init(created: Date, shipments: [PlannedShipment]) {
    self.created = created
    self.shipments = shipments
  }
}
