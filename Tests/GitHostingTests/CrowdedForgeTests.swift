import GitHosting
import Localization
import Pipeline
import TestSupport
import Testing

/// Lists that are longer than one page.
@Suite("Repositories with many pull requests and comments")
struct CrowdedForgeTests {
  private let wanted = ForgeConformanceTests.german

  @Test(
    "our pull request is found, open or closed, however many forks have a branch with the same name",
    arguments: ForgeKind.allCases)
  func manyForks(_ kind: ForgeKind) async throws {
    for end in [ForgeServer.Pull.State.open, .closed] {
      let double = ForgeServer(kind)
      let server = try double.serve()
      let forge = try double.forge(server)
      _ = try await forge.ensure(wanted)
      double.change { state in
        state.pulls[0].state = end
        // GitHub lists only one owner's branches on request, so other owners' branches do not matter.
        for _ in 0..<(kind == .github ? 5 : 230) {
          state.pulls.append(
            .init(
              state: end, title: "x", body: "", branch: "l10n/main", base: "main",
              sha: String(repeating: "c", count: 40), isFork: true))
        }
      }
      let found = try await forge.ensure(wanted)
      #expect(found.number == 1 && found.state == (end == .open ? .open : .closed))
      #expect(double.state.refused.isEmpty, "\(double.state.refused)")
    }
  }

  private func comment(_ text: String) -> WantedComment {
    WantedComment(body: "### L\n\n\(text)\n\nPipeline `a`", beginning: "### L", ending: "Pipeline `a`", isNeeded: true)
  }

  /// Returns a forge with many comments.
  /// - Parameters:
  ///   - before: the number of other people's comments before ours.
  ///   - after: the number of comments after ours.
  private func crowd(_ kind: ForgeKind, before: Int, after: Int) -> ForgeServer {
    let double = ForgeServer(kind)
    let others = ForgeServer.Comment(number: 1, body: "LGTM", isOurs: false)
    double.change {
      $0.pulls = [.init(title: "x", body: "", branch: "topic", base: "main", sha: ForgeConformanceTests.first)]
      $0.comments =
        Array(repeating: others, count: before) + [.init(number: 1, body: comment("1").body)]
        + Array(repeating: others, count: after)
    }
    return double
  }

  @Test(
    "our comment is found at any position among 1,900, and no second comment is added",
    arguments: ForgeKind.allCases)
  func manyComments(_ kind: ForgeKind) async throws {
    for (before, after) in [(1, 1899), (1899, 1), (1100, 800)] {
      let double = crowd(kind, before: before, after: after)
      let server = try double.serve()
      let forge = try double.forge(server)
      #expect(try await forge.ensure(comment("1"), on: 1) == false)
      #expect(try await forge.ensure(comment("2"), on: 1))
      #expect(double.state.comments.count == before + after + 1)
      #expect(double.state.comments.count { $0.body == comment("2").body } == 1)
      #expect(double.state.refused.isEmpty, "\(double.state.refused)")
    }
  }

  @Test(
    "no comment is added if our comment may be among the unread ones, and this is reported",
    arguments: [ForgeKind.github, .gitlab, .bitbucket, .bitbucketServer])
  func cutOff(_ kind: ForgeKind) async throws {
    let double =
      switch kind {
      case .github: crowd(kind, before: 3000, after: 0)
      case .bitbucketServer: crowd(kind, before: 0, after: 3000)
      default: crowd(kind, before: 1000, after: 1000)
      }
    let server = try double.serve()
    let forge = try double.forge(server)
    let count = double.state.comments.count
    let error = await #expect(throws: PipelineError.self) { try await forge.ensure(comment("2"), on: 1) }
    #expect(error?.disposition == .askPerson)
    #expect(error?.description.contains("it has more comments than the \(count - 1) that were read") == true)
    #expect(double.state.comments.count == count)
    var nothing = comment("3")
    nothing.isNeeded = false
    #expect(try await forge.ensure(nothing, on: 1) == false)
  }
}
