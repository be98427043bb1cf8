import GitHosting
import HTTPTransport
import Localization
import Pipeline
import TestSupport
import Testing
import TranslationVendors

/// The behaviour of every forge, from opening a pull request to merging or closing it.
@Suite("Pull requests on every kind of forge")
struct ForgeConformanceTests {
  static let first = String(repeating: "b", count: 40)
  static let second = String(repeating: "c", count: 40)

  /// A pull request with German translations. Other suites use it too.
  static let german = WantedPullRequest(
    branch: "l10n/main", base: "main", tip: CommitID(rawValue: first), title: "Translations for main: de",
    body: "a\nb\ncontent `1`", mark: "content `1`")

  private func wanted(
    _ tip: String = first, _ what: String = "de", body: String = "a\nb\n", mark: String = "content `1`",
    isDraft: Bool = false
  ) -> WantedPullRequest {
    WantedPullRequest(
      branch: "l10n/main", base: "main", tip: CommitID(rawValue: tip), title: "Translations for main: \(what)",
      body: body + mark, mark: mark, isDraft: isDraft)
  }

  @Test("a pull request is opened, kept while nothing changes, and updated in place", arguments: ForgeKind.allCases)
  func life(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    let server = try double.serve()
    let forge = try double.forge(server)
    let opened = try await forge.ensure(wanted())
    #expect(opened.number == 1 && opened.state == .open && opened.url.contains("forge.example"))
    let before = double.state.requests.count
    #expect(try await forge.ensure(wanted()).number == 1)
    #expect(double.state.requests[before...].allSatisfy { $0.method == "GET" })

    double.change { $0.branches["l10n/main"] = Self.second }
    #expect(try await forge.ensure(wanted(Self.second, "de, fr", body: "c")).number == 1)
    #expect(double.state.pulls.map(\.title) == ["Translations for main: de, fr"])
    #expect(double.state.pulls.map(\.body) == ["ccontent `1`"])
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }

  @Test(
    "after a pull request was merged or closed, a new one is opened only for new content",
    arguments: ForgeKind.allCases)
  func ended(_ kind: ForgeKind) async throws {
    for end in [ForgeServer.Pull.State.merged, .closed] {
      let double = ForgeServer(kind)
      let server = try double.serve()
      let forge = try double.forge(server)
      _ = try await forge.ensure(wanted())
      double.change { $0.pulls[0].state = end }
      let left = try await forge.ensure(wanted())
      #expect(left.number == 1 && left.state == (end == .merged ? .merged : .closed))
      double.change { $0.branches["l10n/main"] = Self.second }
      if end == .closed {
        // Another commit has the same content, for example because the branch was deleted and made again.
        #expect(try await forge.ensure(wanted(Self.second)).number == 1)
      }
      #expect(try await forge.ensure(wanted(Self.second, mark: "content `2`")).number == 2)
      // A person may reopen the first pull request.
      double.change {
        $0.pulls[0].state = .open
        $0.pulls[1].state = .closed
      }
      #expect(try await forge.ensure(wanted(Self.second, mark: "content `3`")).number == 1)
      #expect(double.state.refused.isEmpty, "\(double.state.refused)")
    }
  }

  @Test("a branch with the same name in a fork is not treated as ours", arguments: ForgeKind.allCases)
  func fork(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    double.change {
      $0.pulls = [
        .init(title: "x", body: "", branch: "l10n/main", base: "main", sha: Self.second, isFork: true)
      ]
    }
    let server = try double.serve()
    #expect(try await double.forge(server).ensure(wanted()).number == 2)
  }

  @Test(
    "a repository that was renamed or moved keeps its pull request, and a fork's pull request is not treated as ours",
    arguments: ForgeKind.allCases)
  func moved(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    let server = try double.serve()
    let forge = try double.forge(server)
    _ = try await forge.ensure(wanted())
    double.change { $0.isMoved = true }
    #expect(try await forge.ensure(wanted(body: "new")).number == 1)
    #expect(double.state.pulls.map(\.body) == ["newcontent `1`"])
    double.change {
      $0.pulls[0].state = .closed
      $0.pulls.append(.init(title: "x", body: "", branch: "l10n/main", base: "main", sha: Self.second, isFork: true))
    }
    let closed = try await forge.ensure(wanted(body: "new"))
    #expect(closed.number == 1 && closed.state == .closed)
    #expect(try await forge.openPullRequests(into: "main", limit: 10).map(\.isFork) == [true])
    double.change { $0.pulls[1].isFork = false }
    #expect(try await forge.openPullRequests(into: "main", limit: 10).map(\.isFork) == [false])
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }

