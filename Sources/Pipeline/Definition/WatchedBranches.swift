/// The watched branches of a pipeline.
extension PipelineDefinition {
  /// Returns whether a branch of the remote is watched. Delivery branches and `l10n/**` are never watched.
  package func watches(_ branch: String, defaultBranch: String?) -> Bool {
    isWanted(branch, defaultBranch: defaultBranch) && !isDeliveryName(branch)
  }

  /// Returns the branches that match a watched pattern but are not watched, because `deliver.branch` includes their names although no watched
  /// branch is delivered to them. They can be people's branches, or former delivery branches of branches that were deleted.
  package func excludedByDelivery(among branches: [String], defaultBranch: String?) -> [String] {
    let wanted = branches.filter { isWanted($0, defaultBranch: defaultBranch) }
    let excluded = wanted.filter { isDeliveryName($0) }
    guard !excluded.isEmpty else { return [] }
    let targets = Set(wanted.filter { !isDeliveryName($0) }.map { deliver.target(for: $0) })
    return excluded.filter { !targets.contains($0) }
  }

  /// Returns whether a branch matches a watched pattern and is not under `l10n/`.
  private func isWanted(_ branch: String, defaultBranch: String?) -> Bool {
    guard !BranchPattern("l10n/**").matches(branch) else { return false }
    guard !repository.branches.isEmpty else { return branch == defaultBranch }
    return repository.branches.contains { $0.matches(branch) }
  }

  /// Returns whether a branch can be a delivery branch of this pipeline, according to its name.
  private func isDeliveryName(_ branch: String) -> Bool {
    deliver.mode != .push && BranchPattern(deliver.branch.replacing("{branch}", with: "**")).matches(branch)
  }
}
