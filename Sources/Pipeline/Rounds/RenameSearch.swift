import Localization

/// Finds moved catalogs: they are in the ledger, no watched branch has them any more, and git detects the rename.
struct RenameSearch {
  struct Rename: Hashable {
    var old: TreePath
    var new: TreePath
  }

  /// `nil` for a branch that could not be read.
  let heads: [Snapshot?]
  let mirror: any RepositoryMirror
  /// The renames that were found earlier. A source keeps the commit from which it was sent, where its catalog may have an older name.
  var known: [TreePath: TreePath] = [:]

  /// Returns the renames, sorted by old path. Returns none if a branch could not be read: then a missing catalog proves nothing.
  func renames(in ledger: SentLedger) async throws -> [Rename] {
    let snapshots = heads.compactMap(\.self)
    guard snapshots.count == heads.count else { return [] }
    var commits: [TreePath: CommitID] = [:]
    for source in ledger.sources { commits[source.unit.catalog] = source.commit }
    let gone = commits.filter { path, _ in
      !snapshots.contains { $0.synced[path] != nil || $0.isUncertain(path) }
    }
    var found: [Rename] = []
    for (path, commit) in gone.sorted(by: { $0.key < $1.key }) {
      // The catalog is back at a former path, for example after a force-push. A comparison with the commit from which it was sent would
      // find no rename, because it had the same path there. The most recent former name is tried first.
      if let before = known.names(before: path).first(where: { name in snapshots.contains { $0.synced[name] != nil } })
      {
        found.append(Rename(old: path, new: before))
        continue
      }
      // After a force-push, or in a new mirror, the commit may be missing. The rename then stays unknown.
      guard try await mirror.holds(commit) else { continue }
      for snapshot in snapshots {
        let changes = try await mirror.changes(from: commit, to: snapshot.commit.id)
        let moved = changes.first { change in
          if case .renamed(let old) = change.kind { known.newest(of: old) == path } else { false }
        }
        guard let moved else { continue }
        found.append(Rename(old: path, new: moved.path))
        break
      }
    }
    return found
  }
}
