package import Localization
import SwiftParsing

/// The strings of a project's sources: compile each file to facts, link each target's facts to strings.
package struct SourceStringExtractor: StringExtractor {
  /// Part of the cache's key: raised whenever the same bytes would give other facts.
  package static let version = "swift-1"

  package init() {}

  package func extract(
    _ project: ProjectDescription, from tree: any SourceTree, existing: [TreePath: Catalog], options: ExtractionOptions,
    cache: (any FactCache)?
  ) throws -> Extraction {
    let selected = Self.selected(project, options)
    let facts = try Self.facts(of: selected, in: project, from: tree, options: options, cache: cache)
    let others = try OtherSources.read(selected, of: project, from: tree, options: options)
    let job = LinkJob(
      project: project, selected: selected, facts: facts, others: others,
      existing: StringTableKeys.read(selected, from: tree, beside: existing), options: options)
    return try job.run()
  }

  /// What each literal whose text is `key` resolved to and by which rule, or why it was not taken (`extract --why`).
  package func explain(
    _ key: String, in project: ProjectDescription, from tree: any SourceTree, options: ExtractionOptions,
    cache: (any FactCache)?
  ) throws -> [(path: TreePath, explanation: LiteralExplanation)] {
    let selected = Self.selected(project, options)
    let facts = try Self.facts(of: selected, in: project, from: tree, options: options, cache: cache)
    let job = LinkJob(project: project, selected: selected, facts: facts, existing: [:], options: options)
    return try ParsingThreads.run { job.explanations(of: key) }
  }

  private static func selected(_ project: ProjectDescription, _ options: ExtractionOptions) -> [ProjectTarget] {
    project.targets.filter { target in
      target.feedsCatalogs && (options.targets.isEmpty || options.targets.contains(target.name))
    }
  }

  private static func facts(
    of selected: [ProjectTarget], in project: ProjectDescription, from tree: any SourceTree, options: ExtractionOptions,
    cache: (any FactCache)?
  ) throws -> SourceFacts {
    var needed: [TreePath: TreeEntry] = [:]
    for target in LinkJob.closure(of: selected, in: project) {
      for entry in target.swiftSources { needed[entry.path] = entry }
    }
    let entries = needed.values.sorted { $0.path < $1.path }
    return try SourceFacts.load(
      entries, from: tree, threads: options.threads, cache: cache, version: SourceFacts.version(version))
  }
}
