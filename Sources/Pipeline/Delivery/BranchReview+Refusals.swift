import Localization

extension BranchReview {
  /// Returns the units that are held before their texts are reviewed, with the reasons.
  func refusals(_ units: some Collection<ReturnedUnit>) -> [ReturnedUnitID: HoldReason] {
    var refused: [ReturnedUnitID: HoldReason] = [:]
    for unit in units { refused[unit.id] = unwritable[unit.id].map(HoldReason.notWritable) }
    let removals = Dictionary(grouping: removed) {
      UnitInLanguage(unit: renames.name(of: $0.unit.unit, in: snapshot), language: $0.unit.language)
    }
    for unit in units where refused[unit.id] == nil {
      let present = snapshot.synced[unit.unit.catalog]?.entries[unit.unit.key]?.translations[unit.language]
      let refusal = policy.refusal(
        of: unit.language, in: unit.unit.catalog, from: unit.vendor, wasSent: unit.export != nil, present: present,
        came: unit.units)
      let same = removals[UnitInLanguage(unit: unit.unit, language: unit.language)] ?? []
      if let reason = refusal ?? removal(of: unit, among: same, present: present), !isOverruled(reason, for: unit) {
        refused[unit.id] = reason
      }
    }
    if policy.holdsTerms {
      for unit in units where refused[unit.id] == nil {
        refused[unit.id] = unit.units.lazy.compactMap { policy.termFault(of: $0, in: unit.language) }.first
      }
    }
    for unit in units where refused[unit.id] == nil {
      let fault = unit.units.lazy
        .compactMap { policy.transferFault(of: $0, in: unit.language, from: unit.vendor) }.first
      if let fault, !isOverruled(fault, for: unit) { refused[unit.id] = fault }
    }
    let cautious = units.filter { policy.holdsUnchanged.contains($0.vendor) }
    for bundle in Dictionary(grouping: cautious, by: { [$0.bundle.description, $0.language.rawValue] }).values
    where ReturnPolicy.isMostlyUnchanged(bundle.flatMap(\.units)) {
      for unit in bundle where unit.units.allSatisfy(\.isUnchanged) && !isOverruled(.mostlyUnchanged, for: unit) {
        refused[unit.id] = .mostlyUnchanged
      }
    }
    let watched = units.filter { policy.holdsOtherLanguages.contains($0.vendor) }
    for group in Dictionary(grouping: watched, by: { [$0.bundle.description, $0.language.rawValue] }).values {
      guard let language = group.first?.language,
        ReturnPolicy.isInOtherLanguage(group.flatMap(\.units), language)
      else { continue }
      for unit in group where refused[unit.id] == nil {
        let fault = unit.units.lazy.compactMap { ReturnPolicy.languageFault(of: $0, language) }.first
        if let reason = fault.map(HoldReason.otherLanguage), !isOverruled(reason, for: unit) {
          refused[unit.id] = reason
        }
      }
    }
    return refused
  }

  /// Returns the reason for holding a unit after a person removed its texts from the branch; `nil` if nobody did, or if the branch has all
  /// of these texts again and none of them needs review.
  /// - Parameter removals: the removed returns for the same text unit and language.
  private func removal(
    of unit: ReturnedUnit, among removals: [RemovedReturn], present: Translation?
  ) -> HoldReason? {
    if let present, present.isFinished, unit.isWordForWord(present) { return nil }
    return removals.first { removal in
      removal.unit.pin == unit.pin && removal.unit.units.map(\.target?.text) == unit.units.map(\.target?.text)
    }?.reason
  }

  private func isOverruled(_ reason: HoldReason, for unit: ReturnedUnit) -> Bool {
    overruled[unit.id]?.contains(reason.code) ?? false
  }
}
