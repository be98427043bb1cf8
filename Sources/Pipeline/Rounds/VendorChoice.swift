import Localization

/// Chooses a vendor of a step for a unit.
struct VendorChoice: Sendable {
  /// Vendors that have failed for longer than allowed (`FailingVendors.absent`).
  var absent: Set<String> = []
  /// The vendors that answered that they cannot translate a text.
  private(set) var refusals: [SourceInLanguage: Set<String>] = [:]

  init(absent: Set<String> = [], ledger: SentLedger = SentLedger()) {
    self.absent = absent
    for sent in ledger.units where sent.isRefused {
      refusals[SourceInLanguage(source: sent.source, language: sent.language), default: []].insert(sent.vendor)
    }
  }

  /// Returns the first vendor of a step that works and did not refuse the unit; if there is none, the first that did not refuse it.
  /// - Parameter unit: `nil` if the unit was never sent.
  /// - Returns: `nil` if all vendors of the step refused the unit.
  func vendor(of step: [String], for unit: SourceInLanguage?) -> String? {
    let refused = unit.flatMap { refusals[$0] } ?? []
    let willing = step.filter { !refused.contains($0) }
    return willing.first { !absent.contains($0) } ?? willing.first
  }

  /// Returns the vendor that takes over a unit from a failing vendor; `nil` if the unit stays where it is.
  func successor(of vendor: String, on route: VendorRoute, for unit: SourceInLanguage) -> String? {
    guard absent.contains(vendor), let step = route.step(of: vendor),
      let other = self.vendor(of: route.steps[step], for: unit), other != vendor, !absent.contains(other)
    else { return nil }
    return other
  }
}
