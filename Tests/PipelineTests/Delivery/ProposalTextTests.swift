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

  @Test("the length limit counts UTF-16 code units, as Azure DevOps and Bitbucket Data Center do")
  func limit() {
    let body = proposal(100, source: String(repeating: "🐦", count: 80)).body(limit: 3900)
    #expect(body.utf16.count <= 3900 && body.utf16.count > 3300)
    #expect(body.contains("more\n") && body.contains("content `c1`"))
  }

  @Test("the name of a branch is shown as code, even if it contains backticks or bars")
  func branchName() {
    var proposal = proposal(1)
    proposal.branch = "release/x`@all`y|z"
    let shown = "``release/x`@all`y|z``"
    #expect(proposal.body(limit: 3900).hasPrefix("Dragoman proposes these translations for \(shown).\n"))

    let commit = CommitID(rawValue: "a")
    var record = CommitRecord(commit: commit, parent: nil, author: "", email: "", seconds: 0, subject: "")
    record.counts.added = 1
    let review = PullRequestReview(
      pipeline: "birds", base: proposal.branch, head: commit, record: record, findings: [], missing: [:],
      languages: ["de"], unreadBase: ["1 catalog"], isFrozen: true, routes: VendorRoutes([]), prices: [:])
    let comment = review.comment(limit: 3900).body
    #expect(comment.contains("translators of \(shown):\n"), "\(comment)")
    #expect(comment.contains("**\(shown) is frozen**"), "\(comment)")
    #expect(comment.contains("Parts of \(shown) could not be read"), "\(comment)")
  }

  @Test("the name of a language that is not a language tag is shown as code")
  func languageName() {
    var proposal = proposal(2)
    proposal.delivered[0].language = LocaleIdentifier("@team|x")
    proposal.held = [proposal.delivered[0]]
    proposal.delivered[0].translators = Set([Translator(name: "Ada")].compactMap(\.self))
    let body = proposal.body(limit: 3900)
    #expect(body.contains("| `@team\\|x` |") && body.contains("| de |"), "\(body)")
    #expect(!body.replacing("`@team\\|x`", with: "").contains("@"), "\(body)")

    let record = CommitRecord(
      commit: CommitID(rawValue: "a"), parent: nil, author: "", email: "", seconds: 0, subject: "")
    let unit = UnitID(catalog: "App/Localizable.xcstrings", key: "k")
    var review = PullRequestReview(
      pipeline: "birds", base: "main", head: record.commit, record: record, findings: [],
      missing: [unit: ["de"]], languages: ["de", LocaleIdentifier("@team|x")], isFrozen: false,
      routes: VendorRoutes([]), prices: [:])
    review.record.counts.added = 1
    review.record.changes = [CommitRecord.Change(unit: unit, kind: .added, text: "Open")]
    let comment = review.comment(limit: 3900).body
    #expect(comment.contains("(de, `@team|x`)"), "\(comment)")
  }

  @Test("a title stays within the limit, and its beginning depends only on the name of the branch")
  func title() {
    var proposal = proposal(6)
    #expect(proposal.title(limit: 240) == "Translations for main: de")
    proposal.branch = String(repeating: "x", count: 239)
    let one = proposal.title(limit: 240)
    #expect(one.utf16.count <= 240 && one.hasSuffix("x…: de"), "\(one)")
    for number in 0..<6 { proposal.delivered[number].language = LocaleIdentifier("zh-Hant-HK-x-l\(number)") }
    let other = proposal.title(limit: 240)
    #expect(other.prefix { $0 != ":" } == one.prefix { $0 != ":" })
    proposal.branch = String(repeating: "🐦", count: 100)
    #expect(proposal.title(limit: 240).utf16.count <= 240)
  }

  private func wanted(_ count: Int = 1) -> WantedPullRequest {
    let proposal = proposal(count)
    return WantedPullRequest(
      branch: "l10n/main", base: "main", tip: CommitID(rawValue: "a"), title: proposal.title,
      body: proposal.body(limit: 3900), beginning: Proposal.beginning, ending: Proposal.ending, mark: proposal.mark)
  }

  private func found(_ body: String, title: String = "Mine") -> PullRequest {
    PullRequest(number: 1, url: "", state: .open, head: CommitID(rawValue: "a"), title: title, body: body)
  }

  @Test("a person's text above or below our part of a pull request is kept")
  func people() {
    let own = wanted()
    let first = own.over(found("Please look at #7.\r\n\r\nThanks!"), limit: 3900)
    #expect(first.title == "Mine")
    #expect(first.body.hasPrefix("Please look at #7.\n\nThanks!\n\n---\n\nDragoman proposes these translations"))
    #expect(first.body.hasSuffix("content `c1`. Dragoman updates this text; comments are for people."))
    let later = wanted(2).over(found(first.body + "\nDone by Ada."), limit: 3900)
    #expect(later.body.hasPrefix("Please look at #7.\n\nThanks!\n\n---\n\nDragoman proposes these translations"))
    #expect(later.body.contains("| `k1` |") && later.body.hasSuffix("for people.\nDone by Ada."))
    #expect(later.body.ranges(of: Proposal.beginning).count == 1)
    // Without new translations, the text stays the same.
    #expect(wanted(2).over(found(later.body), limit: 3900) == later)
  }

  @Test("our own text is replaced as a whole, even if its extras are missing")
  func own() {
    let own = wanted()
    for body in ["", "\n", own.body, wanted(3).body, own.body + "\n\(PullRequestExtras.pending)"] {
      #expect(own.over(found(body), limit: 3900).body == own.body)
    }
    #expect(own.over(nil, limit: 3900) == own)
  }

  @Test("our part is shortened if a person's text leaves little room, and omitted if it leaves no room")
  func room() {
    let own = wanted(100)
    let long = own.over(found(String(repeating: "x", count: 3000)), limit: 3900).body
    #expect(long.utf16.count <= 3900 && long.contains("content `c1`") && !long.contains("| `k1` |"))
    let whole = String(repeating: "x", count: 3899)
    #expect(own.over(found(whole), limit: 3900).body == whole)
  }
}
