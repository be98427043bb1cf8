package import FoundationEssentials
package import Localization
package import Pipeline

/// The result of a run of pipelines, for users and for `--format json`.
package struct RunReport: Sendable {
  package var pipelines: [PipelineReport]

  package init(pipelines: [PipelineReport]) { self.pipelines = pipelines }

  package var failures: [StageFailure] { pipelines.flatMap(\.failures) }

  /// Whether a file of the project or a bundle could not be read, even if no stage failed. Missing files, and readable files with conflicts that a
  /// person must resolve, do not count.
  package var hasUnreadableInput: Bool {
    pipelines.contains { pipeline in
      let errors = pipeline.failures.compactMap { $0.error as? PipelineError }
      let others = Set(errors.filter { $0.kind == .conflict || $0.kind == .notFound }.flatMap(\.diagnostics))
      return pipeline.diagnostics.contains { $0.severity == .error && !others.contains($0) }
    }
  }
}

/// The result of one pipeline.
package struct PipelineReport: Sendable {
  package var name: String
  /// The rounds that the run changed, and the rounds with outstanding units.
  package var rounds: [Round]
  package var commits: [DeliveredCommit]
  package var held: [HeldUnit]
  /// The problems in the user's files and in bundles, and other warnings, for example about notifications that could not be sent.
  package var diagnostics: [Diagnostic]
  /// The stages that failed, for example because a vendor did not respond or a remote refused a push.
  package var failures: [StageFailure]
  /// The result of the pipeline's `require` for each of its branches.
  package var verdicts: [BranchVerdict] = []
  /// The changes that a dry run recorded instead of making them; `nil` if this was not a dry run.
  package var dryRun: DryRunReport?

  package init(
    name: String, rounds: [Round] = [], commits: [DeliveredCommit] = [], held: [HeldUnit] = [],
    diagnostics: [Diagnostic] = [], failures: [StageFailure] = []
  ) {
    self.name = name
    self.rounds = rounds
    self.commits = commits
    self.held = held
    self.diagnostics = diagnostics
    self.failures = failures
  }

  package var outstanding: Int { rounds.flatMap(\.books).map(\.outstanding).reduce(0, +) }
}

/// A commit that Dragoman has pushed to the remote.
package struct DeliveredCommit: Hashable, Sendable, Codable {
  package var branch: String
  /// The branch that the commit was pushed to.
  package var target: String
  package var id: CommitID
  package var subject: String
  package var time: Date
  package var units: Int
  package var files: [DeliveredFile]

  /// One changed file, with lines counted as in `git show --stat`.
  package struct DeliveredFile: Hashable, Sendable, Codable {
    package var path: TreePath
    package var added: Int
    package var removed: Int
  }
}

extension RunReport: Encodable {
  private enum CodingKeys: String, CodingKey { case pipelines }
}

extension PipelineReport: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name, rounds, commits, held, diagnostics, failures, outstanding, verdicts, dryRun
  }

  private struct Failure: Encodable {
    var stage: Stage
    var branch: String?
    var vendor: String?
    var message: String
    var isRetried: Bool
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(rounds, forKey: .rounds)
    try container.encode(commits, forKey: .commits)
    try container.encode(held, forKey: .held)
    try container.encode(diagnostics, forKey: .diagnostics)
    let failures = failures.map {
      Failure(
        stage: $0.stage, branch: $0.branch, vendor: $0.vendor, message: String(describing: $0.error),
        isRetried: $0.isRetried)
    }
    try container.encode(failures, forKey: .failures)
    try container.encode(outstanding, forKey: .outstanding)
    if !verdicts.isEmpty { try container.encode(verdicts, forKey: .verdicts) }
    try container.encodeIfPresent(dryRun, forKey: .dryRun)
  }
}
