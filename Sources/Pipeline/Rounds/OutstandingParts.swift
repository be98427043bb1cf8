import Localization

extension PipelineContext {
  /// Returns the outstanding units of a vendor, oldest first. The units are packed again from the commits from which they were sent. A
  /// shipment is omitted if no readable commit has its source texts. The next diff closes the units of such a shipment.
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

  /// Returns the units of a vendor whose returns are held only for reasons that a translator can resolve, packed as in
  /// ``outstandingParts(at:)``. Returns no units if held texts are not requested again from this vendor.
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
