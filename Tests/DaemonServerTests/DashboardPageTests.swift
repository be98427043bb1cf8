import Dashboard
import Foundation
import Localization
import Pipeline
import ReadModel
import Testing

/// Individual pages, rendered without a server.
struct DashboardPageTests {
  private let pages = DashboardPages(
    language: .english, viewer: DashboardViewer(name: "ann", role: .viewer, formToken: "0"), path: "/")

  @Test("quotes, brackets and & are escaped, even before a combining accent")
  func combining() {
    let page = pages.search("\"\u{301} onfocus=\"x\" '\u{301} <\u{338}b> &\u{301}", [])
    #expect(page.contains("value=\"&quot;\u{301} onfocus=&quot;x&quot; &#39;\u{301} &lt;\u{338}b&gt; &amp;\u{301}\""))
  }

  @Test("a value in a URL is encoded with unreserved characters and percent escapes")
  func url() {
    #expect(DashboardPages.urlValue("aZ09-._~") == "aZ09-._~")
    #expect(DashboardPages.urlValue("a b/é&\"+%\u{0}👍") == "a%20b%2F%C3%A9%26%22%2B%25%00%F0%9F%91%8D")
  }

  @Test("the link to a string with a long key has a digest in place of the key")
  func longKeys() throws {
    let keys = [String(repeating: "a", count: 1000), String(repeating: "a", count: 1_000_000)]
    let units = keys.map { key in
      FoundUnit(pipeline: "p", unit: UnitID(catalog: "L.xcstrings", key: UnitKey(key)), text: "")
    }
    let page = pages.search("a", units)
    #expect(page.contains("href=\"/strings?pipeline=p&amp;key=\(keys[0])\""))
    let digest = try #require(DashboardPages.digest(ofLong: keys[1]))
    #expect(page.contains("href=\"/strings?pipeline=p&amp;digest=\(digest)\"") && page.utf8.count < 20_000)
  }

  @Test("an empty key is shown as two quotation marks with a link to its page")
  func emptyKey() {
    let page = pages.search("a", [FoundUnit(pipeline: "p", unit: UnitID(catalog: "L.xcstrings", key: ""), text: "")])
    #expect(page.contains("href=\"/strings?pipeline=p&amp;key=\"><bdi>&quot;&quot;</bdi>"), "\(page)")
  }

  @Test("the list of pipelines shows the totals of all pipelines and a link to the next page")
  func portfolio() {
    let totals = PortfolioTotals(pipelines: 1234, outstanding: 5678, held: 9, withProblem: 3)
    var portfolio = Portfolio(totals: totals, pipelines: ["a", "b c"].map { PipelineSummary(name: $0) }, hasMore: true)
    let page = pages.portfolio(portfolio, running: ["a"])
    for text in ["1,234", "5,678", "<dd>9</dd>", "<dd>3</dd>", "href=\"/?after=b%20c\"", "href=\"/pipelines/b%20c\""] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(!page.contains("Problems"))
    portfolio.hasMore = false
    #expect(!pages.portfolio(portfolio, running: []).contains("/?after="))
  }

  @Test("the page of a round shows a part of its texts and a link to the next part")
  func round() {
    let round = Round(
      id: RoundID(rawValue: 7), pipeline: "birds", number: 1, created: .now, isCancelled: false, books: [])
    let units = (0..<50).map { number in
      RoundUnit(
        source: UnitSource(
          unit: UnitID(catalog: "L.xcstrings", key: UnitKey("key \(number)")),
          pin: PinDigest(SourcePin(canonical: "\(number)"))), provenance: nil,
        sentFrom: CommitID(rawValue: String(repeating: "a", count: 40)))
    }
    let origins = [RoundOrigin(strings: 120)]
    let first = pages.round(round, held: [], units: units, from: 0, origins: origins)
    #expect(first.contains("<a class=\"button\" href=\"/rounds/7?from=50\">… and 70 more</a>"))
    #expect(first.contains("key 49"))
    let last = pages.round(round, held: [], units: Array(units.prefix(20)), from: 100, origins: origins)
    #expect(!last.contains("?from="))
  }

  @Test("arrows point in the reading direction of the page's language", arguments: [("en", "→"), ("ar", "←")])
  func arrows(_ language: String, _ arrow: String) {
    let pages = DashboardPages(
      language: PageLanguage(accepted: language), viewer: DashboardViewer(name: "ann", role: .viewer, formToken: "0"),
      path: "/")
    let commit = CommitID(rawValue: String(repeating: "a", count: 40))
    let delivery = Delivery(
      id: DeliveryID(rawValue: 1), pipeline: "birds", branch: "main", source: commit, target: "l10n/main",
      expected: nil, base: commit, commits: [commit], units: 1, created: .now, state: .pushed)
    let page = pages.pipeline(
      PipelineView(
        summary: PipelineSummary(name: "birds"), isRunning: true, repository: nil, completion: [], history: [],
        problems: [], rounds: [], deliveries: [delivery], now: .now))
    #expect(page.contains("</code> \(arrow) <bdi class=\"key\">l10n/main</bdi>"), "\(page)")
  }
}
