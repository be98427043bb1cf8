internal import Localization
internal import Pipeline

/// Checks of `fallback` and `then`, which name vendors that get units from other vendors.
struct VendorOrderChecks {
  let vendors: [VendorDraft]

  private enum Order: String, CaseIterable {
    case fallback, then

    func follower(of vendor: VendorDraft) -> Located<String>? { self == .fallback ? vendor.fallback : vendor.then }
  }

  func report() {
    for order in Order.allCases {
      for vendor in vendors {
        guard let follower = order.follower(of: vendor) else { continue }
        report(follower, of: vendor, order)
      }
    }
  }

  private func report(_ follower: Located<String>, of vendor: VendorDraft, _ order: Order) {
    guard let next = named(follower.value) else {
      let names = vendors.compactMap(\.name?.value)
      follower.field.report(
        "no vendor is named \(follower.field.shown)" + NearestName.suffix(follower.value, names),
        hint: "give the vendor this `name`, or name another one")
      return
    }
    for other in [vendor, next] where other.definition.units == .all {
      follower.field.report(
        "`\(order.rawValue)` cannot be combined with `units: all` of \(other.field.keyPath)",
        hint: "remove `units`, or `\(order.rawValue)`")
    }
    if isCircle(from: vendor, order) {
      follower.field.report(
        "`\(order.rawValue)` leads back to a vendor that comes earlier in the order",
        hint: "remove `\(order.rawValue)` from the last vendor")
    }
  }

  private func isCircle(from vendor: VendorDraft, _ order: Order) -> Bool {
    var places: Set<String> = [vendor.field.keyPath]
    var current = vendor
    while let follower = order.follower(of: current), let next = named(follower.value) {
      guard places.insert(next.field.keyPath).inserted else { return true }
      current = next
    }
    return false
  }

  private func named(_ name: String) -> VendorDraft? { vendors.first { $0.name?.value == name } }
}
