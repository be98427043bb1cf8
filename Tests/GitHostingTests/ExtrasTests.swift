import GitHosting
import Localization
import Pipeline
import TestSupport
import Testing

/// Labels, reviewers, automatic merging and protected branches. The requests are checked with the published specifications.
@Suite("Labels, reviewers and merging of pull requests")
struct ExtrasTests {
  private static let tip = String(repeating: "b", count: 40)

  private func wanted(_ extras: PullRequestExtras, _ text: String = "text") -> WantedPullRequest {
    WantedPullRequest(
      branch: "l10n/main", base: "main", tip: CommitID(rawValue: Self.tip), title: "Translations for main: de",
      body: "\(text)\ncontent `1`", mark: "content `1`", extras: extras)
  }

  /// Returns the settings that a kind of forge supports, and the same settings as the server stores them.
  private func extras(_ kind: ForgeKind) -> (wanted: PullRequestExtras, set: [String]) {
    switch kind {
    case .github:
      (
        PullRequestExtras(labels: ["l10n", "bot"], reviewers: ["ada", "team:ios"], merge: .squash),
        ["label l10n", "label bot", "reviewer ada", "reviewer team ios", "merge squash"]
      )
    case .gitlab:
      (
        PullRequestExtras(labels: ["l10n", "bot"], reviewers: ["ada"], merge: .squash),
        ["label l10n", "label bot", "reviewer ada", "merge squash"]
      )
    case .gitea, .forgejo:
      (
        PullRequestExtras(labels: ["l10n", "bot"], reviewers: ["ada", "team:ios"], merge: .rebase),
        ["label l10n", "label bot", "reviewer ada", "reviewer team ios", "merge rebase"]
      )
    case .bitbucket: (PullRequestExtras(reviewers: ["{1-2}"]), ["reviewer {1-2}"])
    case .bitbucketServer: (PullRequestExtras(reviewers: ["bob"], merge: .merge), ["reviewer bob", "merge"])
    case .azure:
      (
        PullRequestExtras(labels: ["l10n", "bot"], reviewers: ["1-2"], merge: .merge),
        ["label l10n", "label bot", "reviewer 1-2", "merge merge"]
      )
    }
  }

  @Test(
    "labels, reviewers and merging are set once at opening, and people's later changes are kept",
    arguments: ForgeKind.allCases)
  func once(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    let server = try double.serve()
    let forge = try double.forge(server)
    let (extras, set) = extras(kind)
    var refused: [String] = []
    _ = try await forge.ensure(wanted(extras)) { refused.append($0) }
    #expect(double.state.extras == [1: set])
    #expect(double.state.pulls.map(\.body) == ["text\ncontent `1`"])
    double.change { $0.extras = [:] }
    _ = try await forge.ensure(wanted(extras))
    _ = try await forge.ensure(wanted(extras, "more"))
    #expect(double.state.extras.filter { !$0.value.allSatisfy { $0.hasPrefix("reviewer") } }.isEmpty)
    #expect(refused.isEmpty && double.state.refused.isEmpty, "\(refused) \(double.state.refused)")
  }

  @Test(
    "additions by other programs to title and text are kept while a pull request is being opened",
    arguments: ForgeKind.allCases)
  func addedMeanwhile(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    let server = try double.serve()
    double.change {
      $0.afterOpening = { pull in
        pull.title += " (JIRA-12)"
        pull.body = "Preview: x\n\n\(pull.body)\nChecked by a program."
      }
    }
    var wanted = wanted(extras(kind).wanted)
    (wanted.beginning, wanted.lastLine, wanted.ending) = ("text", "content ", "`1`")
    _ = try await double.forge(server).ensure(wanted)
    #expect(double.state.pulls.map(\.title) == ["Translations for main: de (JIRA-12)"])
    let body = double.state.pulls[0].body
    #expect(body.hasPrefix("Preview: x\n\ntext\ncontent `1`\n") && body.hasSuffix("\nChecked by a program."), "\(body)")
    #expect(!body.contains("being set"), "\(body)")
    #expect(Set(double.state.extras[1] ?? []) == Set(extras(kind).set))
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }

