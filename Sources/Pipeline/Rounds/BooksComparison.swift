package import Localization

/// The differences between a pipeline's books and the units that one of its vendors has.
package struct BooksComparison: Sendable {
  /// One shipment with outstanding units.
  package struct Part: Sendable {
    /// The round's number in the pipeline.
    package var round: Int
    package var language: LocaleIdentifier
    /// The units that are outstanding.
    package var outstanding: Set<UnitID>
    /// The differences at the vendor; `nil` if the vendor cannot report them.
    package var stock: VendorStock?
  }

  package var vendor: String
  package var parts: [Part]

  package var outstanding: Int { parts.map(\.outstanding.count).reduce(0, +) }

  /// The number of units that are outstanding in the books, but that the vendor does not have or has with another source text.
  package var differences: Int {
    parts.compactMap(\.stock).map { $0.missing.union($0.changed).count }.reduce(0, +)
  }

  /// Returns the differences between the books and a vendor's units. The ledger and the vendor's data are not changed.
  /// - Throws: errors of the vendor, the mirror or the store.
  package static func of(_ vendor: ConfiguredVendor, _ context: PipelineContext) async throws -> BooksComparison {
    try await of(vendor, context.outstandingParts(at: vendor))
  }

  static func of(
    _ vendor: ConfiguredVendor, _ parts: [(record: ShipmentRecord, part: OutstandingWork.Part)]
  ) async throws -> BooksComparison {
    let stocks = try await vendor.vendor.stocks(of: parts.map(\.part))
    return BooksComparison(
      vendor: vendor.name,
      parts: zip(parts, stocks).map { part, stock in
        Part(
          round: part.record.round, language: part.record.language, outstanding: Set(part.record.units.map(\.unit)),
          stock: stock)
      })
  }
}
