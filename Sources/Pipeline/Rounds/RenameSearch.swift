import Localization

/// Finds catalogs that were moved: the ledger knows them, no watched branch has them any more, and git sees where they went.
struct RenameSearch {
  struct Rename: Hashable {
    var old: TreePath
    var new: TreePath
  }

  /// `nil` for a branch that could not be read.
  let heads: [Snapshot?]
  let mirror: any RepositoryMirror
  /// What was found before. A source stays with the commit it was sent from, where its catalog may have had an older name.
  var known: [TreePath: TreePath] = [:]

  /// By the old path. None where a branch could not be read: then a missing catalog proves nothing.
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
      // Set back, after a force-push for example: it stands where it stood before. Compared with the commit it was sent from, where its
      // name was that already, nothing was renamed. A later name is nearer to the one that is gone.
      if let before = known.names(before: path).first(where: { name in snapshots.contains { $0.synced[name] != nil } })
      {
        found.append(Rename(old: path, new: before))
        continue
      }
      // After a force-push, or in a new mirror, the commit may be gone: then nobody can say.
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
