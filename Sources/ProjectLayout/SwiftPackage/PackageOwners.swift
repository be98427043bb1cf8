import Localization

/// An index that finds the target of a package to which a path belongs.
///
/// A path belongs to the innermost target that takes it; of two targets with the same folder, to the first one. Searching all targets for each path
/// would take time proportional to the number of targets multiplied by that of paths. Therefore the result for a path is derived from the results for
/// the folder above, and the rules of targets that mention the path itself.
struct PackageOwners {
  /// The targets that take the paths below each folder. Targets are identified by rank, the position in the order in which targets get paths.
  private struct Claims {
    private struct Place: Hashable {
      var folder: TreePath
      var rank: Int
    }

    /// The ranks of the targets whose files start at a path, in ascending order.
    private var starts: [TreePath: [Int]] = [:]
    /// The lowest rank of a target with a resource outside its folder. Exclusions do not affect such a resource.
    private var outer: [TreePath: Int] = [:]
    /// The ranks of the targets that exclude a path.
    private var excluded: [TreePath: Set<Int>] = [:]
    /// The results of `next`. They make the time proportional to the number of rules.
    private var known: [Place: Int?] = [:]
    /// The lowest rank in `outer` of each folder and the folders above it.
    private var outerAbove: [TreePath: Int?] = [:]
    private(set) var steps = 0

    mutating func start(_ rank: Int, at path: TreePath) { starts[path, default: []].append(rank) }

    mutating func exclude(_ path: TreePath, from rank: Int) { excluded[path, default: []].insert(rank) }

    mutating func addOuter(_ path: TreePath, of rank: Int) { outer[path] = min(outer[path] ?? rank, rank) }

    /// Returns the lowest rank of a target that takes a path; `nil` if no target takes it.
    mutating func rank(of path: TreePath) -> Int? {
      steps += 1
      var path = path
      // Only paths that rules mention, and folders, are stored in `known`.
      if !path.isRoot, starts[path] == nil, excluded[path] == nil, outer[path] == nil { path = path.parent }
      return [next(at: path, after: -1), outerRank(of: path)].compactMap(\.self).min()
    }

    /// Returns the lowest rank above `rank` of a target that takes a path, apart from resources outside the targets' folders.
    private mutating func next(at path: TreePath, after rank: Int) -> Int? {
      if let found = known[Place(folder: path, rank: rank)] { return found }
      var passed = [rank]
      var last = rank
      var found: Int?
      repeat {
        steps += 1
        let above = path.isRoot ? nil : next(at: path.parent, after: last)
        found = [first(at: path, after: last), above].compactMap(\.self).min()
        guard let candidate = found, excluded[path]?.contains(candidate) == true else { break }
        passed.append(candidate)
        last = candidate
      } while true
      for rank in passed { known[Place(folder: path, rank: rank)] = .some(found) }
      return found
    }

    /// Returns the lowest rank above `rank` of a target whose files start at a path, by binary search.
    private func first(at path: TreePath, after rank: Int) -> Int? {
      guard let ranks = starts[path] else { return nil }
      var (low, high) = (0, ranks.count)
      while low < high {
        let middle = (low + high) / 2
        if ranks[middle] > rank { high = middle } else { low = middle + 1 }
      }
      return low < ranks.count ? ranks[low] : nil
    }

    private mutating func outerRank(of path: TreePath) -> Int? {
      guard !outer.isEmpty else { return nil }
      if let found = outerAbove[path] { return found }
      let above = path.isRoot ? nil : outerRank(of: path.parent)
      let lowest = [outer[path], above].compactMap(\.self).min()
      outerAbove[path] = .some(lowest)
      return lowest
    }
  }

  private var sources = Claims()
  private var resources = Claims()
  /// The targets' indices by rank. Inner folders come first, because a file in nested target folders belongs to the inner target.
  private let order: [Int]
  /// The indices of the targets by folder.
  private var byFolder: [TreePath: [Int]] = [:]

  /// The number of lookups of rules so far, for tests.
  var steps: Int { sources.steps + resources.steps }

  init(_ placed: [PackageFolders.Placed]) {
    order = placed.indices.sorted {
      (placed[$1].folder.text.utf8.count, $0) < (placed[$0].folder.text.utf8.count, $1)
    }
    for (index, target) in placed.enumerated() { byFolder[target.folder, default: []].append(index) }
    for (rank, index) in order.enumerated() {
      let target = placed[index]
      for path in target.outer { resources.addOuter(path, of: rank) }
      guard !target.excluded.contains(where: target.folder.isWithin) else { continue }
      for path in target.excluded {
        sources.exclude(path, from: rank)
        resources.exclude(path, from: rank)
      }
      resources.start(rank, at: target.folder)
      let excluded = Set(target.excluded)
      // A path is stated once for each target.
      for path in Set((target.sources ?? [target.folder]).map { target.folder.isWithin($0) ? target.folder : $0 })
      where path.isWithin(target.folder) && !path.isWithinAny(of: excluded) {
        sources.start(rank, at: path)
      }
    }
  }

  /// Returns the index of the target to which a source file belongs.
  mutating func owner(ofSource path: TreePath) -> Int? { sources.rank(of: path).map { order[$0] } }

  /// Returns the index of the target to which a resource belongs. `sources` does not affect resources.
  mutating func owner(ofResource path: TreePath) -> Int? { resources.rank(of: path).map { order[$0] } }

  /// Returns the index of the target to which a file belongs that can be both a source and a resource.
  mutating func owner(ofSourceOrResource path: TreePath) -> Int? {
    [sources.rank(of: path), resources.rank(of: path)].compactMap(\.self).min().map { order[$0] }
  }

  /// Returns the indices of the targets whose folders contain a path, in ascending order.
  func holders(of path: TreePath) -> [Int] {
    var found: [Int] = byFolder[path] ?? []
    var folder = path
    while !folder.isRoot {
      folder = folder.parent
      found += byFolder[folder] ?? []
    }
    return found.sorted()
  }
}
