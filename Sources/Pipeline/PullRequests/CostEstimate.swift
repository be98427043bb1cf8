import Localization

/// An estimate of the cost of translations, at the prices of the pipeline file. Discounts and minimum charges are not taken into account. Texts
/// that a translation memory may fill in are counted at the full price.
struct CostEstimate {
  /// The costs in millionths, by currency.
  private var sums: [String: Int] = [:]
  /// The number of translations that have a price.
  private(set) var count = 0

  /// Adds one translation of a text, at the price of the first vendor of each step of the route.
  mutating func add(words: Int, along route: VendorRoute, prices: [String: WordPrice]) {
    let steps = route.steps.compactMap { $0.first.flatMap { prices[$0] } }
    guard !steps.isEmpty else { return }
    count += 1
    for price in steps { sums[price.currency, default: 0] += price.millionths * words }
  }

  /// The estimate, such as `about 1.20 EUR and 0.05 USD`; `nil` if nothing has a price.
  var text: String? {
    guard count > 0 else { return nil }
    let amounts = sums.sorted { $0.key < $1.key }.map { currency, millionths in
      // Rounded up, because an estimate must not be too low.
      let hundredths = (millionths + 9999) / 10_000
      let decimals = hundredths % 100
      return "\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals) \(currency)"
    }
    return "about " + amounts.joined(separator: " and ")
  }
}
