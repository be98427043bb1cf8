import GitHosting
import Localization
import Pipeline
import TestSupport
import Testing
import TranslationVendors

/// Behaviour that only GitLab has.
@Suite("GitLab") struct GitLabTests {
  private static let tip = String(repeating: "b", count: 40)

  /// Requests reviewers for a new pull request.
  /// - Returns: the reviewers that were set, and the messages about the other reviewers.
  private func reviewers(_ names: [String], takesOne: Bool) async throws -> (set: [String], refused: [String]) {
    let double = ForgeServer(.gitlab)
    double.change { $0.takesOneReviewer = takesOne }
    let server = try double.serve()
    var refused: [String] = []
    let wanted = WantedPullRequest(
      branch: "l10n/main", base: "main", tip: CommitID(rawValue: Self.tip), title: "Translations for main: de",
      body: "content `1`", mark: "content `1`", extras: PullRequestExtras(reviewers: names))
    _ = try await double.forge(server).ensure(wanted) { refused.append($0) }
    #expect(double.state.pulls.map(\.body) == ["content `1`"])
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
    return (double.state.extras[1] ?? [], refused)
  }

  @Test("reviewers that the server silently drops are reported, and the others are requested")
  func leftOut() async throws {
    let several = try await reviewers(["stranger", "ada", "bob"], takesOne: false)
    #expect(several.set == ["reviewer ada", "reviewer bob"])
    #expect(several.refused.count == 1 && several.refused[0].hasPrefix("reviewer stranger: the server did not add"))
    let one = try await reviewers(["ada", "bob"], takesOne: true)
    #expect(one.set == ["reviewer ada"])
    #expect(one.refused.count == 1 && one.refused[0].hasPrefix("reviewer bob: the server did not add the account"))
    // The server considers only the first name, and the stranger has no access.
    let second = try await reviewers(["stranger", "ada"], takesOne: true)
    #expect(second.set == ["reviewer ada"])
    #expect(second.refused.count == 1 && second.refused[0].hasPrefix("reviewer stranger: "))
    let none = try await reviewers(["stranger", "nobody"], takesOne: false)
    #expect(none.set == [])
    #expect(none.refused.map { String($0.prefix(22)) } == ["reviewers: there is no", "reviewer stranger: the"])
  }

  @Test(
    "a rule for branches that do not exist yet is detected if it blocks pushes of our account",
    arguments: [
      ("l10n/*", [["access_level": 40]], 30, true), ("l10n/*", [["access_level": 40]], 40, false),
      ("l10n/*", [["access_level": 30]], 30, false), ("l10n/*", [["access_level": 0]], 50, true),
      ("l10n/*", [["access_level": 0]], nil, true), ("l10n/*", [["access_level": 60]], nil, false),
      ("l10n/*", [], 40, true), ("*", [["access_level": 40]], 30, true), ("*/next/*", [["access_level": 40]], 30, true),
      ("l10n/next/main", [["access_level": 40]], 30, true), ("l10n", [["access_level": 40]], 30, false),
      ("*/maint", [["access_level": 40]], 30, false), ("l10n/*/main*x", [["access_level": 40]], 30, false),
      // The rule does not show whether user 5 is our account.
      ("l10n/*", [["access_level": 40], ["access_level": 40, "user_id": 5]], 30, false),
    ] as [(String, [[String: Int]], Int?, Bool)])
  func rules(_ rule: String, _ levels: [[String: Int]], _ own: Int?, _ isObstacle: Bool) async throws {
    let double = ForgeServer(.gitlab)
    double.change {
      $0.accessLevel = own
      // Other rules fill the first page of the list.
      $0.protectionRules = (1...100).map { ["name": "release-\($0)", "push_access_levels": [["access_level": 60]]] }
      $0.protectionRules.append(["name": rule, "push_access_levels": levels])
    }
    let server = try double.serve()
    let obstacle = try await double.forge(server).obstacle(toPushing: "l10n/next/main")
    #expect((obstacle != nil) == isObstacle, "\(obstacle ?? "none")")
    if isObstacle { #expect(obstacle?.contains("the rule for \(rule), and the token's account may not push") == true) }
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }

  @Test(
    "a status that GitLab leaves in a failed or cancelled state is reported with the next step and does not count as set",
    arguments: [("success", false), ("failed", true), ("canceled", true), ("canceling", true)])
  func stuckStatus(_ present: String, _ isRefused: Bool) async throws {
    let double = ForgeServer(.gitlab)
    double.change { $0.stuckStatus = present }
    let server = try double.serve()
    let forge = try double.forge(server)
    let status = CommitStatus(name: "l10n/freeze", isGood: true, text: "x")
    func set() async throws { try await forge.set(status, of: CommitID(rawValue: Self.tip), on: "l10n/main") }
    guard isRefused else { return try await set() }
    let error = await #expect(throws: VendorError.self) { try await set() }
    #expect(error?.disposition == .askPerson)
    let words = error?.description ?? ""
    #expect(words.contains("“Cannot transition status via :enqueue from :\(present)”"), "\(words)")
    #expect(words.contains("l10n/freeze of bbbbbbbbbb on l10n/main is \(present), and GitLab does not"), "\(words)")
    #expect(words.contains("or push a new commit"), "\(words)")
  }

  @Test("a merge request that is being merged is not changed, and checked again later")
  func locked() async throws {
    let double = ForgeServer(.gitlab)
    let server = try double.serve()
    let forge = try double.forge(server)
    func wanted(_ tip: String, _ body: String) -> WantedPullRequest {
      WantedPullRequest(
        branch: "l10n/main", base: "main", tip: CommitID(rawValue: tip), title: "Translations for main: de", body: body)
    }
    _ = try await forge.ensure(wanted(Self.tip, "1"))
    double.change { $0.pulls[0].state = .locked }
    let next = String(repeating: "c", count: 40)
    double.change { $0.branches["l10n/main"] = next }
    // If the state counted as merged, another commit would open a new merge request.
    for tip in [Self.tip, next] {
      let found = try await forge.ensure(wanted(tip, "2"))
      #expect(found.number == 1 && found.state == .merging)
    }
    #expect(double.state.pulls.map(\.body) == ["1"])
    // The merge has failed.
    double.change { $0.pulls[0].state = .open }
    let found = try await forge.ensure(wanted(next, "2"))
    #expect(found.number == 1 && found.state == .open && double.state.pulls.map(\.body) == ["2"])
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }

  @Test("the most permissive of several branch rules applies, and an unreadable list of rules is ignored")
  func several() async throws {
    let double = ForgeServer(.gitlab)
    double.change {
      $0.protectionRules = [
        ["name": "l10n/*", "push_access_levels": [["access_level": 60]]],
        ["name": "l10n/n*", "push_access_levels": [["access_level": 30]]],
      ]
    }
    let server = try double.serve()
    let forge = try double.forge(server)
    #expect(try await forge.obstacle(toPushing: "l10n/next") == nil)
    #expect(try await forge.obstacle(toPushing: "l10n/main2")?.contains("l10n/*") == true)
    let closed = try LoopbackHTTPServer { request, _ in
      .json(["message": "no"], status: request.path.last == "protected_branches" ? 403 : 404)
    }
    #expect(try await ForgeServer(.gitlab).forge(closed).obstacle(toPushing: "l10n/next") == nil)
  }
}
