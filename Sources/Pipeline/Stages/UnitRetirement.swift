import Localization

/// Notifies a vendor about units that it returned and that are no longer on any branch. After that, translators no longer see these units.
enum UnitRetirement {
  /// Compares the units that the vendor returned with the watched branches, once after a start and when one of the branches has a new commit.
  /// - Returns: a finding if the vendor could not be notified. In that case, it is notified after the next commit or restart.
  static func run(
    at vendor: ConfiguredVendor, under job: Job, _ context: PipelineContext
  ) async throws -> [Diagnostic] {
    guard vendor.vendor.retiresUnits else { return [] }
    let heads = Set(try await context.store.heads(of: context.name).map(\.commit))
    guard !heads.isEmpty, context.retirements.isNew(heads, for: vendor.name) else { return [] }
    let kept = try await context.store.returnedUnits(of: context.name, vendor: vendor.name, retired: false)
    guard !kept.isEmpty else { return [] }
    let gone = try await context.unused(among: kept.keys, at: vendor.name)
    guard !gone.isEmpty else { return [] }
    let finding = try await vendor.finding(
      "\(gone.count == 1 ? "1 removed string" : "\(gone.count) removed strings") could not be hidden from translators"
    ) {
      try await vendor.vendor.retire(gone)
    }
    if let finding { return [finding] }
    try await context.store.record([.notified(gone.keys.flatMap { kept[$0] ?? [] }.sorted())], under: job)
    return []
  }
}
