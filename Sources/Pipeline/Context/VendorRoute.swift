/// The vendors that translate the units of a catalog in a language: steps in order, and the vendors of each step in order of preference.
///
/// A unit goes to one vendor at a time. The unit goes to the next step when a vendor of the current step has translated it (`then`) or all of them
/// have refused it, and to another vendor of the same step when the current vendor refuses the unit or fails for too long (`fallback`). Translations
/// of all steps except the last are drafts: they arrive as `needs_review`.
package struct VendorRoute: Hashable, Sendable {
  /// Names of vendors. No step is empty.
  package let steps: [[String]]

  package init(steps: [[String]]) { self.steps = steps.filter { !$0.isEmpty } }

  /// The vendor that a new unit goes to, unless this vendor refuses it or fails.
  package var first: String? { steps.first?.first }

  package func contains(_ vendor: String) -> Bool { step(of: vendor) != nil }

  /// Returns the index of the last step that contains a vendor; `nil` if no step does.
  package func step(of vendor: String) -> Int? { steps.lastIndex { $0.contains(vendor) } }

  /// Returns whether another vendor can take the units that a vendor refuses: a later vendor of the same step, or a vendor of the next
  /// step.
  package func leadsOn(from vendor: String) -> Bool {
    guard let step = step(of: vendor) else { return false }
    return step < steps.count - 1 || steps[step].last != vendor
  }

  /// Returns whether a vendor's translations are drafts, because a later step follows.
  package func isDraft(from vendor: String) -> Bool { step(of: vendor).map { $0 < steps.count - 1 } ?? false }

  /// Returns whether one vendor's translation is preferred to another vendor's translation of the same source text. Later steps come first,
  /// and within a step, the preferred vendor comes first. Translations of a vendor that is no longer part of the route come before drafts
  /// and after all others.
  /// - Returns: `nil` if the route does not decide, because the two vendors are the same or the route has neither of them.
  package func prefers(_ vendor: String, to other: String) -> Bool? {
    guard vendor != other else { return nil }
    guard let own = step(of: vendor) else { return contains(other) ? isDraft(from: other) : nil }
    guard let rival = step(of: other) else { return !isDraft(from: vendor) }
    guard own == rival else { return own > rival }
    guard let place = steps[own].firstIndex(of: vendor), let rivals = steps[own].firstIndex(of: other) else {
      return nil
    }
    return place < rivals
  }
}

extension VendorRoute? {
  /// Returns whether a return that is on a branch stays there although another return arrived for the same source text.
  ///
  /// If the route prefers one of the two vendors, that vendor's return stays or replaces the other. Otherwise, the newer return
  /// replaces the older return. As an exception, a finished text of one vendor is not replaced by the text of another vendor, because the
  /// other text may be a draft of a vendor that is no longer in the route.
  /// - Parameters:
  ///   - standing: the vendor of the return on the branch.
  ///   - isFinished: whether no text of the return on the branch needs review.
  ///   - isNewer: whether the return on the branch arrived after the other return.
  ///   - other: the vendor of the other return.
  func keeps(_ standing: String, isFinished: Bool, isNewer: Bool, against other: String) -> Bool {
    if let isPreferred = self?.prefers(standing, to: other) { return isPreferred }
    return isNewer || (isFinished && standing != other)
  }
}
