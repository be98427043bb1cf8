/// The differences between the outstanding units that a vendor has and those that the pipeline has recorded.
package struct VendorStock: Hashable, Sendable {
  /// The units that the vendor lacks or hides.
  package var missing: Set<UnitID>
  /// The units whose source text at the vendor differs from the source text that was sent.
  package var changed: Set<UnitID>
  /// The units in `missing` that the vendor has but hides from translators.
  package var hidden: Set<UnitID>

  package init(missing: Set<UnitID> = [], changed: Set<UnitID> = [], hidden: Set<UnitID> = []) {
    self.missing = missing
    self.changed = changed
    self.hidden = hidden
  }
}

/// The result of ``TranslationVendor/probe(_:)``, which checks whether a vendor can be used with its settings.
package struct VendorProbe: Hashable, Sendable, Codable {
  /// The checks that passed, as short sentences.
  package var facts: [String]
  /// The checks that failed, as sentences, each with the next step.
  package var faults: [String]

  package init(facts: [String] = [], faults: [String] = []) {
    self.facts = facts
    self.faults = faults
  }
}
