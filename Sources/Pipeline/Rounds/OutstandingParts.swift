import Localization

extension PipelineContext {
  /// What a vendor has and has not returned, packed again from the commits that it was sent from, oldest first. A shipment whose source no
  /// readable commit has is left out: the next diff closes its units.
  func outstandingParts(
    at vendor: ConfiguredVendor
  ) async throws -> [(record: ShipmentRecord, part: OutstandingWork.Part)] {
    var packer = ShipmentPacker(self)
    var parts: [(record: ShipmentRecord, part: OutstandingWork.Part)] = []
    for (record, receipt) in try await store.outstandingShipments(of: name, vendor: vendor.name) {
      try Task.checkCancellation()
      guard let shipment = try await packer.shipment(record) else { continue }
      parts.append((record, OutstandingWork.Part(shipment: shipment, receipt: receipt)))
    }
    return parts
  }
}
