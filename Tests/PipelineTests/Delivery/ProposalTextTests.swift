import Localization
import Testing

@testable import Pipeline

@Suite("The text of pull requests") struct ProposalTextTests {
  private func proposal(_ count: Int, source: String = "Open") -> Proposal {
    let items = (0..<count).map { number in
      Proposal.Item(
        unit: UnitID(catalog: "App/Localizable.xcstrings", key: UnitKey("k\(number)")), language: "de", vendor: "v",
        source: source, target: source)
    }
    return Proposal(
      pipeline: "birds", branch: "main", delivered: items, held: [], bringsCatalogs: false, waiting: [], content: "c1")
  }

  @Test("the limit counts units of UTF-16, as Azure DevOps and Bitbucket Data Center do")
  func limit() {
    let body = proposal(100, source: String(repeating: "🐦", count: 80)).body(limit: 3900)
    #expect(body.utf16.count <= 3900 && body.utf16.count > 3300)
    #expect(body.contains("more\n") && body.contains("content `c1`"))
  }
}
