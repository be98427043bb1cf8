package import Localization

/// A unit with the source text it had when it was first sent.
package struct SourceRecord: Hashable, Sendable {
  package var id: SourceID
  package var unit: UnitID
  package var pin: PinDigest
  /// The commit whose state was sent.
  package var commit: CommitID

  package init(id: SourceID, unit: UnitID, pin: PinDigest, commit: CommitID) {
    self.id = id
    self.unit = unit
    self.pin = pin
    self.commit = commit
  }
}

/// A unit that was sent in a language.
package struct SentUnit: Hashable, Sendable {
  package var id: SentUnitID
  package var source: SourceID
  package var vendor: String
  package var language: LocaleIdentifier
  package var state: SentUnitState

  package init(
    id: SentUnitID, source: SourceID, vendor: String, language: LocaleIdentifier, state: SentUnitState
  ) {
    self.id = id
    self.source = source
    self.vendor = vendor
    self.language = language
    self.state = state
  }
}

/// What a pipeline has sent, as far as it matters for what to send next.
package struct SentLedger: Sendable {
  package var sources: [SourceRecord]
  /// Outstanding ones, and those of cancelled rounds (withdrawn); with `all`, returned ones too.
  package var units: [SentUnit]

  package init(sources: [SourceRecord] = [], units: [SentUnit] = []) {
    self.sources = sources
    self.units = units
  }
}

/// A shipment that is written down: what it holds, and whether the vendor has it.
package struct ShipmentRecord: Sendable {
  package var id: ShipmentID
  package var round: Int
  package var vendor: String
  package var language: LocaleIdentifier
  package var sourceLanguage: LocaleIdentifier
  /// The units, with their catalogs as they were called in the commit whose state is sent; what their source texts are pinned to; and that
  /// commit.
  package var units: [(unit: UnitID, pin: PinDigest, commit: CommitID)]
  /// Whether a unit of it is outstanding. Where none is, the vendor may have it all the same, from an upload that was never answered.
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

/// Units of one shipment that the vendor was not yet told it need not translate, with their catalogs as they were sent.
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

/// A sent unit with all that a returning unit is matched by.
package struct SentUnitRecord: Sendable {
  package var id: SentUnitID
  package var source: SourceID
  package var unit: UnitID
  /// What the catalog was called when it was sent, which is how the vendor calls it.
  package var sentCatalog: TreePath
  package var state: SentUnitState
  /// The source language's own forms when it was sent; `nil` where the key is the text.
  package var forms: Translation?
  package var export: ExportRecord

  package init(
    id: SentUnitID, source: SourceID, unit: UnitID, sentCatalog: TreePath? = nil, state: SentUnitState,
    forms: Translation?, export: ExportRecord
  ) {
    self.id = id
    self.source = source
    self.unit = unit
    self.sentCatalog = sentCatalog ?? unit.catalog
    self.state = state
    self.forms = forms
    self.export = export
  }
}
