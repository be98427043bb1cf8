import Pipeline

/// A walk over commits, newest first. We do not use libgit2's walk, because it fails at the boundary of a shallow repository. Here a
/// missing parent ends its line of history.
struct CommitWalk {
  /// The sides that reached a commit. In `history`: the tip and the excluded commit; in `mergeBase`: the two commits.
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
    /// Whether the commit is missing, as in a shallow repository. This is stored to avoid a second lookup.
    var isMissing = false
  }

  private let handle: RepositoryHandle
  private var visits: [ObjectID: Visit] = [:]
  private var queue = CommitQueue()
  /// The number of commits in the queue that only one side has reached.
  private var pending = (first: 0, second: 0)
  /// The number of further commits to visit after the walk could end, because commit times can be wrong. Git uses 5.
  private static let slop = 64

  private init(_ handle: RepositoryHandle) { self.handle = handle }

  /// Returns the commits reachable from `tip` but not from `excluded`, newest first.
  static func history(
    of tip: ObjectID, excluding excluded: ObjectID?, limit: Int, in handle: RepositoryHandle
  ) throws(GitError) -> [ObjectID] {
    var walk = CommitWalk(handle)
    try walk.reach(tip, .first)
    if let excluded { try walk.reach(excluded, .second) }
    var order: [ObjectID] = []
    var slop = Self.slop
    while slop > 0, let next = walk.step() {
      // If a commit time is wrong, the excluded side may reach a commit later. Such commits are removed at the end.
      if next.reach == .first { order.append(next.id) }
      // Without an excluded side, no commit is removed at the end.
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
    // Excludes ancestors of other common commits.
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

  /// Reaches a commit that must exist.
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

  /// Marks a commit. If it was visited already, also marks all its ancestors that lack the mark.
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

/// Commits to visit, newest first. Commits of the same second keep the order in which they were inserted.
private struct CommitQueue {
  private struct Place {
    var seconds: Int64
    var number: Int
    var id: ObjectID

    func isBefore(_ other: Place) -> Bool { (seconds, -number) > (other.seconds, -other.number) }
  }

  /// A binary heap.
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
