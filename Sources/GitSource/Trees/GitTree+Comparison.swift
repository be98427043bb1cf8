package import Localization

extension GitTree: VersionedTree {
  package func modifiedFiles(since earlier: String) -> [TreeEntry]? {
    guard let old = ObjectID(hex: earlier) else { return nil }
    // After an error, the caller reads the whole tree and reports the error.
    return try? modifiedFiles(since: old)
  }

  /// Returns the files whose content differs. Folders that are equal in both trees are skipped. Different commits of submodules are ignored. Returns
  /// `nil` if the trees differ in other ways, such as in names, or are too large.
  private func modifiedFiles(since earlier: ObjectID) throws(GitError) -> [TreeEntry]? {
    var found: [TreeEntry] = []
    var pending = [(path: TreePath.root, old: earlier, new: root)]
    var count = 0
    var compared = 0
    var pairs: Set<[ObjectID]> = []
    while let (path, old, new) = pending.popLast() {
      guard old != new else { continue }
      compared += 1
      pairs.insert([old, new])
      // A few objects occur at very many paths, as in a malicious tree. The caller's own walk rejects such a tree.
      guard compared < 1000 || compared < 20 * pairs.count else { return nil }
      let (before, after) = try lines(of: old, and: new)
      count += after.count
      guard before.count == after.count, count <= TreeWalkLimits.standard.entries else { return nil }
      // Git sorts both folders in the same order. Therefore folders with the same names have equal names at equal positions.
      for (old, new) in zip(before, after) {
        guard old.name == new.name, old.kind == new.kind else { return nil }
        guard old.id != new.id else { continue }
        let place = path.appending(String(decoding: new.name, as: UTF8.self))
        switch new.kind {
        case .folder: pending.append((place, old.id, new.id))
        case .file, .executable: found.append(TreeEntry(path: place, kind: new.kind, blob: new.id.blob))
        case .submodule: break
        case .symbolicLink: return nil
        }
      }
    }
    return found.sorted { $0.path < $1.path }
  }
}
