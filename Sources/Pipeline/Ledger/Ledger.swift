package import Localization

/// A text unit with one of the source texts with which it was sent.
package struct SourceRecord: Hashable, Sendable {
  package var id: SourceID
  package var unit: UnitID
  package var pin: PinDigest
  /// The commit from which the unit was last sent with this source text.
  package var commit: CommitID

  package init(id: SourceID, unit: UnitID, pin: PinDigest, commit: CommitID) {
    self.id = id
    self.unit = unit
    self.pin = pin
    self.commit = commit
  }
}

/// A unit that was sent to a vendor for translation into one language.
package struct SentUnit: Hashable, Sendable {
  package var id: SentUnitID
  package var source: SourceID
  package var vendor: String
  package var language: LocaleIdentifier
  package var state: SentUnitState
  /// Whether the vendor answered that it cannot translate the unit. A refused unit is withdrawn.
  package var isRefused: Bool

  package init(
    id: SentUnitID, source: SourceID, vendor: String, language: LocaleIdentifier, state: SentUnitState,
    isRefused: Bool = false
  ) {
    self.isRefused = isRefused
    self.id = id
    self.source = source
    self.vendor = vendor
    self.language = language
    self.state = state
  }
}

/// All source texts with which units of a pipeline were sent, and the sent units that are needed to plan rounds.
package struct SentLedger: Sendable {
  package var sources: [SourceRecord]
  /// Outstanding units, refused units and the withdrawn units of cancelled rounds. Returned units are included only if the caller of
  /// `sentLedger(of:includingReturned:)` requested them.
  package var units: [SentUnit]

  package init(sources: [SourceRecord] = [], units: [SentUnit] = []) {
    self.sources = sources
    self.units = units
  }
}

/// A recorded shipment and its units.
package struct ShipmentRecord: Sendable {
  package var id: ShipmentID
  package var round: Int
  package var vendor: String
  package var language: LocaleIdentifier
  package var sourceLanguage: LocaleIdentifier
  /// The units, each with its source pin and the commit from which it is sent. Each catalog has the name that it has in that commit.
  package var units: [(unit: UnitID, pin: PinDigest, commit: CommitID)]
  /// Whether any of the shipment's units is outstanding. If not, the vendor may still have the shipment from an upload that was never
  /// confirmed.
  package var isWanted: Bool

  package init(
    id: ShipmentID, round: Int, vendor: String, language: LocaleIdentifier, sourceLanguage: LocaleIdentifier,
    units: [(unit: UnitID, pin: PinDigest, commit: CommitID)], isWanted: Bool = true
  ) {
    self.isWanted = isWanted
    self.id = id
    self.round = round
    self.vendor = vendor
    self.language = language
    self.sourceLanguage = sourceLanguage
    self.units = units
  }
}

/// Units of one shipment that were returned and are held.
package struct HeldShipment: Sendable {
  package var record: ShipmentRecord
  package var receipt: ShipmentReceipt
  /// The reasons why the record's units are held, in the order of the units.
  package var reasons: [[HoldReason]]

  package init(record: ShipmentRecord, receipt: ShipmentReceipt, reasons: [[HoldReason]] = []) {
    self.record = record
    self.receipt = receipt
    self.reasons = reasons
  }
}

/// Units of one shipment that the vendor returned.
package struct ReturnedShipment: Sendable {
  package var record: ShipmentRecord
  package var receipt: ShipmentReceipt
  /// The ids of the record's units, in the order of the units.
  package var sentUnits: [SentUnitID]

  package init(record: ShipmentRecord, receipt: ShipmentReceipt, sentUnits: [SentUnitID] = []) {
    self.record = record
    self.receipt = receipt
    self.sentUnits = sentUnits
  }
}

/// Units of one shipment that are no longer needed. The vendor has not been notified of this yet. Catalogs have the names that were sent to
/// the vendor.
package struct WithdrawalNotice: Sendable {
  package var receipt: ShipmentReceipt
  package var language: LocaleIdentifier
  package var units: [(id: SentUnitID, unit: UnitID)]

  package init(receipt: ShipmentReceipt, language: LocaleIdentifier, units: [(id: SentUnitID, unit: UnitID)]) {
    self.receipt = receipt
    self.language = language
    self.units = units
  }
}

/// A sent unit with the data for matching a returned unit.
package struct SentUnitRecord: Sendable {
  package var id: SentUnitID
  package var source: SourceID
  package var unit: UnitID
  /// The name of the catalog when the unit was sent. The vendor uses this name.
  package var sentCatalog: TreePath
  package var state: SentUnitState
  /// Whether the vendor refused to translate the unit.
  package var isRefused: Bool
  /// The forms of the source language when the unit was sent; `nil` if the key is the text.
  package var forms: Translation?
  package var export: ExportRecord

  package init(
    id: SentUnitID, source: SourceID, unit: UnitID, sentCatalog: TreePath? = nil, state: SentUnitState,
    isRefused: Bool = false, forms: Translation?, export: ExportRecord
  ) {
    self.id = id
    self.source = source
    self.unit = unit
    self.sentCatalog = sentCatalog ?? unit.catalog
    self.state = state
    self.isRefused = isRefused
    self.forms = forms
    self.export = export
  }
}
