import Localization

/// A counter of the paths in which two trees differ. If one of them is empty, these are all paths of the other tree. It does not visit each path: a
/// tree object is read only once, however often it occurs.
///
/// Ten tree objects that each contain the next object ten times have 10^10 paths in 4 kB. Code that visits all paths checks the count first.
struct PathCount {
  private struct Pair: Hashable {
    var old: ObjectID?
    var new: ObjectID?
  }

  /// A pair of trees whose folders are being counted.
  private struct Frame {
    var pair: Pair
    /// The folders that are not counted yet.
    var folders: [Pair]
    var count: Int
  }

  private let handle: RepositoryHandle
  private let limit: Int
  private var known: [Pair: Int] = [:]
  /// The number of lines of tree objects that were read.
  private(set) var steps = 0

  /// - Parameter limit: the number of paths, or of lines read, above which counting stops.
  init(_ handle: RepositoryHandle, limit: Int) {
    self.handle = handle
    self.limit = limit
  }

  /// Counts the files, links, folders and submodules that were added, removed or changed between two trees. `nil` means an empty tree.
  /// - Returns: the count, or a number above the limit if there are more paths or if more lines than the limit must be read.
  mutating func differing(_ old: ObjectID?, _ new: ObjectID?) throws(GitError) -> Int {
    guard old != new else { return 0 }
    var stack = [try frame(Pair(old: old, new: new))]
    while var top = stack.popLast() {
      guard steps <= limit else { return limit + 1 }
      if let next = top.folders.popLast() {
        if let count = known[next] {
          top.count = min(limit + 1, top.count + count)
          stack.append(top)
        } else {
          top.folders.append(next)
          stack.append(top)
          stack.append(try frame(next))
        }
      } else {
        guard top.count <= limit, !stack.isEmpty else { return top.count }
        known[top.pair] = top.count
      }
    }
    return 0
  }

  private mutating func frame(_ pair: Pair) throws(GitError) -> Frame {
    var old: [[UInt8]: TreeLine] = [:]
    for line in try pair.old.map({ (id) throws(GitError) in try handle.treeLines(id) }) ?? [] { old[line.name] = line }
    let new = try pair.new.map { (id) throws(GitError) in try handle.treeLines(id) } ?? []
    steps += old.count + new.count + 1
    var frame = Frame(pair: pair, folders: [], count: 0)
    for line in new {
      let before = old.removeValue(forKey: line.name)
      guard before?.id != line.id || before?.kind != line.kind else { continue }
      frame.count += 1
      let earlier = before.flatMap { $0.kind == .folder ? $0.id : nil }
      let later = line.kind == .folder ? line.id : nil
      if earlier != nil || later != nil { frame.folders.append(Pair(old: earlier, new: later)) }
    }
    for line in old.values {
      frame.count += 1
      if line.kind == .folder { frame.folders.append(Pair(old: line.id, new: nil)) }
    }
    return frame
  }
}

extension RepositoryHandle {
  /// Throws an error if two trees differ in more paths than a walk may visit.
  func checkDifference(_ old: ObjectID?, _ new: ObjectID?, _ operation: String) throws(GitError) {
    let limit = TreeWalkLimits.standard.entries
    var count = PathCount(self, limit: limit)
    guard try count.differing(old, new) <= limit else {
      throw GitError(.unsupported, operation, "the trees differ in more than \(limit) files and folders")
    }
  }
}
