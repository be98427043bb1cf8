import Foundation
import GitHosting
import HTTPTransport
import Localization
import Pipeline
import TestSupport
import Testing
import TranslationVendors

@Suite("Pull requests on GitHub")
struct GitHubForgeTests {
  private let github = GitHubServer()

  private func wanted(_ tip: String = "bb01", title: String = "Translate 3 strings", body: String = "a\nb\n")
    -> WantedPullRequest
  {
    WantedPullRequest(branch: "l10n/main", base: "main", tip: CommitID(rawValue: tip), title: title, body: body)
  }

  private func forge(_ server: LoopbackHTTPServer) throws -> GitHubForge {
    GitHubForge(
      base: try HTTPURL(server.url), owner: "acme", repository: "app", environment: github.environment(),
      paces: RequestPaces())
  }

  @Test("opens one pull request, and sends nothing more for the same text")
  func opens() async throws {
    let server = try github.serve()
    let forge = try forge(server)
    let opened = try await forge.ensure(wanted())
    #expect(opened.url == "https://github.example/acme/app/pull/1")
    #expect(try await forge.ensure(wanted()).number == 1)
    #expect(github.state.requests.map(\.method) == ["GET", "GET", "POST", "GET"])
    #expect(github.state.pulls.map(\.title) == ["Translate 3 strings"])
    #expect(github.state.refused.isEmpty)
  }

  @Test("updates title and body in place")
  func updates() async throws {
    let server = try github.serve()
    let forge = try forge(server)
    _ = try await forge.ensure(wanted())
    let updated = try await forge.ensure(wanted("bb02", title: "Translate 5 strings", body: "c"))
    #expect(updated.number == 1)
    #expect(github.state.pulls.map(\.title) == ["Translate 5 strings"])
    #expect(github.state.pulls.map(\.body) == ["c"])
    #expect(github.state.refused.isEmpty)
  }

  @Test("begins anew after a merge, once the branch has something new", arguments: [true, false])
  func merged(isMerged: Bool) async throws {
    let server = try github.serve()
    let forge = try forge(server)
    _ = try await forge.ensure(wanted())
    // Closed by a person (`isMerged == false`) or merged in any style: GitHub keeps the head commit of that moment.
    github.change {
      $0.pulls[0].state = "closed"
      $0.pulls[0].isMerged = isMerged
    }
    let left = try await forge.ensure(wanted(title: "Another title"))
    #expect(left.number == 1)
    #expect(left.state == (isMerged ? .merged : .closed))
    #expect(github.state.pulls.map(\.title) == ["Translate 3 strings"])
    github.change { $0.branches["l10n/main"] = "bb02" }
    #expect(try await forge.ensure(wanted("bb02")).number == 2)
    #expect(github.state.pulls.map(\.state) == ["closed", "open"])
    #expect(github.state.refused.isEmpty)
  }

  @Test("takes up a pull request that a person reopened")
  func reopened() async throws {
    let server = try github.serve()
    let forge = try forge(server)
    _ = try await forge.ensure(wanted())
    github.change { $0.pulls[0].state = "closed" }
    _ = try await forge.ensure(wanted("bb02"))
    github.change {
      $0.pulls[0].state = "open"
      $0.pulls[1].state = "closed"
    }
    #expect(try await forge.ensure(wanted("bb03", title: "New")).number == 1)
    #expect(github.state.pulls.map(\.title) == ["New", "Translate 3 strings"])
  }

  @Test("ends in one pull request after a fault", arguments: GitHubServer.Fault.allCases, ["GET", "POST", "PATCH"])
  func faults(fault: GitHubServer.Fault, method: String) async throws {
    let server = try github.serve()
    let forge = try forge(server)
    if method == "PATCH" { _ = try await forge.ensure(wanted(title: "Old")) }
    github.change { $0.fault = (method, fault) }
    #expect(try await forge.ensure(wanted()).number == 1)
    #expect(github.state.fault == nil)
    #expect(github.state.pulls.map(\.title) == ["Translate 3 strings"])
    #expect(github.state.refused.isEmpty)
  }

  @Test("ignores a pull request from a branch of the same name in a fork")
  func fork() async throws {
    let server = try github.serve()
    github.change {
      $0.pulls = [.init(title: "x", body: "", branch: "l10n/main", base: "main", sha: "cc01", repository: "acme/fork")]
    }
    #expect(try await forge(server).ensure(wanted()).number == 2)
  }

  @Test("throws the refusal when the branch was deleted")
  func branchDeleted() async throws {
    let server = try github.serve()
    github.change { $0.branches["l10n/main"] = nil }
    let error = await #expect(throws: TransportError.self) { try await forge(server).ensure(wanted()) }
    #expect(error?.kind == .status(422))
    #expect(github.state.pulls.isEmpty)
  }

  @Test("reads a recorded list", .enabled(if: SharedFolder.specs.isThere, "\(SharedFolder.specs.notice)"))
  func recorded() async throws {
    let body = Array(try SharedFolder.specs.data("forges/github/pulls.json"))
    let server = try LoopbackHTTPServer { _, _ in
      .respond(status: 200, headers: [("Content-Type", "application/json")], body: body)
    }
    let forge = GitHubForge(
      base: try HTTPURL(server.url), owner: "octocat", repository: "Hello-World", environment: github.environment(),
      paces: RequestPaces())
    let found = try #require(try await forge.pullRequest(from: "new-topic", into: "master"))
    #expect(found.number == 1347)
    #expect(found.state == .open)
    #expect(found.head.rawValue == "6dcb09b5b57875f334f61aebed695e2e4193db5e")
    #expect(found.url == "https://github.com/octocat/Hello-World/pull/1347")
  }
}
