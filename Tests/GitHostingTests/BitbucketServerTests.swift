import GitHosting
import Localization
import Pipeline
import TestSupport
import Testing
import TranslationVendors

/// Behaviour that only Bitbucket Data Center has.
@Suite("Bitbucket Data Center")
struct BitbucketServerTests {
  private let double = ForgeServer(.bitbucketServer)

  private func wanted(_ text: String = "text", extras: PullRequestExtras = PullRequestExtras()) -> WantedPullRequest {
    WantedPullRequest(
      branch: "l10n/main", base: "main", tip: CommitID(rawValue: ForgeConformanceTests.first),
      title: "Translations for main: de", body: "\(text)\ncontent `1`", mark: "content `1`", extras: extras)
  }

  private func comment(_ text: String) -> WantedComment {
    WantedComment(body: "# \(text) end", beginning: "#", ending: "end", isNeeded: true)
  }

  @Test("an account without the permission to merge is reported, and the text is updated afterwards")
  func mayNotMerge() async throws {
    let server = try double.serve()
    let forge = try double.forge(server)
    double.change { $0.denied = ["POST 1/merge"] }
    var refused: [String] = []
    let extras = PullRequestExtras(reviewers: ["bob"], merge: .merge)
    for text in ["text", "more"] {
      _ = try await forge.ensure(wanted(text, extras: extras)) { refused.append($0) }
      #expect(double.state.pulls.map(\.body) == ["\(text)\ncontent `1`"])
    }
    #expect(refused.count == 1 && refused[0].hasPrefix("auto-merge: "), "\(refused)")
    #expect(refused[0].contains("“You are not permitted”, although it accepts the token"), "\(refused)")
    #expect(double.state.extras == [1: ["reviewer bob"]])
  }

  @Test("a comment of another account is kept; our comment is added and then updated")
  func otherAccount() async throws {
    double.change {
      $0.pulls = [.init(title: "y", body: "", branch: "topic", base: "main", sha: ForgeConformanceTests.first)]
      $0.comments = [.init(number: 1, body: "# old end", isOurs: false)]
      $0.denied = ["PUT comments/1"]
    }
    let server = try double.serve()
    let forge = try double.forge(server)
    for text in ["1", "2"] { #expect(try await forge.ensure(comment(text), on: 1)) }
    #expect(double.state.comments.map(\.body) == ["# old end", "# 2 end"])
  }

  @Test(
    "a missing permission is not reported as a wrong token",
    arguments: [
      "POST app/pull-requests", "POST 1/comments", "PUT pull-requests/1", "POST \(ForgeConformanceTests.first)/builds",
    ])
  func missingPermission(_ denied: String) async throws {
    double.change {
      $0.denied = [denied]
      guard denied != "POST app/pull-requests" else { return }
      $0.pulls = [.init(title: "t", body: "", branch: "l10n/main", base: "main", sha: ForgeConformanceTests.first)]
    }
    let server = try double.serve()
    let forge = try double.forge(server)
    let error = await #expect(throws: VendorError.self) {
      switch denied {
      case "POST 1/comments": _ = try await forge.ensure(comment("1"), on: 1)
      case let word where word.hasSuffix("/builds"):
        try await forge.set(
          CommitStatus(name: "l10n/freeze", isGood: true, text: "x"),
          of: CommitID(rawValue: ForgeConformanceTests.first), on: "l10n/main")
      default: _ = try await forge.ensure(wanted())
      }
    }
    let text = error?.description ?? ""
    #expect(text.contains("“You are not permitted”, although it accepts the token for other requests"), "\(text)")
    #expect(text.contains("a permission is missing") && !text.contains("expired"), "\(text)")
  }

  @Test("a wrong token is also reported as such if a request changes data")
  func wrongToken() async throws {
    let server = try double.serve()
    let error = await #expect(throws: VendorError.self) {
      try await double.forge(server, secret: "hunter2").addComment("x", to: 1)
    }
    #expect(error?.description.contains("Check the token that deliver.token names") == true, "\(error as Any)")
  }

  @Test("a pull request that auto-merge merges at once has its complete text, which cannot be changed any more")
  func mergedAtOnce() async throws {
    let server = try double.serve()
    double.change { $0.mergesAtOnce = true }
    let forge = try double.forge(server)
    let extras = PullRequestExtras(reviewers: ["bob"], merge: .merge)
    #expect(try await forge.ensure(wanted(extras: extras)).state == .merged)
    let body = double.state.pulls[0].body
    #expect(body.hasPrefix("text\ncontent `1`") && !body.contains("are being set"), "\(body)")
    #expect(double.state.extras == [1: ["reviewer bob", "merge"]])
    #expect(try await forge.ensure(wanted(extras: extras)).state == .merged)
    #expect(double.state.pulls.count == 1)
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }

  @Test("a change that conflicts with another account's change is sent again with the new version")
  func race() async throws {
    let server = try double.serve()
    let forge = try double.forge(server)
    _ = try await forge.ensure(wanted())
    double.change { $0.races = 1 }
    _ = try await forge.ensure(wanted("more"))
    #expect(double.state.pulls.map(\.body) == ["more\ncontent `1`"])
  }
}
