import Localization

/// Chooses a vendor of a step for a unit.
struct VendorChoice: Sendable {
  /// The vendors that have failed for so long that others replace them (`FailingVendors.absent`).
  var absent: Set<String> = []
  /// The vendors that answered that they cannot translate a unit, by source and language.
  private(set) var refusals: [SourceInLanguage: Set<String>] = [:]

  init(absent: Set<String> = [], ledger: SentLedger = SentLedger()) {
    self.absent = absent
    for sent in ledger.units where sent.isRefused {
      refusals[SourceInLanguage(source: sent.source, language: sent.language), default: []].insert(sent.vendor)
    }
  }

  /// Returns the first vendor of a step, leaving out absent vendors and vendors that refused the unit. If there is none, returns the first
  /// vendor that did not refuse the unit.
  /// - Parameter unit: `nil` if the unit was never sent.
  /// - Returns: `nil` if all vendors of the step refused the unit.
  func vendor(of step: [String], for unit: SourceInLanguage?) -> String? {
    let refused = unit.flatMap { refusals[$0] } ?? []
    let willing = step.filter { !refused.contains($0) }
    return willing.first { !absent.contains($0) } ?? willing.first
  }

  /// Returns the vendor that takes over a unit from a failing vendor; `nil` if the unit stays with its vendor.
  func successor(of vendor: String, on route: VendorRoute, for unit: SourceInLanguage) -> String? {
    guard absent.contains(vendor), let step = route.step(of: vendor),
      let other = self.vendor(of: route.steps[step], for: unit), other != vendor, !absent.contains(other)
    else { return nil }
    return other
  }
}
