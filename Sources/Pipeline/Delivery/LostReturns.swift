import Localization

/// Finds delivered returns whose texts are no longer on a delivery branch after the watched branch was merged into it, although their source
/// texts are current.
///
/// For example, a person squashed an older translation of ours into the watched branch. Or a source text was changed and changed back, so
/// the branch has our translation of the intermediate text. A text that a person corrected on the delivery branch does not count as lost.
struct LostReturns {
  let delivered: [ReturnedUnit]
  let renames: [TreePath: TreePath]
  /// The digests of translations that were delivered for other source texts of the same unit, by return.
  private let rivals: [ReturnedUnitID: Set<String>]

  init(delivered: [ReturnedUnit], renames: [TreePath: TreePath]) {
    self.delivered = delivered
    self.renames = renames
    var rivals: [ReturnedUnitID: Set<String>] = [:]
    let slots = Dictionary(grouping: delivered) { unit in
      let catalog = renames.newest(of: unit.unit.catalog)
      return UnitInLanguage(unit: UnitID(catalog: catalog, key: unit.unit.key), language: unit.language)
    }
    for units in slots.values where units.count > 1 {
      for unit in units {
        let others = units.filter { $0.pin != unit.pin }.compactMap { $0.outcome?.translation }
        if !others.isEmpty { rivals[unit.id] = Set(others) }
      }
    }
    self.rivals = rivals
  }

  /// Returns whether the merge of a watched branch would lose returns because source texts changed back.
  func areExpected(of watched: Run, on deliveryBranch: CommitID, _ context: PipelineContext) async throws -> Bool {
    guard !rivals.isEmpty else { return false }
    let head = try await context.snapshots.snapshot(of: watched.commit)
    let branch = try await context.snapshots.snapshot(of: deliveryBranch)
    return delivered.contains { fits($0, head) && isReplaced($0, in: branch) }
  }

  /// Returns the lost returns.
  /// - Parameters:
  ///   - before: the delivery branch before the merge.
  ///   - merged: the result of the merge.
  func find(from before: Snapshot, in merged: Snapshot) -> [ReturnedUnit] {
    delivered.filter { unit in
      guard fits(unit, merged) else { return false }
      return isReplaced(unit, in: merged) || !stands(unit, in: merged) && stands(unit, in: before)
    }
  }

  /// Returns whether people dropped returns on the delivery branch: the branch has commits by people, and the strings have no translation.
  func areDropped(on base: DeliveryBase, _ context: PipelineContext) async throws -> Bool {
    guard !delivered.isEmpty, base.hasForeignCommits,
      let snapshot = try await context.snapshots.readable(base.deliveryBranch)
    else { return false }
    return !dropped(in: snapshot).isEmpty
  }

  /// Returns the delivered returns whose strings have no translation in a commit.
  func dropped(in snapshot: Snapshot) -> [ReturnedUnit] {
    delivered.filter { unit in
      guard fits(unit, snapshot),
        let catalog = snapshot.synced[renames.name(of: unit.unit, in: snapshot).catalog],
        catalog.unread[unit.language] == nil
      else { return false }
      return text(unit, snapshot)?.hasNoText ?? true
    }
  }

  /// Returns the delivered returns whose texts are in a commit.
  func standing(in snapshot: Snapshot) -> Set<ReturnedUnitID> {
    Set(delivered.filter { stands($0, in: snapshot) }.map(\.id))
  }

  private func text(_ unit: ReturnedUnit, _ snapshot: Snapshot) -> Translation? {
    snapshot.synced[renames.name(of: unit.unit, in: snapshot).catalog]?.entries[unit.unit.key]?
      .translations[unit.language]
  }

  private func fits(_ unit: ReturnedUnit, _ snapshot: Snapshot) -> Bool {
    let pin = snapshot.synced[renames.name(of: unit.unit, in: snapshot).catalog]?.pin(of: unit.unit.key)
    return pin != nil && pin == unit.pin
  }

  private func stands(_ unit: ReturnedUnit, in snapshot: Snapshot) -> Bool {
    text(unit, snapshot)?.digest == unit.outcome?.translation
  }

  /// Returns whether another delivered translation of ours, for another source text of the unit, has replaced the text.
  private func isReplaced(_ unit: ReturnedUnit, in snapshot: Snapshot) -> Bool {
    guard let others = rivals[unit.id], let text = text(unit, snapshot), text.digest != unit.outcome?.translation else {
      return false
    }
    return !others.isDisjoint(with: text.deliveredDigests)
  }
}
