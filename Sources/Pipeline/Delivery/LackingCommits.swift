import Localization

/// The commits of a delivery branch that the watched branch lacks.
struct LackingCommits {
  private let commits: [CommitInfo]

  init(_ commits: [CommitInfo]) { self.commits = commits }

  /// Returns the commit to which the delivery branch can be reset in order to remove commits that the watched branch dropped by a
  /// force-push, without losing a commit by others.
  /// - Parameters:
  ///   - foreign: the commits by others.
  ///   - dropped: the commits that the watched branch dropped.
  /// - Returns: `nil` if there is nothing to remove, if a commit by others follows a dropped commit, or if no single commit contains all
  ///   commits to keep.
  func newest(keeping foreign: Set<CommitID>, without dropped: Set<CommitID>) -> CommitID? {
    var children: [CommitID: [CommitID]] = [:]
    for info in commits { for parent in info.parents { children[parent, default: []].append(info.id) } }
    var after: Set<CommitID> = []
    var open = commits.map(\.id).filter(dropped.contains)
    while let id = open.popLast() {
      if after.insert(id).inserted { open += children[id] ?? [] }
    }
    guard !after.isEmpty, after.intersection(foreign).isSubset(of: dropped) else { return nil }
    let kept = commits.map(\.id).filter { !after.contains($0) }
    let newest = kept.filter { !(children[$0] ?? []).contains { !after.contains($0) } }
    // If there are several newest commits, no commit contains all of them.
    return newest.count == 1 ? newest[0] : nil
  }
}