  @Test("a title that a person wrote is kept", arguments: ForgeKind.allCases)
  func title(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    let server = try double.serve()
    let forge = try double.forge(server)
    _ = try await forge.ensure(wanted())
    let people = [
      "Please review by Friday", "Translations for main: de (JIRA-12)", "JIRA-12 Translations for main: de",
      "Translations for main: de, fr, URGENT", "Translations for main", "[Draft] Translations for main: de",
    ]
    for (number, title) in people.enumerated() {
      double.change { $0.pulls[0].title = title }
      _ = try await forge.ensure(wanted(Self.first, "de, fr", body: "\(number)"))
      #expect(double.state.pulls.map(\.title) == [title])
      #expect(double.state.pulls.map(\.body) == ["\(number)content `1`"])
    }
    for title in ["de, pt-BR, zh-Hans, fil", "12 languages", "catalogs in step with the code"] {
      double.change { $0.pulls[0].title = "Translations for main: \(title)" }
      _ = try await forge.ensure(wanted(body: title))
      #expect(double.state.pulls.map(\.title) == ["Translations for main: de"])
    }
  }

  @Test("a pull request opens as a draft, and only people end the draft state", arguments: [ForgeKind.gitlab, .gitea])
  func drafts(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    let server = try double.serve()
    let forge = try double.forge(server)
    _ = try await forge.ensure(wanted(isDraft: true))
    let mark = kind == .gitlab ? "Draft: " : "WIP: "
    #expect(double.state.pulls.map(\.title) == [mark + "Translations for main: de"])
    let before = double.state.requests.count
    _ = try await forge.ensure(wanted(isDraft: true))
    #expect(double.state.requests[before...].allSatisfy { $0.method == "GET" })
    _ = try await forge.ensure(wanted(body: "new", isDraft: true))
    #expect(double.state.pulls.map(\.title) == [mark + "Translations for main: de"])
    double.change { $0.pulls[0].title = "Translations for main: de" }
    _ = try await forge.ensure(wanted(body: "newer", isDraft: true))
    #expect(double.state.pulls.map(\.title) == ["Translations for main: de"])
  }

  @Test("our pull request exists exactly once, whichever request fails", arguments: ForgeKind.allCases)
  func faults(_ kind: ForgeKind) async throws {
    for fault in ForgeServer.Fault.allCases {
      for number in 0..<5 {
        let double = ForgeServer(kind)
        let server = try double.serve()
        let forge = try double.forge(server)
        double.change { $0.fault = (number, fault) }
        // After an error that cannot be fixed within the call, the stage repeats the call.
        var tries = 0
        func ensure(_ wanted: WantedPullRequest) async throws {
          while true {
            do {
              _ = try await forge.ensure(wanted)
              return
            } catch {
              tries += 1
              #expect((error as? any DisposableError)?.disposition != .permanent, "\(error)")
              double.wait(after: error)
              guard tries < 3 else { throw error }
            }
          }
        }
        try await ensure(wanted())
        try await ensure(wanted(body: "new"))
        #expect(double.state.pulls.count == 1, "\(fault) at request \(number)")
        #expect(double.state.pulls.map(\.body) == ["newcontent `1`"])
        #expect(double.state.refused.isEmpty, "\(fault) at request \(number): \(double.state.refused)")
      }
    }
  }

  @Test(
    "a long text is read completely: it is not resent, a closed pull request stays closed, and people's text is kept",
    arguments: ForgeKind.allCases)
  func long(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    let server = try double.serve()
    let forge = try double.forge(server)
    func wanted(_ what: String) -> WantedPullRequest {
      let text = "We propose \(what).\n" + String(repeating: "| `Walk` | de | `Weg` |\n", count: 60)
      return WantedPullRequest(
        branch: "l10n/main", base: "main", tip: CommitID(rawValue: Self.first), title: "Translations for main: de",
        body: text + "\nPipeline `app`, content `1`. The end.", beginning: "We propose", lastLine: "Pipeline ",
        ending: "The end.", mark: "content `1`")
    }
    _ = try await forge.ensure(wanted("A"))
    let people = ["Ada: " + String(repeating: "please check. ", count: 50) + "\n\n", "\n\nBob: please wait."]
    double.change { $0.pulls[0].body = people[0] + $0.pulls[0].body + people[1] }
    let before = double.state.requests.count
    _ = try await forge.ensure(wanted("A"))
    #expect(double.state.requests[before...].allSatisfy { $0.method == "GET" })
    _ = try await forge.ensure(wanted("B"))
    #expect(double.state.pulls.map(\.body) == [people[0] + wanted("B").body + people[1]])
    double.change {
      $0.pulls[0].state = .closed
      $0.branches["l10n/main"] = Self.second
    }
    var same = wanted("C")
    same.tip = CommitID(rawValue: Self.second)
    let left = try await forge.ensure(same)
    #expect(left.number == 1 && left.state == .closed)
    #expect(double.state.pulls.count == 1)
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }

