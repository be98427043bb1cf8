import Localization

/// The marking of targets that depend on sources outside the tree. The declarations of a dependency determine which literals in the dependent targets
/// are localizable.
enum AbsentDependencies {
  /// Adds one of the diagnostics to the unknown sources of each target that depends on these targets, directly or indirectly.
  /// - Parameter absent: the targets whose folder, or a package that they use, is not in the tree, each with the diagnostic about what is missing.
  static func mark(_ targets: inout [ProjectTarget], absent: [TargetID: Diagnostic]) {
    guard !absent.isEmpty else { return }
    var users: [TargetID: [Int]] = [:]
    for (index, target) in targets.enumerated() {
      for dependency in target.dependencies { users[dependency, default: []].append(index) }
    }
    var seen = Set(absent.keys)
    var pending = absent.sorted { $0.key > $1.key }.map { (id: $0.key, reason: $0.value) }
    while let (id, reason) = pending.popLast() {
      for index in users[id] ?? [] where seen.insert(targets[index].id).inserted {
        targets[index].unknownSources.append(reason)
        pending.append((targets[index].id, reason))
      }
    }
  }
}
