import Localization
import Testing

@testable import Pipeline

@Suite struct CostEstimateTests {
  @Test(
    "a number and a currency are read as a price",
    arguments: [
      ("0.12 EUR", 120_000), ("1000 USD", 1_000_000_000), ("0.000001 JPY", 1), ("7.5 CHF", 7_500_000), ("0 EUR", 0),
    ])
  func price(_ text: String, _ millionths: Int) {
    let price = WordPrice(text)
    #expect(price?.millionths == millionths && price?.currency == String(text.suffix(3)))
  }

  @Test(
    "a text that is not a number and a currency is refused as a price",
    arguments: [
      "", "0.12", "EUR", "0.12EUR", "0.12  EUR", "-1 EUR", "1.2.3 EUR", ".5 EUR", "5. EUR", "0.1234567 EUR", "1001 EUR",
      "1 eur",
      "1 EURO", "1,2 EUR", "1 €", "+1 EUR", "１ EUR",
    ])
  func none(_ text: String) { #expect(WordPrice(text) == nil) }

  @Test("the estimate includes each step of a route, has one total per currency, and omits vendors without a price")
  func sum() throws {
    let prices = ["machine": try #require(WordPrice("0.0005 USD")), "agency": try #require(WordPrice("0.12 EUR"))]
    var cost = CostEstimate()
    #expect(cost.text == nil)
    cost.add(words: 10, along: VendorRoute(steps: [["other"]]), prices: prices)
    #expect(cost.text == nil && cost.count == 0)
    cost.add(words: 10, along: VendorRoute(steps: [["machine", "other"], ["agency"]]), prices: prices)
    cost.add(words: 3, along: VendorRoute(steps: [["agency", "machine"]]), prices: prices)
    #expect(cost.count == 2)
    // The estimate is rounded up to hundredths.
    #expect(cost.text == "about 1.56 EUR and 0.01 USD")
  }
}
