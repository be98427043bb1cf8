import Daemon
import GitSource
import Localization
import Pipeline

extension StatusCommand {
  /// Reads the pipeline file whose requirements, languages and extraction settings the gate uses.
  /// - Throws: `InputFault` with every fault of the file; `CommandFailure` if the file does not exist or requires nothing.
  static func definition(_ path: String) throws -> PipelineDefinition {
    _ = try readFile(path)
    let readings = PipelineReading.all(of: [path])
    guard let definition = readings.first?.definition else { throw InputFault(readings.flatMap(\.diagnostics)) }
    guard definition.hasRequirements else {
      throw CommandFailure(
        .usage,
        message(
          "%@ requires nothing; add `require: 100`, or a percentage for each language", path,
          comment: "An error: the path of a pipeline file without the key require."))
    }
    return definition
  }

  /// Returns the requirements of a pipeline for the branch that is judged.
  /// - Throws: `CommandFailure` if the pipeline has requirements for some branches, and the judged branch is unknown, neither the pipeline nor
  ///   `--require` requires anything of it, or its name may be mistyped.
  func required(by definition: PipelineDefinition) throws -> [CompletionRequirement] {
    guard !definition.requireOnBranches.isEmpty else { return definition.require }
    guard let branch = try judgedBranch() else {
      throw CommandFailure(
        .usage,
        message(
          "%@ requires more on some branches. Give the branch with --branch, or its name with --revision",
          pipeline ?? "", comment: "An error: the path of a pipeline file."))
    }
    let required = definition.requirements(on: branch)
    // Without a requirement there would be no verdict, as if the gate had passed.
    guard !required.isEmpty || !requirements.isEmpty else {
      let patterns = definition.requireOnBranches.map(\.branches)
      let near = NearestName.suffix(branch, patterns.map { $0.filled(like: branch) })
      throw CommandFailure(
        .usage,
        message(
          "%1$@ requires nothing of the branch %2$@", pipeline ?? "", branch,
          comment: "An error: the path of a pipeline file and a branch.")
          + near + " (\(patterns.map(\.text).joined(separator: ", ")))")
    }
    try refuseMistyped(branch, definition)
    return required
  }

  /// Refuses a name of `--branch` that neither the repository nor the pipeline file has, because a mistyped name would weaken the gate. If HEAD is
  /// on no branch, as on CI systems, or if there is no repository, not all branches are known. In these cases, a warning reports which requirements
  /// count.
  private func refuseMistyped(_ branch: String, _ definition: PipelineDefinition) throws {
    let rules = definition.requireOnBranches.map(\.branches)
    let known = rules + definition.repository.branches
    guard self.branch != nil, !known.contains(where: { $0.matches(branch) }) else { return }
    let repository = try? GitRepository(path: tree.path, searchingUpwards: true)
    guard repository?.hasBranch(branch) != true else { return }
    let near =
      NearestName.suffix(branch, known.map { $0.filled(like: branch) })
      + " (\(rules.map(\.text).joined(separator: ", ")))"
    guard repository?.checkedOutBranch != nil else {
      output.console.failure(
        message(
          "warning: no rule of %1$@ names the branch %2$@, so only its requirements for every branch count",
          pipeline ?? "", branch, comment: "A warning of status: the path of a pipeline file and a branch.") + near)
      return
    }
    throw CommandFailure(
      .usage,
      message(
        "the repository has no branch %1$@, and no rule of %2$@ names it", branch, pipeline ?? "",
        comment: "An error of status: a branch and the path of a pipeline file.") + near)
  }

  /// Returns the name of the judged branch as a pipeline file spells it, from `--branch` or `--revision`; `nil` if neither names a branch.
  func judgedBranch() throws -> String? {
    if let branch { return Self.short(branch) }
    guard let revision = tree.revision else { return nil }
    // A commit, a tag or HEAD may be on any branch.
    let repository = try GitRepository(path: tree.path, searchingUpwards: true)
    return Self.short(revision).flatMap { repository.hasBranch($0) ? $0 : nil }
  }

  /// Returns the name of a branch without a prefix such as `refs/heads/` or `origin/`, which CI systems give; `nil` if nothing is left.
  private static func short(_ name: String) -> String? {
    let prefixes = ["refs/heads/", "refs/remotes/origin/", "remotes/origin/", "heads/", "origin/"]
    let short = prefixes.first { name.hasPrefix($0) }.map { String(name.dropFirst($0.count)) } ?? name
    return short.isEmpty ? nil : short
  }
}

extension BranchPattern {
  /// Returns the pattern with parts of a name in place of each `*` at the end of a component, for a suggestion: `release/1.0` for `release/*` and
  /// `relese/1.0`. Returns the pattern itself if the name has a different number of components.
  fileprivate func filled(like name: String) -> String {
    let given = name.split(separator: "/", omittingEmptySubsequences: false)
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard given.count == parts.count else { return text }
    return zip(parts, given).map { part, given in
      guard let star = part.firstIndex(of: "*") else { return part }
      let rest = part[star...].drop { $0 == "*" }
      return rest.isEmpty ? part[..<star] + given.dropFirst(part[..<star].count) : part
    }.joined(separator: "/")
  }
}
