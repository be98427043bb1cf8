import FoundationEssentials
import Localization

/// Compares the books with a vendor. If the vendor keeps strings, also resends source texts that differ at the vendor because a person edited
/// them, or because a deleted branch had another text for the key.
enum StockReview {
  /// Runs the review once a day, for the first time a day after the start; with `run --once`, once per run if the vendor keeps strings.
  /// - Returns: findings, which do not stop the poll for translations.
  static func run(at vendor: ConfiguredVendor, under job: Job, _ context: PipelineContext) async throws -> [Diagnostic]
  {
    let now = try await context.store.now()
    let isDue =
      context.isOnce
      ? vendor.vendor.keepsStrings && context.comparisons.isFirst(vendor.name, at: now)
      : context.comparisons.isDue(vendor.name, at: now)
    guard isDue else { return [] }
    var findings: [Diagnostic] = []
    let failure = try await vendor.finding("the books could not be compared with the vendor") {
      let parts = try await context.outstandingParts(at: vendor)
      guard !parts.isEmpty else { return }
      var comparison = try await BooksComparison.of(vendor, parts)
      let restored = try await restore(&comparison, parts, at: vendor, under: job, context)
      findings = told(restored, vendor) + hidden(comparison, vendor) + differences(comparison, vendor, context)
    }
    return findings + [failure].compactMap(\.self)
  }

  /// Resends units whose source text differs at the vendor, and removes them from the comparison.
  private static func restore(
    _ comparison: inout BooksComparison, _ parts: [(record: ShipmentRecord, part: OutstandingWork.Part)],
    at vendor: ConfiguredVendor, under job: Job, _ context: PipelineContext
  ) async throws -> Set<UnitID> {
    guard vendor.vendor.keepsStrings else { return [] }
    var packer = ShipmentPacker(context, for: vendor.vendor, sends: true)
    var restored: Set<UnitID> = []
    for (place, (record, part)) in parts.enumerated() {
      guard let changed = comparison.parts[place].stock?.changed, !changed.isEmpty else { continue }
      try Task.checkCancellation()
      var again = record
      again.units.removeAll { !changed.contains($0.unit) }
      guard !again.units.isEmpty, let shipment = try await packer.shipment(again) else { continue }
      let variants = try await vendor.vendor.push(shipment).variants ?? []
      var receipt = part.receipt
      let known = Set(receipt.variants ?? [])
      let new = variants.filter { !known.contains($0) }
      if !new.isEmpty {
        receipt.variants = (receipt.variants ?? []) + new
        try await context.store.record([.shipped(record.id, receipt, at: try await context.store.now())], under: job)
      }
      restored.formUnion(changed)
      comparison.parts[place].stock?.changed = []
    }
    return restored
  }

  private static func told(_ restored: Set<UnitID>, _ vendor: ConfiguredVendor) -> [Diagnostic] {
    guard let first = restored.sorted().first else { return [] }
    let name = first.shown
    return [
      Diagnostic(
        path: vendor.name, severity: .warning,
        message: restored.count == 1
          ? "the source text of \(name) differs at the vendor, so it is sent again"
          : "the source texts of \(restored.count) strings differ at the vendor, so they are sent again; the first is \(name)",
        hint: "change source texts in the repository, not at the vendor")
    ]
  }

  /// Returns a finding about hidden strings: translators do not see them, so they stay outstanding until someone shows them again.
  private static func hidden(_ comparison: BooksComparison, _ vendor: ConfiguredVendor) -> [Diagnostic] {
    let hidden = comparison.parts.compactMap(\.stock).reduce(into: Set()) { $0.formUnion($1.hidden) }
    guard let first = hidden.sorted().first else { return [] }
    return [
      Diagnostic(
        path: vendor.name, severity: .warning,
        message: hidden.count == 1
          ? "\(first.shown) is outstanding, but hidden or archived at the vendor, so nobody translates it"
          : "\(hidden.count) strings are outstanding, but hidden or archived at the vendor, so nobody translates them; the first is "
            + first.shown,
        hint: "show it again at the vendor, or remove it from the repository")
    ]
  }

  private static func differences(
    _ comparison: BooksComparison, _ vendor: ConfiguredVendor, _ context: PipelineContext
  ) -> [Diagnostic] {
    guard !context.isOnce, comparison.differences > 0 else { return [] }
    return [
      Diagnostic(
        path: vendor.name, severity: .warning,
        message:
          "\(comparison.differences) of \(comparison.outstanding) outstanding units are missing or changed at the vendor",
        hint: "`dragoman reconcile` lists them")
    ]
  }
}
