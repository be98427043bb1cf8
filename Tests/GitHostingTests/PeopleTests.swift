import GitHosting
import Localization
import Pipeline
import TestSupport
import Testing

/// People's changes to the pull request of a delivery branch.
struct PeopleTests {
  private static let first = String(repeating: "b", count: 40)

  @Test("a pull request that a person opened keeps its title and text", arguments: ForgeKind.allCases)
  func person(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    let server = try double.serve()
    let forge = try double.forge(server)
    double.change {
      $0.pulls = [.init(title: "Mine", body: "By hand.", branch: "l10n/main", base: "main", sha: Self.first)]
    }
    let wanted = WantedPullRequest(
      branch: "l10n/main", base: "main", tip: CommitID(rawValue: Self.first), title: "Translations for main: de",
      body: "We propose.\ncontent `1`. The end.", beginning: "We propose", ending: "The end.", mark: "content `1`")
    _ = try await forge.ensure(wanted)
    #expect(double.state.pulls.map(\.title) == ["Mine"])
    #expect(double.state.pulls.map(\.body) == ["By hand.\n\n---\n\nWe propose.\ncontent `1`. The end."])
    let before = double.state.requests.count
    _ = try await forge.ensure(wanted)
    #expect(double.state.requests[before...].allSatisfy { $0.method == "GET" })
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
  }

  @Test("a person's text below ours is kept, even if it quotes our last line")
  func quotation() async throws {
    let double = ForgeServer(.gitea)
    let server = try double.serve()
    let people = "\n\nAda: please wait.\n\nPipeline `app`, content `1`. The end.\n\nIt is ready."
    double.change {
      $0.pulls = [
        .init(
          title: "Translations for main: de", body: "We propose.\n\nPipeline `app`, content `1`. The end." + people,
          branch: "l10n/main", base: "main", sha: Self.first)
      ]
    }
    let wanted = WantedPullRequest(
      branch: "l10n/main", base: "main", tip: CommitID(rawValue: Self.first), title: "Translations for main: de",
      body: "We propose more.\n\nPipeline `app`, content `2`. The end.", beginning: "We propose",
      lastLine: "Pipeline ", ending: "The end.", mark: "content `2`")
    _ = try await double.forge(server).ensure(wanted)
    #expect(double.state.pulls.map(\.body) == [wanted.body + people])
  }
}
