import Localization

/// Finds moved catalogs: catalogs that are in the ledger but no longer on any watched branch, and whose rename git detects. A table that
/// was converted to a String Catalog, and a catalog that has one of its former paths again, also count as moved.
struct RenameSearch {
  struct Rename: Hashable {
    var old: TreePath
    var new: TreePath
  }

  /// The snapshots of the heads; `nil` for a branch that could not be read.
  let heads: [Snapshot?]
  let mirror: any RepositoryMirror
  /// The renames that were found earlier. These renames are needed because the ledger stores the commit from which a source was sent, and
  /// the catalog may have an older name in that commit.
  var known: [TreePath: TreePath] = [:]
  /// Returns the commit that was compared before the head with this index, if there is one.
  var previous: @Sendable (Int) async throws -> CommitID? = { _ in nil }

  /// The maximum number of commits that are compared with each head for each catalog. These are commits from which the catalog's units were
  /// sent.
  private static let mostCommits = 3
  /// The maximum number of commits since the last comparison that are compared one by one.
  private static let mostSteps = 200

  private struct Comparison: Hashable {
    var old: CommitID
    var new: CommitID
    /// Whether each commit between the two is compared with its parent.
    var isByStep = false
  }

  /// Returns the renames, sorted by old path; none if a branch could not be read, because the missing catalog may be on that branch.
  func renames(in ledger: SentLedger) async throws -> [Rename] {
    let snapshots = heads.compactMap(\.self)
    guard snapshots.count == heads.count else { return [] }
    let gone = commits(in: ledger).filter { path, _ in
      !snapshots.contains { $0.synced[path] != nil || $0.isUncertain(path) }
    }
    guard !gone.isEmpty else { return [] }
    var compared: [CommitID?] = []
    for index in snapshots.indices { compared.append(try await previous(index)) }
    var renamed: [Comparison: [TreePath: TreePath]] = [:]
    var found: [Rename] = []
    search: for (path, commits) in gone.sorted(by: { $0.key < $1.key }) {
      // The catalog may have a former path again, for example after a force-push. In that case, a comparison with the commit from which its
      // units were sent would find no rename, because the catalog had the same path in that commit. The most recent former name is tried
      // first.
      if let before = known.names(before: path).first(where: { name in snapshots.contains { $0.synced[name] != nil } })
      {
        found.append(Rename(old: path, new: before))
        continue
      }
      if let catalog = converted(path, in: snapshots) {
        found.append(Rename(old: path, new: catalog))
        continue
      }
      // The last compared commit is most similar to the head. In an older commit, the catalog may have so few translations that git detects
      // no similarity.
      let former = [compared] + commits.map { [CommitID?](repeating: $0, count: snapshots.count) }
      let whole = former.flatMap { zip($0, snapshots) }.map { ($0, $1, false) }
      // A commit before or after the rename may have changed the catalog so much that git detects the rename only commit by commit.
      let byStep = zip(compared, snapshots).map { ($0, $1, true) }
      for case (let old?, let snapshot, let isByStep) in whole + byStep {
        let comparison = Comparison(old: old, new: snapshot.commit.id, isByStep: isByStep)
        let names: [TreePath: TreePath]
        if let known = renamed[comparison] {
          names = known
        } else {
          names = try await isByStep ? namesByStep(from: old, to: snapshot) : self.names(from: old, to: comparison.new)
        }
        renamed[comparison] = names
        guard let new = names[path] else { continue }
        found.append(Rename(old: path, new: new))
        continue search
      }
    }
    return found
  }

  /// Returns the String Catalog that replaced a table of `.strings` or `.stringsdict` files, if this catalog is at a place where Xcode's
  /// migration creates it: next to the `.lproj` folders, or in `mul.lproj`.
  private func converted(_ path: TreePath, in snapshots: [Snapshot]) -> TreePath? {
    guard path.catalogKind != .stringCatalog else { return nil }
    return path.stringCatalogs.last { place in snapshots.contains { $0.synced[place] != nil } }
  }

  /// Returns the commits from which the units of each catalog were sent, newest first and at most `mostCommits`.
  private func commits(in ledger: SentLedger) -> [TreePath: [CommitID]] {
    var newest: [TreePath: [CommitID: SourceID]] = [:]
    for source in ledger.sources {
      let known = newest[source.unit.catalog]?[source.commit]
      if known.map({ $0 < source.id }) ?? true { newest[source.unit.catalog, default: [:]][source.commit] = source.id }
    }
    return newest.mapValues { commits in
      commits.sorted { $0.value > $1.value }.prefix(Self.mostCommits).map(\.key)
    }
  }

  /// Returns the new paths of files that git detects as renamed between two commits, by the newest known name of the old path. If the old
  /// commit is missing, for example after a force-push or in a new mirror, the result is empty.
  private func names(from old: CommitID, to new: CommitID) async throws -> [TreePath: TreePath] {
    guard try await mirror.holds(old) else { return [:] }
    var names: [TreePath: TreePath] = [:]
    for change in try await mirror.changes(from: old, to: new) {
      guard case .renamed(let old) = change.kind else { continue }
      let newest = known.newest(of: old)
      if names[newest] == nil { names[newest] = change.path }
    }
    return names
  }

  /// Like `names`, but compares each commit between the two with its first parent, and returns only catalogs that the snapshot has. The
  /// result is empty if there are fewer than 2 or more than `mostSteps` commits.
  private func namesByStep(from old: CommitID, to snapshot: Snapshot) async throws -> [TreePath: TreePath] {
    guard try await mirror.holds(old) else { return [:] }
    let steps = try await mirror.history(of: snapshot.commit.id, excluding: old, limit: Self.mostSteps + 1)
    guard steps.count > 1, steps.count <= Self.mostSteps else { return [:] }
    var names: [TreePath: TreePath] = [:]
    for step in steps.reversed() {
      guard let parent = step.parents.first, try await mirror.holds(parent) else { continue }
      for change in try await mirror.changes(from: parent, to: step.id) {
        guard case .renamed(let old) = change.kind else { continue }
        for (first, last) in names where last == old { names[first] = change.path }
        let newest = known.newest(of: old)
        if names[newest] == nil { names[newest] = change.path }
      }
    }
    // A catalog that was removed after its rename has no new name.
    return names.filter { snapshot.synced[$0.value] != nil }
  }
}
