import FoundationEssentials
import Localization

/// Notifies a vendor of withdrawn units, sends the recorded shipments to the vendor, and updates the texts that the vendor should show
/// (`StandingTextUpdate`).
enum PushStage {
  static func run(_ job: Job, _ context: PipelineContext) async throws -> StageOutcome {
    let vendor = try context.vendor(named: job.scope)
    var fault: (any Error)?
    let unsent = try await context.store.unsentShipments(of: context.name, vendor: vendor.name)
    var packer = ShipmentPacker(context, for: vendor.vendor, sends: true)
    for record in unsent where !record.isWanted {
      try Task.checkCancellation()
      do {
        try await find(record, at: vendor, by: &packer, under: job, context)
      } catch let error as any DisposableError where Self.concernsOneCall(error) {
        // It is unknown whether the vendor has this shipment. The next attempt searches for the shipment again. New work does not wait for
        // this.
        fault = fault ?? error
      }
    }
    // Withdrawals are sent first. If a withdrawn unit is needed again, one of the shipments below contains it. In the other order, the
    // vendor would have the unit twice.
    let notices = try await context.store.withdrawalNotices(of: context.name, vendor: vendor.name)
    for notice in notices {
      try Task.checkCancellation()
      do {
        try await vendor.vendor.withdraw(notice.units.map(\.unit), of: notice.receipt, language: notice.language)
        try await context.store.record([.notified(notice.units.map(\.id))], under: job)
      } catch let error as any DisposableError where Self.concernsOneCall(error) {
        // New work is sent even if a withdrawal fails.
        fault = fault ?? error
      }
    }
    var (sent, refused, variants) = (0, 0, 0)
    var rounds: Set<Int> = []
    for record in unsent where record.isWanted {
      try Task.checkCancellation()
      do {
        guard let shipment = try await packer.shipment(record) else { continue }
        let receipt = try await vendor.vendor.push(shipment)
        try await context.store.record([.shipped(record.id, receipt, at: try await context.store.now())], under: job)
        sent += record.units.count - receipt.refused
        refused += receipt.refused
        variants += receipt.variants?.count ?? 0
        rounds.insert(record.round)
      } catch let error where error is CancellationError || error is StoreConflict {
        throw error
      } catch let error as any DisposableError where error.refusesLanguage {
        // Units that other vendors can translate go to these vendors. Units that only this vendor can translate wait for a person, as after
        // any permanent fault.
        let moved = try await UnitRefusals(context).record(
          Dictionary(record.units.map { ($0.unit, String(describing: error)) }) { first, _ in first }, of: record,
          under: job)
        refused += moved
        if moved < record.units.count { fault = fault ?? error }
      } catch {
        fault = fault ?? error
        // All languages use the same server, so the next shipment would fail too.
        if let error = error as? any DisposableError, error.disposition != .permanent { break }
      }
    }
    if let fault { throw fault }
    let findings = try await StandingTextUpdate.run(at: vendor, under: job, context)
    return StageOutcome(
      detail: "\(sent) sent to \(vendor.name)"
        + (variants > 0 ? ", \(variants) of them as variants, because branches have different texts" : "")
        + (refused > 0 ? ", \(refused) refused" : ""),
      rounds: rounds.sorted(), diagnostics: packer.diagnostics + findings,
      hasEffect: sent + refused > 0 || !notices.isEmpty)
  }

  /// Returns whether an error affects only one call, so the next call may succeed. Temporary errors and a lost job affect all calls.
  private static func concernsOneCall(_ error: any DisposableError) -> Bool {
    switch error.disposition {
    case .permanent, .askPerson: true
    case .retry, .retryAfter: false
    }
  }

  /// Checks whether the vendor received a shipment that is no longer needed and whose upload was never confirmed. If so, the notification
  /// that follows withdraws the shipment.
  private static func find(
    _ record: ShipmentRecord, at vendor: ConfiguredVendor, by packer: inout ShipmentPacker, under job: Job,
    _ context: PipelineContext
  ) async throws {
    var receipt: ShipmentReceipt?
    if let shipment = try await packer.shipment(record) { receipt = try await vendor.vendor.find(shipment) }
    let now = try await context.store.now()
    let change = receipt.map { LedgerChange.shipped(record.id, $0, at: now) } ?? .neverArrived(record.id)
    try await context.store.record([change], under: job)
  }
}