  @Test("a wrong token is reported with the next step and without the token", arguments: ForgeKind.allCases)
  func token(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    let server = try double.serve()
    let forge = try double.forge(server, secret: "hunter2")
    let error = await #expect(throws: VendorError.self) { try await forge.ensure(wanted()) }
    #expect(error?.disposition == .askPerson)
    let text = error?.description ?? ""
    #expect(text.contains("Check the token that deliver.token names"), "\(text)")
    // The message does not describe a request, and does not mention settings that only vendors have.
    #expect(!text.hasPrefix("cannot ") && !text.contains("credentials:") && !text.contains("url:"), "\(text)")
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test("an HTML page in a response is an error that names the server", arguments: ForgeKind.allCases)
  func html(_ kind: ForgeKind) async throws {
    let server = try LoopbackHTTPServer { _, _ in
      .respond(status: 200, headers: [("Content-Type", "text/html")], body: Array("<html>Sign in</html>".utf8))
    }
    let error = await #expect(throws: VendorError.self) {
      try await ForgeServer(kind).forge(server).ensure(wanted())
    }
    #expect(error?.description.contains("a web page instead of JSON") == true)
  }

  @Test("credentials for git also work for the API: user:token, Bearer TOKEN", arguments: ForgeKind.allCases)
  func userAndToken(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    let server = try double.serve()
    let user = kind == .bitbucket ? "x-token-auth" : kind == .azure ? "" : "bot"
    for secret in ["\(user):token-1", "Bearer token-1"] {
      #expect(try await double.forge(server, secret: secret).ensure(wanted()).number == 1)
    }
  }

  @Test(
    "recorded pull requests are decoded", .enabled(if: SharedFolder.specs.isThere, "\(SharedFolder.specs.notice)"),
    arguments: [
      (ForgeKind.gitlab, "gitlab/merges.json"), (.gitea, "gitea/prs.json"), (.bitbucket, "bitbucket/prs.json"),
      (.bitbucketServer, "bitbucket-server/prs.json"), (.github, "github/pulls.json"),
    ])
  func recorded(_ kind: ForgeKind, _ name: String) async throws {
    let body = Array(try SharedFolder.specs.data("forges/\(name)"))
    let server = try LoopbackHTTPServer { request, _ in
      // This request reads the repository's current name.
      if kind == .github, request.path.count == 3 { return .json(["full_name": "acme/app"]) }
      // On Gitea and Forgejo, this request finds a pull request by base and head.
      if kind == .gitea, request.path.count == 6 { return .json(["message": "none"], status: 404) }
      return .respond(status: 200, headers: [("Content-Type", "application/json")], body: body)
    }
    // None of the listed pull requests is ours. The test only checks that the list can be read.
    #expect(try await ForgeServer(kind).forge(server).pullRequest(from: "no such branch", into: "main") == nil)
  }
}

@Suite("The address of a repository on a forge")
struct ForgeRepositoryTests {
  @Test(
    "host and path are read from every form of an address",
    arguments: [
      ("https://github.com/acme/app.git", "github.com", ["acme", "app"]),
      ("https://user@GitHub.com/acme/app/", "github.com", ["acme", "app"]),
      ("git@gitlab.com:group/sub/app.git", "gitlab.com", ["group", "sub", "app"]),
      ("ssh://git@git.example.com:7999/KEY/app.git", "git.example.com", ["KEY", "app"]),
      ("https://dev.azure.com/acme/My%20App/_git/app", "dev.azure.com", ["acme", "My App", "_git", "app"]),
    ])
  func addresses(_ text: String, _ host: String, _ path: [String]) throws {
    let found = try #require(ForgeRepository(remote: text))
    #expect(found.host == host && found.path == path)
  }

  @Test(
    "a repository that is not on a server has no pull requests",
    arguments: ["/srv/app.git", "file:///srv/a/b", "https://host/app", "https://host/a/..", "app"])
  func others(_ text: String) { #expect(ForgeRepository(remote: text) == nil) }

  @Test("the API of a self-hosted server is at a path below the server's address")
  func own() throws {
    let found = try #require(ForgeRepository(remote: "http://127.0.0.1:8080/acme/app.git"))
    #expect(ForgeKind.gitea.api(of: found) == "http://127.0.0.1:8080/api/v1")
    let ssh = try #require(ForgeRepository(remote: "ssh://git@git.example.com:2222/acme/app.git"))
    #expect(ForgeKind.gitlab.api(of: ssh) == "https://git.example.com/api/v4" && ForgeKind(host: ssh.host) == nil)
  }
}
