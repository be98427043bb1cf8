package import Localization

/// How the books of a pipeline and one of its vendors differ.
package struct BooksComparison: Sendable {
  /// One shipment of which units are outstanding.
  package struct Part: Sendable {
    /// The round's number in the pipeline.
    package var round: Int
    package var language: LocaleIdentifier
    /// The units that are outstanding.
    package var outstanding: Set<UnitID>
    /// `nil`: the vendor cannot tell.
    package var stock: VendorStock?
  }

  package var vendor: String
  package var parts: [Part]

  package var outstanding: Int { parts.map(\.outstanding.count).reduce(0, +) }

  /// Units that the books count as outstanding and that the vendor does not have, or has with another source text.
  package var differences: Int {
    parts.compactMap(\.stock).map { $0.missing.union($0.changed).count }.reduce(0, +)
  }

  /// Compares the books with each vendor. Nothing is changed, here or there.
  /// - Parameter vendor: `nil`: all.
  /// - Throws: what the vendor, the mirror or the store throws.
  package static func of(_ vendor: ConfiguredVendor, _ context: PipelineContext) async throws -> BooksComparison {
    var packer = ShipmentPacker(context)
    var parts: [Part] = []
    for (record, receipt) in try await context.store.outstandingShipments(of: context.name, vendor: vendor.name) {
      try Task.checkCancellation()
      let outstanding = Set(record.units.map(\.unit))
      // Units whose source no readable commit has are closed by the next diff.
      guard let shipment = try await packer.shipment(record) else { continue }
      let stock = try await vendor.vendor.stock(of: OutstandingWork.Part(shipment: shipment, receipt: receipt))
      parts.append(Part(round: record.round, language: record.language, outstanding: outstanding, stock: stock))
    }
    return BooksComparison(vendor: vendor.name, parts: parts)
  }
}
