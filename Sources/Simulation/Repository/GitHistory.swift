package import Localization
package import Pipeline
internal import Synchronization

/// The files of a commit, by path.
package struct FileTree: Hashable, Sendable {
  package private(set) var files: [TreePath: [UInt8]]
  /// The id of each file's bytes.
  package private(set) var blobs: [TreePath: BlobID]

  package init(_ files: [TreePath: [UInt8]] = [:]) {
    self.files = files
    blobs = files.mapValues { BlobID(rawValue: ContentDigest.hexadecimal(of: $0, bytes: 20)) }
  }

  package subscript(path: TreePath) -> [UInt8]? {
    get { files[path] }
    set {
      files[path] = newValue
      blobs[path] = newValue.map { BlobID(rawValue: ContentDigest.hexadecimal(of: $0, bytes: 20)) }
    }
  }

  package var paths: [TreePath] { files.keys.sorted() }

  /// The id of the tree. Trees with equal files have equal ids.
  package var id: String {
    let lines = blobs.sorted { $0.key < $1.key }.map { "\($0.key.text) \($0.value.rawValue)" }
    return ContentDigest.hexadecimal(of: Array(lines.joined(separator: "\n").utf8), bytes: 20)
  }

  package static func == (a: Self, b: Self) -> Bool { a.blobs == b.blobs }
  package func hash(into hasher: inout Hasher) { hasher.combine(blobs) }

  package func applying(_ edits: TreeEdits) -> FileTree {
    var tree = self
    for (path, edit) in edits.edits {
      switch edit {
      case .write(let content): tree[path] = content.bytes
      case .remove: tree[path] = nil
      }
    }
    return tree
  }

  /// Returns the changed paths. A removed file and an added file that are similar by at least 50 % count as one renamed file. If `old` is `nil`, all
  /// files count as added.
  package func changes(from old: FileTree?) -> [TreeChange] {
    guard let old else { return paths.map { TreeChange(path: $0, kind: .added) } }
    var added = paths.filter { old.blobs[$0] == nil }
    var removed = old.paths.filter { blobs[$0] == nil }
    var changes = paths.filter { old.blobs[$0] != nil && old.blobs[$0] != blobs[$0] }
      .map { TreeChange(path: $0, kind: .modified) }
    for path in added {
      let candidates = removed.map { ($0, similarity(old.files[$0] ?? [], files[path] ?? [])) }.filter { $0.1 >= 50 }
      guard let best = candidates.max(by: { ($0.1, $1.0) < ($1.1, $0.0) }) else { continue }
      changes.append(TreeChange(path: path, kind: .renamed(from: best.0)))
      removed.removeAll { $0 == best.0 }
      added.removeAll { $0 == path }
    }
    changes += added.map { TreeChange(path: $0, kind: .added) }
    changes += removed.map { TreeChange(path: $0, kind: .removed) }
    return changes.sorted { $0.path < $1.path }
  }

  /// Returns the percentage of the longer text's bytes that are in lines of both texts.
  private func similarity(_ a: [UInt8], _ b: [UInt8]) -> Int {
    let newline = UInt8(ascii: "\n")
    var lines: [ArraySlice<UInt8>: Int] = [:]
    for line in a.split(separator: newline) { lines[line, default: 0] += 1 }
    var common = 0
    for line in b.split(separator: newline) where lines[line, default: 0] > 0 {
      lines[line, default: 0] -= 1
      common += line.count + 1
    }
    return max(a.count, b.count) == 0 ? 0 : common * 100 / max(a.count, b.count)
  }
}

/// A commit with its files.
package struct SimulatedCommit: Sendable {
  package let info: CommitInfo
  package let tree: FileTree
  /// The height: one more than the greatest height of the parents, or 0 for a commit without parents.
  let height: Int
  /// The number of the commit in the order of creation. Of two commits with equal height, the commit with the higher number is newer.
  let sequence: Int
  package var id: CommitID { info.id }
}

/// All commits that were ever made. Repositories and mirrors each contain some of them.
package final class GitHistory: Sendable {
  private let commits = Mutex<[CommitID: SimulatedCommit]>([:])

  package init() {}

  package subscript(id: CommitID) -> SimulatedCommit? { commits.withLock { $0[id] } }

  /// Makes a commit. Equal arguments give the same id.
  package func commit(
    _ tree: FileTree, parents: [CommitID], message: String, author: CommitSignature, committer: CommitSignature
  ) -> SimulatedCommit {
    let treeID = tree.id
    var lines = ["tree \(treeID)"] + parents.map { "parent \($0.rawValue)" }
    for (role, person) in [("author", author), ("committer", committer)] {
      lines.append("\(role) \(person.name) <\(person.email)> \(person.seconds) \(person.offsetMinutes)")
    }
    let text = lines.joined(separator: "\n") + "\n\n" + message
    let id = CommitID(rawValue: ContentDigest.hexadecimal(of: Array(text.utf8), bytes: 20))
    return commits.withLock { commits in
      if let known = commits[id] { return known }
      let height = parents.compactMap { commits[$0]?.height }.max().map { $0 + 1 } ?? 0
      let commit = SimulatedCommit(
        info: CommitInfo(
          id: id, tree: treeID, parents: parents, author: author, committer: committer, message: message),
        tree: tree, height: height, sequence: commits.count)
      commits[id] = commit
      return commit
    }
  }

  /// Returns the total size of the files of these commits. Equal files count once.
  func bytes(of ids: Set<CommitID>) -> Int {
    commits.withLock { commits in
      var sizes: [BlobID: Int] = [:]
      for id in ids {
        guard let tree = commits[id]?.tree else { continue }
        for (path, blob) in tree.blobs where sizes[blob] == nil { sizes[blob] = tree.files[path]?.count ?? 0 }
      }
      return sizes.values.reduce(0, +)
    }
  }

  /// Returns these commits and all their ancestors.
  package func reachable(from tips: some Sequence<CommitID>) -> Set<CommitID> {
    commits.withLock { commits in
      var found: Set<CommitID> = []
      var open = Array(tips)
      while let id = open.popLast() {
        guard let commit = commits[id], found.insert(id).inserted else { continue }
        open += commit.info.parents
      }
      return found
    }
  }

  package func isAncestor(_ old: CommitID, of new: CommitID) -> Bool {
    commits.withLock { commits in
      guard let goal = commits[old] else { return false }
      var seen: Set<CommitID> = []
      var open = [new]
      while let id = open.popLast() {
        if id == old { return true }
        guard let commit = commits[id], commit.height > goal.height, seen.insert(id).inserted else { continue }
        open += commit.info.parents
      }
      return false
    }
  }

  /// Returns the best common ancestor, like `git merge-base`: a common ancestor that is not an ancestor of another common ancestor. If there are
  /// several, returns the newest.
  package func mergeBase(_ a: CommitID, _ b: CommitID) -> CommitID? {
    let common = reachable(from: [a]).intersection(reachable(from: [b])).compactMap { self[$0] }
    let inner = reachable(from: common.flatMap(\.info.parents))
    return common.filter { !inner.contains($0.id) }.max { ($0.height, $0.sequence) < ($1.height, $1.sequence) }?.id
  }

  /// Returns the commits that `tip` has and `excluded` does not have, newest first.
  package func history(of tip: CommitID, excluding excluded: CommitID?) -> [SimulatedCommit] {
    let known = excluded.map { reachable(from: [$0]) } ?? []
    return reachable(from: [tip]).subtracting(known).compactMap { self[$0] }
      .sorted { ($0.height, $0.sequence) > ($1.height, $1.sequence) }
  }
}
