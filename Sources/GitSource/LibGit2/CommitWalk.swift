import Pipeline

/// A walk over commits, newest first. We do not use libgit2's walk, because it fails at the boundary of a shallow repository. This walk stops at a
/// missing parent instead.
struct CommitWalk {
  /// The starting commits from which a commit was reached. For `history`, they are the tip and the excluded commit; for `mergeBase`, the two commits.
  struct Reach: OptionSet {
    let rawValue: UInt8
    static let first = Reach(rawValue: 1)
    static let second = Reach(rawValue: 2)
    static let both: Reach = [.first, .second]
  }

  private struct Visit {
    var reach: Reach
    var parents: [ObjectID]
    var seconds: Int64
    var isDone = false
    /// Whether the commit is missing, as in a shallow repository. The flag avoids a second lookup.
    var isMissing = false
  }

  private let handle: RepositoryHandle
  private var visits: [ObjectID: Visit] = [:]
  private var queue = CommitQueue()
  /// The numbers of queued commits that were reached only from the first starting commit, and only from the second.
  private var pending = (first: 0, second: 0)
  /// The number of additional commits to visit after the walk could stop, because commit times can be wrong. Git visits 5.
  private static let slop = 64

  private init(_ handle: RepositoryHandle) { self.handle = handle }

  /// Returns at most `limit` commits that are reachable from `tip` but not from `excluded`, newest first.
  static func history(
    of tip: ObjectID, excluding excluded: ObjectID?, limit: Int, in handle: RepositoryHandle
  ) throws(GitError) -> [ObjectID] {
    var walk = CommitWalk(handle)
    try walk.reach(tip, .first)
    if let excluded { try walk.reach(excluded, .second) }
    var order: [ObjectID] = []
    var slop = Self.slop
    while slop > 0, let next = walk.step() {
      // If a commit time is wrong, the excluded commit's history may reach this commit later. Such commits are removed at the end.
      if next.reach == .first { order.append(next.id) }
      // Without an excluded commit, no commit is removed at the end.
      if excluded == nil && order.count >= limit { break }
      slop = walk.pending.first == 0 ? slop - 1 : Self.slop
    }
    return Array(order.lazy.filter { walk.visits[$0]?.reach == .first }.prefix(limit))
  }

  /// Returns the newest merge base of two commits; `nil` if there is none.
  static func mergeBase(_ a: ObjectID, _ b: ObjectID, in handle: RepositoryHandle) throws(GitError) -> ObjectID? {
    var walk = CommitWalk(handle)
    try walk.reach(a, .first)
    try walk.reach(b, .second)
    var slop = Self.slop
    while slop > 0, walk.step() != nil { slop = walk.pending == (0, 0) ? slop - 1 : Self.slop }
    let common = walk.visits.filter { $0.value.reach == .both && !$0.value.isMissing }
    // Ancestors of other common commits are excluded.
    let ancestors = Set(common.values.flatMap(\.parents))
    return common.filter { !ancestors.contains($0.key) }
      .max { ($0.value.seconds, $1.key.hex) < ($1.value.seconds, $0.key.hex) }?.key
  }

  private mutating func step() -> (id: ObjectID, reach: Reach)? {
    guard let id = queue.popNewest(), var visit = visits[id] else { return nil }
    visit.isDone = true
    visits[id] = visit
    count(visit.reach, -1)
    for parent in visit.parents { spread(visit.reach, to: parent) }
    return (id, visit.reach)
  }

  /// Queues a starting commit, which must exist. If the walk already has this commit, only marks it.
  private mutating func reach(_ id: ObjectID, _ reach: Reach) throws(GitError) {
    if visits[id] == nil {
      let (parents, seconds) = try handle.ancestry(of: id)
      add(id, reach, parents: parents, seconds: seconds)
    } else {
      spread(reach, to: id)
    }
  }

  private mutating func add(_ id: ObjectID, _ reach: Reach, parents: [ObjectID], seconds: Int64) {
    visits[id] = Visit(reach: reach, parents: parents, seconds: seconds)
    queue.insert(id, seconds: seconds)
    count(reach, 1)
  }

  private mutating func count(_ reach: Reach, _ step: Int) {
    if reach == .first { pending.first += step }
    if reach == .second { pending.second += step }
  }

  /// Marks a commit. A commit that is new to the walk is queued, or recorded as missing if it cannot be read. If the commit was visited already, its
  /// ancestors that lack the mark are marked too.
  private mutating func spread(_ reach: Reach, to start: ObjectID) {
    var marking = [start]
    while let id = marking.popLast() {
      guard var visit = visits[id] else {
        if let (parents, seconds) = try? handle.ancestry(of: id) {
          add(id, reach, parents: parents, seconds: seconds)
        } else {
          visits[id] = Visit(reach: reach, parents: [], seconds: 0, isDone: true, isMissing: true)
        }
        continue
      }
      let merged = visit.reach.union(reach)
      guard merged != visit.reach else { continue }
      if !visit.isDone {
        count(visit.reach, -1)
        count(merged, 1)
      }
      visit.reach = merged
      visits[id] = visit
      if visit.isDone { marking += visit.parents }
    }
  }
}

/// Commits to visit, newest first. Commits with the same time keep the order in which they were inserted.
private struct CommitQueue {
  private struct Place {
    var seconds: Int64
    var number: Int
    var id: ObjectID

    func isBefore(_ other: Place) -> Bool { (seconds, -number) > (other.seconds, -other.number) }
  }

  /// The queued commits as a binary heap.
  private var heap: [Place] = []
  private var count = 0

  mutating func insert(_ id: ObjectID, seconds: Int64) {
    heap.append(Place(seconds: seconds, number: count, id: id))
    count += 1
    var child = heap.count - 1
    while child > 0, case let parent = (child - 1) / 2, heap[child].isBefore(heap[parent]) {
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func popNewest() -> ObjectID? {
    guard let first = heap.first else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var best = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[best]) {
        best = child
      }
      guard best != parent else { return first.id }
      heap.swapAt(best, parent)
      parent = best
    }
  }
}