  @Test(
    "after an interruption, people's reviewers, votes and merge settings are kept, and ours are added",
    arguments: ForgeKind.allCases)
  func interrupted(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    let server = try double.serve()
    let (extras, set) = extras(kind)
    let person = kind == .bitbucketServer ? "cleo" : kind == .bitbucket ? "{3-4}" : kind == .azure ? "1-2" : "bob"
    let theirs =
      ["reviewer \(person)"] + ([.github, .gitlab, .azure].contains(kind) ? ["merge theirs"] : [])
    double.change {
      var pull = ForgeServer.Pull(
        title: "Translations for main: de",
        body: "text\ncontent `1`\n\nLabels, reviewers and merging are being set.\n", branch: "l10n/main", base: "main",
        sha: Self.tip)
      pull.reviewers = [person]
      pull.votes = [person: 10]
      $0.pulls = [pull]
      $0.extras = [1: theirs]
    }
    _ = try await double.forge(server).ensure(wanted(extras))
    let merging = theirs.filter { $0.hasPrefix("merge") }
    let ours = set.filter { !$0.hasPrefix("merge") || merging.isEmpty }
    #expect(Set(double.state.extras[1] ?? []) == Set(theirs + ours))
    #expect(double.state.pulls[0].votes[person] == 10)
    #expect(double.state.pulls.map(\.body) == ["text\ncontent `1`"])
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }

  @Test("labels, reviewers and merging are set even if any single request fails", arguments: ForgeKind.allCases)
  func faults(_ kind: ForgeKind) async throws {
    let (extras, set) = extras(kind)
    for fault in ForgeServer.Fault.allCases {
      for number in 0..<10 {
        let double = ForgeServer(kind)
        let server = try double.serve()
        let forge = try double.forge(server)
        double.change { $0.fault = (number, fault) }
        for _ in 0..<3 {
          do { _ = try await forge.ensure(wanted(extras)) } catch {
            #expect((error as? any DisposableError)?.disposition != .permanent, "\(error)")
            double.wait(after: error)
          }
        }
        #expect(double.state.pulls.map(\.body) == ["text\ncontent `1`"], "\(fault) at request \(number)")
        #expect(Set(double.state.extras[1] ?? []) == Set(set), "\(fault) at request \(number)")
        #expect(double.state.refused.isEmpty, "\(fault) at request \(number): \(double.state.refused)")
      }
    }
  }

  @Test(
    "a merge setting that the forge cannot apply yet is retried without the others until the caller gives up",
    arguments: [ForgeKind.github, .gitlab, .gitea, .forgejo, .bitbucketServer])
  func mergingLater(_ kind: ForgeKind) async throws {
    let (extras, set) = extras(kind)
    for isPatient in [true, false] {
      let double = ForgeServer(kind)
      let server = try double.serve()
      let forge = try double.forge(server)
      double.change { $0.mergingLater = 2 }
      var (words, refused): ([String], [String]) = ([], [])
      func ensure() async throws {
        _ = try await forge.ensure(wanted(extras)) {
          refused.append($0)
        } merging: {
          words.append($0)
          return isPatient
        }
      }
      try await ensure()
      #expect(double.state.extras == [1: set.filter { !$0.hasPrefix("merge") }])
      #expect(double.state.pulls[0].body.contains("Merging is set as soon as") == isPatient)
      double.change { $0.extras[1]?.removeAll { $0.hasPrefix("label") } }
      for _ in 1...3 { try await ensure() }
      #expect(double.state.extras[1]?.contains { $0.hasPrefix("merge") } == isPatient)
      #expect(double.state.extras[1]?.contains { $0.hasPrefix("label") } == false, "people's changes are kept")
      #expect(double.state.pulls.map(\.body) == ["text\ncontent `1`"])
      #expect(words.count == (isPatient ? 2 : 1) && refused.isEmpty, "\(words) \(refused)")
      #expect(double.state.refused.isEmpty, "\(double.state.refused)")
    }
  }

  @Test("a missing merge permission on GitLab is not reported as a wrong token")
  func mayNotMerge() async throws {
    let double = ForgeServer(.gitlab)
    let server = try double.serve()
    double.change { $0.denied = ["PUT 1/merge"] }
    var refused: [String] = []
    let wanted = wanted(PullRequestExtras(labels: ["l10n"], merge: .merge))
    let pull = try await double.forge(server).ensure(wanted) { refused.append($0) }
    #expect(pull.number == 1)
    #expect(refused.count == 1 && refused[0].contains("may not merge into the branch"), "\(refused)")
    #expect(double.state.extras == [1: ["label l10n"]])
  }

