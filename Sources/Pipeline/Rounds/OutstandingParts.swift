import Localization

extension PipelineContext {
  /// Returns the outstanding units of a vendor, oldest first. They are packed again from the commits from which they were sent. A shipment
  /// whose source texts are in no readable commit is omitted; the next diff closes its units.
  func outstandingParts(
    at vendor: ConfiguredVendor
  ) async throws -> [(record: ShipmentRecord, part: OutstandingWork.Part)] {
    var packer = ShipmentPacker(self, for: vendor.vendor)
    var parts: [(record: ShipmentRecord, part: OutstandingWork.Part)] = []
    for (record, receipt) in try await store.outstandingShipments(of: name, vendor: vendor.name) {
      try Task.checkCancellation()
      guard let shipment = try await packer.shipment(record) else { continue }
      parts.append((record, OutstandingWork.Part(shipment: shipment, receipt: receipt)))
    }
    return parts
  }

  /// Returns the units of a vendor whose returns are held for a reason that a translator can resolve, packed as in
  /// ``outstandingParts(at:)``.
  func heldParts(at vendor: ConfiguredVendor) async throws -> [OutstandingWork.Part] {
    guard vendor.vendor.isAskedAgain else { return [] }
    var packer = ShipmentPacker(self, for: vendor.vendor)
    var parts: [OutstandingWork.Part] = []
    for held in try await store.heldShipments(of: name, vendor: vendor.name) {
      try Task.checkCancellation()
      var record = held.record
      record.units = zip(record.units, held.reasons)
        .filter { _, reasons in !reasons.isEmpty && reasons.allSatisfy(\.concernsTranslation) }.map { $0.0 }
      guard !record.units.isEmpty, let shipment = try await packer.shipment(record) else { continue }
      parts.append(OutstandingWork.Part(shipment: shipment, receipt: held.receipt))
    }
    return parts
  }
}
