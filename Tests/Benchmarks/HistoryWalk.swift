import GitSource
import Localization
import Pipeline
import ProjectLayout
import StringExtraction

/// A walk through the commits of a repository that checks that the layout and the extraction give the same results with a cache as without one.
struct HistoryWalk {
  let repository: String

  func run(commits count: Int) throws {
    let list = try ScratchRepository.git(
      ["--git-dir", repository, "rev-list", "--first-parent", "--max-count", String(count), "HEAD"])
    let cache = MemoryFactCache()
    let layout = RepositoryLayout(remembers: true)
    var parsed = 0
    var linked = 0
    let commits = Array(list.split(separator: "\n").map(String.init).reversed())
    for (index, commit) in commits.enumerated() {
      let tree = try openTree(path: repository, revision: commit).tree
      let project = try RepositoryLayout().project(in: tree, excluding: [])
      guard try layout.project(in: tree, excluding: []) == project else {
        throw BenchmarkFailure("at \(commit) the cached layout differs from a newly computed one")
      }
      func extract(_ cache: (any FactCache)?) throws -> Extraction {
        try SourceStringExtractor().extract(
          project, from: tree, existing: [:], options: ExtractionOptions(threads: 2), cache: cache)
      }
      let warm = try extract(cache)
      let cold = try extract(nil)
      guard warm.strings == cold.strings, warm.diagnostics == cold.diagnostics,
        warm.incompleteCatalogs == cold.incompleteCatalogs
      else {
        for string in Set(warm.strings).symmetricDifference(cold.strings).prefix(10) { print("  \(string)") }
        throw BenchmarkFailure("at \(commit) the extraction with the cache differs from the one without")
      }
      print(
        "  \(commit.prefix(10)): \(warm.strings.count) strings, \(warm.parsedFiles) files parsed,"
          + " \(warm.linkedFiles) of \(cold.linkedFiles) linked")
      if index > 0 {
        parsed += warm.parsedFiles
        linked += warm.linkedFiles
      }
    }
    print("\(repository): \(commits.count) commits alike; after the first \(parsed) files parsed, \(linked) linked")
  }
}
