import Localization
import Testing

@testable import Pipeline

struct FreezeCheckTests {
  private func candidate(_ head: Int, _ key: UnitKey, _ language: LocaleIdentifier, wasSent: Bool = false)
    -> RoundPlanner.Candidate
  {
    RoundPlanner.Candidate(
      head: head, unit: UnitID(catalog: Made.catalog, key: key), pin: PinDigest(Made.pin(key)), language: language,
      vendor: "v", source: wasSent ? SourceID(rawValue: 1) : nil, route: VendorRoute(steps: [["v"]]))
  }

  @Test("a new string on a frozen branch is reported once for all languages")
  func findings() throws {
    let heads = [Made.head("main", nil), Made.head("release/1", nil)]
    let findings = FreezeCheck(heads: heads, frozen: [BranchPattern("release/*")], compared: ["release/1"]).findings([
      candidate(0, "onMain", "de"), candidate(1, "b", "de"), candidate(1, "b", "fr"), candidate(1, "a", "de"),
      candidate(1, "sentBefore", "de", wasSent: true),
    ])
    #expect(
      findings.map(\.message) == [
        "new string on frozen branch release/1: a", "new string on frozen branch release/1: b",
      ])
    #expect(findings.allSatisfy { $0.severity == .warning && $0.path == Made.catalog.text })
  }

  @Test("no string is reported without a frozen branch")
  func none() {
    #expect(
      FreezeCheck(heads: [Made.head("main", nil)], frozen: [], compared: ["main"]).findings([candidate(0, "a", "de")])
        .isEmpty)
  }

  @Test("strings that a branch has at the first poll are not new")
  func firstLook() {
    let heads = [Made.head("release/1", nil)]
    let check = FreezeCheck(heads: heads, frozen: [BranchPattern("release/*")], compared: [])
    #expect(check.findings([candidate(0, "a", "de")]).isEmpty)
  }
}
