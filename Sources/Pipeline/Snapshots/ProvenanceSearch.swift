import Localization

/// A search for the commits that added text units. Like `git blame` for lines, the search walks back from the newest commit along the files
/// of a unit.
///
/// If none of the unit's files differs between a commit and its parent, the unit counts as unchanged. This requires only a comparison of trees;
/// the parent is read only if one of the files differs. A unit can also be added without a change to its files, because a declaration
/// elsewhere made its text localizable. In this case, a binary search over the branch's own commits finds the commit.
struct ProvenanceSearch {
  /// A new unit and the files that contain it.
  struct Wanted {
    var source: UnitSource
    var files: Set<TreePath>
  }

  /// The wanted units in a commit.
  struct Standing {
    /// The units that the commit contains, each with its files.
    var files: [UnitSource: Set<TreePath>] = [:]
    /// Whether the units of a catalog are unknown because the catalog cannot be read.
    var isUnread: (TreePath) -> Bool = { _ in false }
  }

  private let mirror: any RepositoryMirror
  private let read: (CommitID) async throws -> Standing
  private let limits: HistoryLimits
  private var range: [CommitID: CommitInfo] = [:]
  private var standings: [CommitID: Standing] = [:]
  private var touched: [Edge: Set<TreePath>] = [:]

  private struct Edge: Hashable {
    var parent: CommitID
    var child: CommitID
  }

  /// The result of checking whether a commit contains a unit.
  private enum Presence {
    case present(Set<TreePath>)
    case absent
    /// The unit's catalog cannot be read in the commit.
    case unread
    /// The limit on commits to read was reached.
    case unknown
  }

  /// - Parameter read: returns the wanted units of a commit.
  init(
    mirror: any RepositoryMirror, limits: HistoryLimits = HistoryLimits(),
    read: @escaping (CommitID) async throws -> Standing
  ) {
    self.mirror = mirror
    self.limits = limits
    self.read = read
  }

  /// Returns the commit that added each wanted unit of `head`, if that commit is newer than `previous`. Units for which no such commit is
  /// found are omitted. If there are more commits than the limit, the result is empty.
  mutating func origins(
    of wanted: [Wanted], in head: CommitID, since previous: CommitID
  ) async throws -> [UnitSource: Provenance] {
    let history = try await mirror.history(of: head, excluding: previous, limit: limits.commits + 1)
    guard !wanted.isEmpty, history.count <= limits.commits else { return [:] }
    range = Dictionary(history.map { ($0.id, $0) }) { first, _ in first }
    var found: [UnitSource: Provenance] = [:]
    for unit in wanted {
      if let origin = try await origin(of: unit, from: head), let info = range[origin] {
        found[unit.source] = Provenance(info)
      }
    }
    return found
  }

  private mutating func origin(of unit: Wanted, from head: CommitID) async throws -> CommitID? {
    guard range.count > 1 else { return try await added(unit, in: head) }
    var place = head
    var files = unit.files
    while let info = range[place] {
      // Parents within the range come first: if a merge took the unit from one of them, the unit was added there.
      let parents = info.parents.filter { range[$0] != nil } + info.parents.filter { range[$0] == nil }
      var next: CommitID?
      for parent in parents where try await !isTouched(files, from: parent, to: place) {
        next = parent
        break
      }
      if let next {
        guard range[next] != nil else { return try await halved(unit, from: head) }
        place = next
        continue
      }
      var unread: CommitID?
      for parent in parents where range[parent] != nil {
        switch try await presence(of: unit, in: parent) {
        case .present(let there):
          files = there
          next = parent
        case .absent: continue
        case .unread: unread = unread ?? parent
        case .unknown: return nil
        }
        if next != nil { break }
      }
      if next == nil, let unread {
        guard let (older, there) = try await readable(before: unread, with: unit) else { return nil }
        files = there
        next = older
      }
      guard let next else { return try await added(unit, in: place) }
      place = next
    }
    return nil
  }

  /// Walks back along first parents from a commit in which the unit's catalog cannot be read to the newest commit in which it can be read.
  /// - Returns: the newest readable commit and the unit's files in it; `nil` if that commit does not contain the unit, if the range has no such
  ///   commit, or if the limit on commits to read is reached. Then it is unknown which of the later commits added the unit.
  private mutating func readable(
    before commit: CommitID, with unit: Wanted
  ) async throws -> (commit: CommitID, files: Set<TreePath>)? {
    var place = commit
    while let parent = range[place]?.parents.first, range[parent] != nil {
      switch try await presence(of: unit, in: parent) {
      case .present(let files): return (parent, files)
      case .unread: place = parent
      case .absent, .unknown: return nil
      }
    }
    return nil
  }

  /// Returns `commit`, the earliest commit in the range with the unit; `nil` if its parent may already contain the unit in a catalog that
  /// cannot be read there, or if the limit on commits to read is reached.
  private mutating func added(_ unit: Wanted, in commit: CommitID) async throws -> CommitID? {
    for parent in range[commit]?.parents ?? [] where range[parent] == nil {
      guard try await isTouched([unit.source.unit.catalog], from: parent, to: commit) else { continue }
      switch try await presence(of: unit, in: parent) {
      case .unread, .unknown: return nil
      case .present, .absent: continue
      }
    }
    return commit
  }

  private mutating func isTouched(
    _ files: Set<TreePath>, from parent: CommitID, to child: CommitID
  ) async throws -> Bool {
    let edge = Edge(parent: parent, child: child)
    if let known = touched[edge] { return !known.isDisjoint(with: files) }
    var paths: Set<TreePath> = []
    for change in try await mirror.changes(from: parent, to: child) {
      paths.insert(change.path)
      if case .renamed(let old) = change.kind { paths.insert(old) }
    }
    touched[edge] = paths
    return !paths.isDisjoint(with: files)
  }

  private mutating func presence(of unit: Wanted, in commit: CommitID) async throws -> Presence {
    let standing: Standing
    if let known = standings[commit] {
      standing = known
    } else {
      guard standings.count < limits.readings else { return .unknown }
      standing = try await read(commit)
      standings[commit] = standing
    }
    if let files = standing.files[unit.source] { return .present(files) }
    return standing.isUnread(unit.source.unit.catalog) ? .unread : .absent
  }

  /// Returns the oldest of the branch's own commits that has the unit, found by binary search; `nil` if the unit's catalog cannot be read in one
  /// of the compared commits, or if the limit on commits to read is reached.
  private mutating func halved(_ unit: Wanted, from head: CommitID) async throws -> CommitID? {
    var chain: [CommitID] = []
    var next: CommitID? = head
    while let place = next, let info = range[place] {
      chain.append(place)
      next = info.parents.first
    }
    var present = 0
    var absent = chain.count
    while absent - present > 1 {
      let middle = (present + absent) / 2
      switch try await presence(of: unit, in: chain[middle]) {
      case .present: present = middle
      case .absent: absent = middle
      case .unread, .unknown: return nil
      }
    }
    return chain.indices.contains(present) ? chain[present] : nil
  }
}
