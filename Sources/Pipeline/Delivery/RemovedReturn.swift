import Localization

/// A return that a person removed from a branch, or marked as needing review there (`RemovalSearch`).
struct RemovedReturn {
  var unit: ReturnedUnit
  var reason: HoldReason

  /// Finds the returned units that were removed in the history of a commit. The removal may have been found on another branch, from which this
  /// one has it. A force-push may have dropped it.
  static func find(
    among units: [ReturnedUnit], in tip: CommitID, _ context: PipelineContext
  ) async throws -> [RemovedReturn] {
    guard !units.isEmpty else { return [] }
    let units = Dictionary(units.map { ($0.id, $0) }) { first, _ in first }
    var isInHistory: [String: Bool] = [:]
    var found: [RemovedReturn] = []
    for held in try await context.store.heldUnits(of: context.name) {
      guard let reason = held.reason, let commit = reason.removal?.commit, let unit = units[held.id] else { continue }
      if isInHistory[commit] == nil {
        isInHistory[commit] = try await context.mirror.isAncestor(CommitID(rawValue: commit), of: tip)
      }
      if isInHistory[commit] == true { found.append(RemovedReturn(unit: unit, reason: reason)) }
    }
    return found
  }
}
