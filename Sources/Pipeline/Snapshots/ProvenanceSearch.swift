import Localization

/// Finds the commits that brought text units in: from the newest commit back along the files that a unit stands in, as `git blame` goes
/// along lines.
///
/// A parent in which none of the unit's files differs is as the commit is, and costs a comparison of trees; only where one differs is the
/// parent read. A unit that no change of its own files brought (a declaration elsewhere made its text localizable) is found by halving
/// the branch's own commits.
struct ProvenanceSearch {
  /// A unit that is new, and the files that it stands in.
  struct Wanted {
    var source: UnitSource
    var files: Set<TreePath>
  }

  /// What a commit holds of the wanted units: the files of each.
  typealias Standing = [UnitSource: Set<TreePath>]

  /// How many commits are looked at, and how many of them are read. Past either a unit's origin stays unknown.
  struct Limits {
    var commits = 500
    var readings = 32
  }

  private let mirror: any RepositoryMirror
  private let read: (CommitID) async throws -> Standing
  private let limits: Limits
  private var range: [CommitID: CommitInfo] = [:]
  private var standings: [CommitID: Standing] = [:]
  private var touched: [Edge: Set<TreePath>] = [:]

  private struct Edge: Hashable {
    var parent: CommitID
    var child: CommitID
  }

  /// Whether a unit stands in a commit.
  private enum Presence {
    case present(Set<TreePath>)
    case absent
    /// Too many commits were read already.
    case unknown
  }

  /// - Parameter read: what a commit holds of the wanted units.
  init(
    mirror: any RepositoryMirror, limits: Limits = Limits(), read: @escaping (CommitID) async throws -> Standing
  ) {
    self.mirror = mirror
    self.limits = limits
    self.read = read
  }

  /// The origin of each unit that came after `previous`, and stands in `head`; units of unknown origin are missing.
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
    guard range.count > 1 else { return range.keys.first }
    var place = head
    var files = unit.files
    while let info = range[place] {
      // Those within the range first: what a merge took from elsewhere was brought there.
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
      for parent in parents where range[parent] != nil {
        switch try await presence(of: unit, in: parent) {
        case .present(let there):
          files = there
          next = parent
        case .absent: continue
        case .unknown: return nil
        }
        if next != nil { break }
      }
      guard let next else { return place }
      place = next
    }
    return nil
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
    return standing[unit.source].map { .present($0) } ?? .absent
  }

  /// The oldest of the branch's own commits from which on the unit stands there.
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
      case .unknown: return nil
      }
    }
    return chain.indices.contains(present) ? chain[present] : nil
  }
}