  @Test(
    "an unknown reviewer is reported, and the others are requested",
    arguments: [ForgeKind.github, .gitea, .forgejo, .bitbucket, .bitbucketServer])
  func unknownReviewer(_ kind: ForgeKind) async throws {
    let (known, stranger) = kind == .bitbucket ? ("{1-2}", "{stranger}") : ("bob", "stranger")
    let double = ForgeServer(kind)
    let server = try double.serve()
    var refused: [String] = []
    let wanted = wanted(PullRequestExtras(reviewers: [stranger, known]))
    _ = try await double.forge(server).ensure(wanted) { refused.append($0) }
    #expect(double.state.extras == [1: ["reviewer \(known)"]])
    #expect(refused.count == 1 && refused[0].hasPrefix("reviewer \(stranger): "), "\(refused)")
    #expect(double.state.pulls.map(\.body) == ["text\ncontent `1`"])
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }

  @Test("settings that the forge refuses are reported, and the others are applied")
  func refusals() async throws {
    let double = ForgeServer(.github)
    let server = try double.serve()
    var refused: [String] = []
    let extras = PullRequestExtras(labels: ["l10n"], reviewers: ["stranger"], merge: .rebase)
    _ = try await double.forge(server).ensure(wanted(extras)) { refused.append($0) }
    #expect(refused.map { String($0.prefix { $0 != ":" }) } == ["reviewers", "auto-merge"])
    // The server repeats the token in its refusal.
    #expect(refused.last?.contains("Not allowed for Bearer REDACTED") == true, "\(refused)")
    #expect(double.state.extras == [1: ["label l10n"]])
    let gitea = ForgeServer(.gitea)
    refused = []
    let other = try gitea.serve()
    _ = try await gitea.forge(other).ensure(wanted(PullRequestExtras(labels: ["none", "bot"]))) { refused.append($0) }
    #expect(refused == ["labels: there is no label none"])
    #expect(gitea.state.extras == [1: ["label bot"]])
  }

  @Test("a protected branch is detected on forges that report it", arguments: ForgeKind.allCases)
  func protected(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    double.change { $0.protected = ["main"] }
    let server = try double.serve()
    let forge = try double.forge(server)
    let isTold = [.github, .gitlab, .gitea, .forgejo].contains(kind)
    #expect(try await (forge.obstacle(toPushing: "main") != nil) == isTold)
    #expect(try await forge.obstacle(toPushing: "l10n/main") == nil)
    #expect(try await forge.obstacle(toPushing: "none") == nil)
  }

  @Test(
    "all requests match the published specification",
    .enabled(if: SharedFolder.specs.isThere, "\(SharedFolder.specs.notice)"), arguments: ForgeKind.allCases)
  func specification(_ kind: ForgeKind) async throws {
    let specification = try ForgeSpecification(kind)
    let double = ForgeServer(kind)
    let server = try double.serve()
    let forge = try double.forge(server, usesChecks: false)
    let (extras, _) = extras(kind)
    let commit = CommitID(rawValue: Self.tip)
    _ = try await forge.ensure(wanted(extras))
    _ = try await forge.ensure(wanted(extras, "more"))
    double.change { $0.protectionRules = [["name": "n*", "push_access_levels": [["access_level": 40]]]] }
    for branch in ["main", "none"] { _ = try await forge.obstacle(toPushing: branch) }
    try await forge.set(CommitStatus(name: "l10n/freeze", isGood: true, text: "x"), of: commit, on: "l10n/main")
    let number = try #require(try await forge.openPullRequests(into: "main", limit: 100).first?.number)
    for text in ["1", "2"] {
      _ = try await forge.ensure(
        WantedComment(body: "# \(text) end", beginning: "#", ending: "end", isNeeded: true), on: number)
    }
    if kind == .github {
      let annotations = (1...60).map { StatusAnnotation(path: "A.swift", line: $0, text: "x") }
      try await double.forge(server, usesChecks: true).set(
        CommitStatus(name: "l10n/freeze", isGood: false, text: "x", annotations: annotations), of: commit,
        on: "l10n/main")
    }
    var checked = 0
    for request in double.state.requests {
      let faults = specification.unknownFaults(in: request)
      #expect(faults?.isEmpty ?? true, "\(request.line): \(faults ?? []) \(request.object)")
      if faults != nil { checked += 1 }
    }
    // The saved specification of GitLab lacks merge requests, and GitHub's lacks GraphQL.
    #expect(checked >= (kind == .gitlab ? 3 : 9), "\(checked) of \(double.state.requests.map(\.line))")
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }
}
