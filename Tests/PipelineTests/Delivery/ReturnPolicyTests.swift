import Localization
import Testing

@testable import Pipeline

struct ReturnPolicyTests {
  private func refusal(
    _ language: LocaleIdentifier = "de", from vendor: String = "v", wasSent: Bool = false, present: Translation? = nil
  ) -> HoldReason? {
    Made.policy.refusal(of: language, in: "App/Localizable.xcstrings", from: vendor, wasSent: wasSent, present: present)
  }

  @Test("a sent unit is never refused, whatever the catalog contains and whichever vendor has the language now")
  func sent() {
    #expect(refusal(wasSent: true, present: Translation("Alt")) == nil)
    #expect(refusal("fr", wasSent: true) == nil)
  }

  @Test("units that were never sent are refused if their language is routed to another vendor")
  func routes() {
    #expect(refusal("fr") == .notRouted)
    #expect(refusal("de", from: "other") == .notRouted)
    #expect(refusal("fr", from: "other") == nil)
  }

  @Test(
    "units that were never sent are refused if a translation in any state exists; an empty text is not a translation")
  func present() {
    #expect(refusal(present: Translation("Alt")) == .neverSent("Alt"))
    #expect(refusal(present: Translation("Alt", state: .needsReview)) == .neverSent("Alt"))
    #expect(refusal(present: Translation("")) == nil)
    #expect(refusal() == nil)
  }

  @Test(
    "a bundle counts as unchanged if more than half of three or more finished targets equal their source",
    arguments: [
      (["A", "B", "C"], ["A", "B", "C"], true), (["A", "B", "C"], ["A", "B", "Z"], true),
      (["A", "B", "C", "D"], ["A", "B", "Y", "Z"], false), (["A", "B"], ["A", "B"], false),
      (["A", "B", "C", "D"], ["A", "B", "", ""], false),
      (["A", "B", "C"], [" A", "B\n", "C\u{200B}"], true), (["A", "B", "C"], ["A!", "B.", "C?"], false),
      (["é", "é", "é"], ["e\u{301}", "e\u{301}", "e\u{301}"], false),
    ])
  func unchanged(_ sources: [String], _ targets: [String], _ isUnchanged: Bool) {
    let units = zip(sources, targets).map { source, target in
      ExchangeUnit(key: UnitKey(source), source: .text(source), target: ExchangeTarget(.text(target)))
    }
    #expect(ReturnPolicy.isMostlyUnchanged(units) == isUnchanged)
  }
}
