import Localization

/// Hides or deletes texts at a vendor that are no longer on any branch, for keys that had several texts there.
///
/// A text stays in the string with which it was sent. When a side branch is merged, its variant becomes the only visible string for the
/// key, and keeps its translations. The key's own string is hidden, and shown again with the next text of the key.
enum VariantRetirement {
  /// Compares the variants at a vendor with the watched branches, once after a start and when a branch has a new commit or the outstanding
  /// variants change.
  /// - Returns: a finding if the vendor could not be updated. In that case, the update is tried again at the next poll.
  static func run(at vendor: ConfiguredVendor, _ context: PipelineContext) async throws -> [Diagnostic] {
    guard vendor.vendor.keepsStrings, vendor.vendor.retiresUnits else { return [] }
    let all = Set(try await context.store.variants(of: context.name, vendor: vendor.name))
    guard !all.isEmpty else { return [] }
    let shipments = try await context.store.outstandingShipments(of: context.name, vendor: vendor.name)
    let state = VariantState(
      heads: Set(try await context.store.heads(of: context.name).map(\.commit)),
      open: Set(shipments.flatMap { $0.receipt.variants ?? [] }))
    guard !state.heads.isEmpty, context.toldVariants.isNew(state, for: vendor.name) else { return [] }
    let finding = try await vendor.finding("texts that no branch has any more could not be removed from the vendor") {
      let shown = try await vendor.vendor.shown(all)
      let outdated = try await outdated(shown, outstanding: shipments, context)
      try await vendor.vendor.retire(outdated.variants)
      try await vendor.vendor.retire(Dictionary(uniqueKeysWithValues: outdated.units.map { ($0, []) }))
    }
    if let finding { return [finding] }
    context.toldVariants.note(state, for: vendor.name)
    return []
  }

  /// Returns the variants whose text is on no branch, and the units whose own string has a text that is on no branch, because all texts of
  /// the branches are variants.
  private static func outdated(
    _ shown: Set<UnitVariant>, outstanding: [(record: ShipmentRecord, receipt: ShipmentReceipt)],
    _ context: PipelineContext
  ) async throws -> (variants: Set<UnitVariant>, units: Set<UnitID>) {
    guard !shown.isEmpty else { return ([], []) }
    let heads = try await WatchedHeads.load(context)
    let renames = try await context.store.renames(of: context.name)
    var out: [UnitID: Set<String>] = [:]
    for (record, receipt) in outstanding {
      let variants = Set((receipt.variants ?? []).map(\.unit))
      for (unit, pin, _) in record.units where !variants.contains(unit) { out[unit, default: []].insert(pin.rawValue) }
    }
    var (variants, units): (Set<UnitVariant>, Set<UnitID>) = ([], [])
    for (unit, own) in Dictionary(grouping: shown, by: \.unit) {
      // A branch that cannot be read may have any text.
      guard let texts = texts(of: unit, heads, renames) else { continue }
      let standing = own.filter { texts.contains($0.text) }
      variants.formUnion(own.filter { !texts.contains($0.text) })
      if !texts.isEmpty, texts.isSubset(of: standing.map(\.text)), out[unit]?.isDisjoint(with: texts) ?? true {
        units.insert(unit)
      }
    }
    return (variants, units)
  }

  /// Returns the pins of the source texts that watched branches have for a unit; `nil` if a branch or catalog cannot be read.
  private static func texts(
    of unit: UnitID, _ heads: [WatchedHead], _ renames: [TreePath: TreePath]
  ) -> Set<String>? {
    let names = renames.allNames(of: unit.catalog)
    var texts: Set<String> = []
    for head in heads {
      guard let snapshot = head.snapshot, !names.contains(where: { snapshot.isUncertain($0) }) else { return nil }
      texts.formUnion(snapshot.texts(of: unit, renames).keys.map(\.rawValue))
    }
    return texts
  }
}
