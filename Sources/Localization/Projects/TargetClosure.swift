/// Finds the transitive dependencies of targets, and their files.
package enum TargetClosure {
  /// Returns the targets and all their direct and indirect dependencies, each once, sorted by id.
  package static func closure(of targets: [ProjectTarget], in project: ProjectDescription) -> [ProjectTarget] {
    closure(of: targets, in: byID(project))
  }

  package static func byID(_ project: ProjectDescription) -> [TargetID: ProjectTarget] {
    Dictionary(project.targets.map { ($0.id, $0) }) { first, _ in first }
  }

  package static func closure(of targets: [ProjectTarget], in byID: [TargetID: ProjectTarget]) -> [ProjectTarget] {
    var found: [ProjectTarget] = []
    var seen: Set<TargetID> = []
    var pending = targets
    while let next = pending.popLast() {
      guard seen.insert(next.id).inserted else { continue }
      found.append(next)
      for id in next.dependencies where !seen.contains(id) {
        if let target = byID[id] { pending.append(target) }
      }
    }
    return found.sorted { $0.id < $1.id }
  }

  /// Returns the Swift files of the targets, each once, sorted by path.
  package static func sources(of targets: [ProjectTarget]) -> [TreeEntry] {
    // The files of each target are already sorted, which makes sorting all files faster.
    var all: [TreeEntry] = []
    all.reserveCapacity(targets.reduce(0) { $0 + $1.swiftSources.count })
    for target in targets { all += target.swiftSources }
    all.sort { $0.path < $1.path }
    var kept = 0
    for index in all.indices where index + 1 == all.count || all[index].path != all[index + 1].path {
      if kept != index { all.swapAt(kept, index) }
      kept += 1
    }
    all.removeLast(all.count - kept)
    return all
  }
}
