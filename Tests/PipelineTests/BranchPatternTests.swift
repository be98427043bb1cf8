import Pipeline
import Testing

struct BranchPatternTests {
  @Test(
    "one star does not match a slash; two stars do",
    arguments: [
      ("f?r", "für", true), ("f??r", "für", false),
      ("main", "main", true), ("main", "main2", false), ("release/*", "release/1.0", true),
      ("release/*", "release/1.0/fix", false), ("release/*", "release", false), ("l10n/**", "l10n/a/b", true),
      ("**", "a/b", true), ("*", "a/b", false), ("v?", "v1", true), ("v?", "v/", false), ("*-*-*", "a-b-c", true),
    ])
  func matching(pattern: String, name: String, matches: Bool) {
    #expect(BranchPattern(pattern).matches(name) == matches)
  }

  @Test("a pattern with many stars is matched without exponential backtracking", .timeLimit(.minutes(10)))
  func manyStars() {
    let pattern = BranchPattern(String(repeating: "*a", count: 200) + "b")
    #expect(!pattern.matches(String(repeating: "a", count: 2000)))
  }

  @Test("branches under l10n and the configured delivery branches are never watched")
  func watching() {
    var definition = PipelineDefinition(
      name: "p", repository: RepositorySettings(url: "x", branches: [BranchPattern("**")]), vendors: [])
    #expect(definition.watches("feature/a", defaultBranch: "main"))
    #expect(!definition.watches("l10n/main", defaultBranch: "main"))
    definition.deliver.branch = "translations/{branch}"
    #expect(!definition.watches("translations/main", defaultBranch: "main"))
    definition.repository.branches = []
    #expect(definition.watches("trunk", defaultBranch: "trunk"))
    #expect(!definition.watches("main", defaultBranch: "trunk"))
  }

  @Test("branches that only deliver.branch excludes are listed, except delivery branches of watched branches")
  func excluded() {
    var definition = PipelineDefinition(
      name: "p",
      repository: RepositorySettings(url: "x", branches: [BranchPattern("main"), BranchPattern("release/*")]),
      vendors: [])
    let branches = ["main", "release/1", "release/main", "l10n/main", "topic"]
    #expect(definition.excludedByDelivery(among: branches, defaultBranch: "main") == [])
    definition.deliver.branch = "release/{branch}"
    #expect(definition.excludedByDelivery(among: branches, defaultBranch: "main") == ["release/1"])
    definition.deliver.mode = .push
    #expect(definition.excludedByDelivery(among: branches, defaultBranch: "main") == [])
    definition.deliver.mode = .branch
    definition.deliver.branch = "main"
    definition.repository.branches = []
    #expect(definition.excludedByDelivery(among: branches, defaultBranch: "main") == ["main"])
  }
}
