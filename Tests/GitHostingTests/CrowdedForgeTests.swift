import GitHosting
import Localization
import Pipeline
import TestSupport
import Testing

/// Lists that are longer than one page.
@Suite("Repositories with many pull requests and comments")
struct CrowdedForgeTests {
  private let wanted = WantedPullRequest(
    branch: "l10n/main", base: "main", tip: CommitID(rawValue: ForgeConformanceTests.first),
    title: "Translations for main: de", body: "a\nb\ncontent `1`", mark: "content `1`")

  @Test(
    "however many forks have a branch of the same name, ours is found, open or closed", arguments: ForgeKind.allCases)
  func manyForks(_ kind: ForgeKind) async throws {
    for end in [ForgeServer.Pull.State.open, .closed] {
      let double = ForgeServer(kind)
      let server = try double.serve()
      let forge = try double.forge(server)
      _ = try await forge.ensure(wanted)
      double.change { state in
        state.pulls[0].state = end
        // GitHub is asked for one owner's branches.
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
}
