import GitHosting
import Localization
import Pipeline
import TestSupport
import Testing

/// Comments on other people's pull requests, and check runs.
@Suite("Comments on every kind of forge")
struct CommentTests {
  private static let fork = String(repeating: "d", count: 40)

  private func wanted(_ text: String, isNeeded: Bool = true) -> WantedComment {
    WantedComment(
      body: "### L\n\n\(text)\n\nPipeline `a`\n", beginning: "### L", ending: "Pipeline `a`", isNeeded: isNeeded)
  }

  private func double(_ kind: ForgeKind) -> ForgeServer {
    let double = ForgeServer(kind)
    double.change {
      $0.pulls = [
        .init(title: "x", body: "", branch: "l10n/main", base: "main", sha: ""),
        .init(title: "y", body: "", branch: "topic", base: "main", sha: Self.fork, isFork: true),
        .init(state: .merged, title: "z", body: "", branch: "old", base: "main", sha: Self.fork),
        .init(title: "z", body: "", branch: "l10n/main", base: "other", sha: Self.fork),
      ]
    }
    return double
  }

  @Test("the open pull requests into a branch are listed, including those from forks", arguments: ForgeKind.allCases)
  func open(_ kind: ForgeKind) async throws {
    let double = double(kind)
    let server = try double.serve()
    let found = try await double.forge(server).openPullRequests(into: "main", limit: 100).sorted {
      $0.number < $1.number
    }
    #expect(found.map(\.number) == [1, 2])
    #expect(found.map(\.isFork) == [false, true])
    #expect(found.map(\.branch) == ["l10n/main", "topic"])
    let digits = kind == .bitbucket ? 12 : 40
    #expect(
      found.map(\.head.rawValue) == [String(repeating: "b", count: digits), String(repeating: "d", count: digits)])
    let reference: String? =
      switch kind {
      case .github, .gitea, .forgejo: "refs/pull/2/head"
      case .gitlab: "refs/merge-requests/2/head"
      case .bitbucket: nil
      case .bitbucketServer: "refs/pull-requests/2/from"
      case .azure: "refs/pull/2/merge"
      }
    #expect(found.last?.reference == reference)
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }

  @Test("on Azure DevOps, a pull request with conflicts is listed without a reference of its newest commit")
  func conflicts() async throws {
    let double = double(.azure)
    double.change { $0.pulls[1].hasConflicts = true }
    let server = try double.serve()
    let found = try await double.forge(server).openPullRequests(into: "main", limit: 100)
    #expect(found.map(\.number).sorted() == [1, 2])
    #expect(found.compactMap(\.reference) == ["refs/pull/1/merge"])
    #expect(found.first { $0.number == 2 }?.head.rawValue == Self.fork)
  }

  @Test("one comment is added, kept while its text is the same, and updated in place", arguments: ForgeKind.allCases)
  func life(_ kind: ForgeKind) async throws {
    let double = double(kind)
    let server = try double.serve()
    let forge = try double.forge(server)
    #expect(try await forge.ensure(wanted("0", isNeeded: false), on: 2) == false)
    #expect(double.state.comments.isEmpty)
    #expect(try await forge.ensure(wanted("1"), on: 2))
    #expect(try await forge.ensure(wanted("1"), on: 2) == false)
    #expect(try await forge.ensure(wanted("2"), on: 2))
    #expect(double.state.comments.map(\.body) == [wanted("2").body])
    // If there is nothing to report, the existing comment is changed to say so, and no other comment is added.
    #expect(try await forge.ensure(wanted("nothing", isNeeded: false), on: 2))
    #expect(double.state.comments.map(\.body) == [wanted("nothing").body])
    #expect(try await forge.ensure(wanted("3"), on: 1))
    #expect(double.state.comments.map(\.number) == [2, 1])
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }

  @Test("comments by others stay unchanged, even if they copy our comment", arguments: ForgeKind.allCases)
  func others(_ kind: ForgeKind) async throws {
    let double = double(kind)
    double.change {
      $0.comments = [
        .init(number: 2, body: "Nice", isOurs: false), .init(number: 2, body: wanted("copy").body, isOurs: false),
        .init(number: 2, body: "> " + wanted("quoted").body + "Why?", isOurs: false),
      ]
    }
    let server = try double.serve()
    let forge = try double.forge(server)
    for text in ["1", "2"] { #expect(try await forge.ensure(wanted(text), on: 2)) }
    #expect(double.state.comments.count == 4)
    #expect(double.state.comments.map(\.isOurs) == [false, false, false, true])
    #expect(double.state.comments[1].body == wanted("copy").body)
    #expect(double.state.comments[3].body == wanted("2").body)
  }

  @Test(
    "a copy of our comment stays unchanged even if the token may change comments by others",
    arguments: ForgeKind.allCases)
  func copies(_ kind: ForgeKind) async throws {
    let double = double(kind)
    let server = try double.serve()
    let forge = try double.forge(server)
    #expect(try await forge.ensure(wanted("1"), on: 2))
    double.change { $0.comments.append(.init(number: 2, body: wanted("copy").body)) }
    for text in ["2", "3"] { #expect(try await forge.ensure(wanted(text), on: 2)) }
    #expect(double.state.comments.map(\.body) == [wanted("3").body, wanted("copy").body])
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }

  @Test("our comment exists exactly once, whichever request fails", arguments: ForgeKind.allCases)
  func faults(_ kind: ForgeKind) async throws {
    for fault in ForgeServer.Fault.allCases {
      for number in 0..<5 {
        let double = double(kind)
        let server = try double.serve()
        let forge = try double.forge(server)
        double.change { $0.fault = (number, fault) }
        for text in ["1", "2"] {
          var tries = 0
          while true {
            do {
              _ = try await forge.ensure(wanted(text), on: 2)
              break
            } catch {
              tries += 1
              #expect((error as? any DisposableError)?.disposition != .permanent, "\(error)")
              double.wait(after: error)
              guard tries < 3 else { throw error }
            }
          }
        }
        #expect(double.state.comments.map(\.body) == [wanted("2").body], "\(fault) at request \(number)")
        #expect(double.state.refused.isEmpty, "\(fault) at request \(number): \(double.state.refused)")
      }
    }
  }

  @Test("keys in a check run's summary are not rendered as Markdown")
  func markdownInSummary() async throws {
    let double = ForgeServer(.github)
    let server = try double.serve()
    let forge = try double.forge(server, usesChecks: true)
    let text = "main has 1 new string: ![](https://example.com/x.png) @all"
    try await forge.set(
      CommitStatus(name: "l10n/freeze", isGood: false, text: text),
      of: CommitID(rawValue: String(repeating: "b", count: 40)), on: "main")
    let check = try #require(double.state.checks.first)
    #expect(check.title == text)
    #expect(check.summary == "`\(text)`")
  }

  @Test("a check run has all annotations, is created once, and is replaced when its content changes")
  func checks() async throws {
    func status(_ count: Int, isGood: Bool = false) -> CommitStatus {
      CommitStatus(
        name: "l10n/completeness", isGood: isGood, text: "de: \(count) missing",
        annotations: (0..<count).map { StatusAnnotation(path: "App/A.swift", line: $0 + 1, text: "“\($0)” is missing") }
      )
    }
    let commit = CommitID(rawValue: String(repeating: "b", count: 40))
    for count in [0, 1, 50, 51, 130] {
      for fault in [nil] + ForgeServer.Fault.allCases.map(Optional.init) {
        for number in 0..<4 {
          let double = ForgeServer(.github)
          let server = try double.serve()
          let forge = try double.forge(server, usesChecks: true)
          if let fault { double.change { $0.fault = (number, fault) } }
          for _ in 0..<4 {
            do { try await forge.set(status(count), of: commit, on: "main") } catch { double.wait(after: error) }
          }
          let last = try #require(double.state.checks.last)
          #expect(last.status == "completed" && last.conclusion == "failure")
          #expect(
            last.annotations == (0..<count).map { "App/A.swift:\($0 + 1) “\($0)” is missing" },
            "\(count) \(String(describing: fault)) \(number)")
          if fault == nil { #expect(double.state.checks.count == 1) }
          try await forge.set(status(0, isGood: true), of: commit, on: "main")
          #expect(double.state.checks.last?.conclusion == "success")
          #expect(double.state.refused.isEmpty, "\(double.state.refused)")
          if fault == nil { break }
        }
      }
    }
  }
}
