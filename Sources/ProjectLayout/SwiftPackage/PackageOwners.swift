import Localization

/// An index that finds the target of a package to which a path belongs.
///
/// A path belongs to the innermost target that takes it; of two targets with the same folder, to the first one. Searching all targets for each path
/// would take time proportional to the number of targets multiplied by that of paths. Therefore the result for a path is that of the folder above,
/// unless the rules of a target mention the path itself.
struct PackageOwners {
  /// The targets that take the paths below each folder. Targets are identified by rank, the position in the order in which targets get paths.
  private struct Claims {
    /// The ranks of the targets whose files start at a folder, in ascending order.
    private var starts: [TreePath: [Int]] = [:]
    /// The lowest rank of a target with a resource outside its folder. Exclusions do not affect such a resource.
    private var outer: [TreePath: Int] = [:]
    /// The ranks of the targets that exclude a path.
    private var excluded: [TreePath: Set<Int>] = [:]
    private var known: [TreePath: Int?] = [:]
    private(set) var steps = 0

    mutating func start(_ rank: Int, at folder: TreePath) { starts[folder, default: []].append(rank) }

    mutating func exclude(_ path: TreePath, from rank: Int) { excluded[path, default: []].insert(rank) }

    mutating func addOuter(_ path: TreePath, of rank: Int) { outer[path] = min(outer[path] ?? rank, rank) }

    /// Returns the lowest rank of a target that takes a path; `nil` if no target takes it.
    mutating func rank(of path: TreePath) -> Int? {
      steps += 1
      let above = path.isRoot ? nil : rank(ofFolder: path.parent)
      let isLost = above.map { excluded[path]?.contains($0) == true } ?? false
      return isLost || starts[path] != nil || outer[path] != nil ? lowest(at: path) : above
    }

    private mutating func rank(ofFolder folder: TreePath) -> Int? {
      if let rank = known[folder] { return rank }
      let rank = rank(of: folder)
      known[folder] = .some(rank)
      return rank
    }

    /// Returns the same as `rank(of:)` without using the result for the folder above.
    private mutating func lowest(at path: TreePath) -> Int? {
      var folders = [path]
      while let last = folders.last, !last.isRoot { folders.append(last.parent) }
      var lowest: Int?
      for folder in folders {
        steps += 1
        if let rank = outer[folder], rank < lowest ?? .max { lowest = rank }
        for rank in starts[folder] ?? [] {
          guard rank < lowest ?? .max else { break }
          steps += 1
          if folders.contains(where: { excluded[$0]?.contains(rank) == true }) { continue }
          lowest = rank
          break
        }
      }
      return lowest
    }
  }

  private var sources = Claims()
  private var resources = Claims()
  /// The targets' indices by rank. Inner folders come first, because a file in nested target folders belongs to the inner target.
  private let order: [Int]
  /// The indices of the targets by folder.
  private var byFolder: [TreePath: [Int]] = [:]

  /// The number of steps so far, which is proportional to the time.
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
      for path in target.sources ?? [target.folder] {
        if path.isWithin(target.folder) {
          sources.start(rank, at: path)
        } else if target.folder.isWithin(path) {
          sources.start(rank, at: target.folder)
        }
      }
    }
  }

  /// Returns the index of the target to which a source file belongs (`Placed.takesSource`).
  mutating func owner(ofSource path: TreePath) -> Int? { sources.rank(of: path).map { order[$0] } }

  /// Returns the index of the target to which a resource belongs (`Placed.takes`).
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
