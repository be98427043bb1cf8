import GitHosting
import Localization
import Pipeline
import TestSupport
import Testing

/// Behaviour that only Gitea and Forgejo have.
@Suite("Gitea and Forgejo")
struct GiteaTests {
  private let wanted = ForgeConformanceTests.german

  @Test(
    "a closed pull request on Gitea is found, however many others were closed later",
    arguments: [ForgeKind.gitea, .forgejo], [210, 1010])
  func oldOnes(_ kind: ForgeKind, _ others: Int) async throws {
    let double = ForgeServer(kind)
    let server = try double.serve()
    let forge = try double.forge(server)
    _ = try await forge.ensure(wanted)
    double.change { state in
      state.pulls[0].state = .closed
      for number in 0..<others {
        state.pulls.append(
          .init(
            state: .closed, title: "x", body: "", branch: "x\(number)", base: "main",
            sha: String(repeating: "c", count: 40), isFork: true))
      }
    }
    let found = try await forge.ensure(wanted)
    #expect(found.number == 1 && found.state == .closed)
    #expect(double.state.pulls.count == others + 1)
    #expect(try await forge.pullRequest(from: "l10n/release", into: "main") == nil)
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }

  @Test(
    "after a person closed a pull request and merged its commits by hand, later changes open a new pull request",
    arguments: [ForgeKind.gitea, .forgejo])
  func mergedByHand(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    let server = try double.serve()
    let forge = try double.forge(server)
    #expect(try await forge.ensure(wanted).number == 1)
    double.change { state in
      state.pulls[0].state = .closed
      state.pulls[0].isInBase = true
      state.branches["l10n/main"] = ForgeConformanceTests.second
    }
    var next = wanted
    (next.tip, next.body, next.mark) = (CommitID(rawValue: ForgeConformanceTests.second), "content `2`", "content `2`")
    let opened = try await forge.ensure(next)
    #expect(opened.number == 2 && opened.state == .open)
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }
}
