import Localization

/// Withdraws units from a vendor that cannot translate them, if another vendor can.
struct UnitRefusals {
  private let context: PipelineContext

  init(_ context: PipelineContext) { self.context = context }

  /// Records the refusals of a poll.
  /// - Returns: the number of withdrawn units.
  func record(_ refusals: [VendorRefusal], from vendor: String, under job: Job) async throws -> Int {
    guard !refusals.isEmpty else { return 0 }
    var count = 0
    let shipments = try await context.store.outstandingShipments(of: context.name, vendor: vendor)
    for refusal in refusals {
      guard let (record, _) = shipments.first(where: { $0.receipt.reference == refusal.reference }) else { continue }
      count += try await self.record(refusal.units, of: record, under: job)
    }
    return count
  }

  /// Records the refused units of one shipment.
  /// - Parameter units: the units, with the catalog names that were sent to the vendor, and the reasons for the refusals.
  /// - Returns: the number of withdrawn units. The remaining units are not outstanding, or no other vendor can translate them.
  func record(_ units: [UnitID: String], of record: ShipmentRecord, under job: Job) async throws -> Int {
    let renames = try await context.store.renames(of: context.name)
    let routes = context.routes
    let outstanding = Set(record.units.map(\.unit))
    let moving = units.filter { unit, _ in
      guard outstanding.contains(unit),
        let route = routes.route(for: record.language, of: renames.newest(of: unit.catalog))
      else { return false }
      return record.vendor == MemoryVendor.reservedName || route.leadsOn(from: record.vendor)
    }
    if !moving.isEmpty { try await context.store.record([.refused(record.id, moving)], under: job) }
    return moving.count
  }
}
