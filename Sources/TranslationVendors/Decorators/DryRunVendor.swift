package import Localization

/// Lets another vendor be read, and changes nothing at it.
package struct DryRunVendor: TranslationVendor {
  private let base: any TranslationVendor

  package init(_ base: any TranslationVendor) { self.base = base }

  package var kind: String { base.kind }
  package var name: String { base.name }

  package func push(_ shipment: Shipment) async throws -> ShipmentReceipt {
    let stem = try ShipmentName.stem(of: shipment)
    return ShipmentReceipt(reference: "dry-run \(stem)", units: shipment.unitIDs.count, wasThere: false)
  }

  package func withdraw(_ units: [UnitID], of shipment: ShipmentReceipt, language: LocaleIdentifier) async throws {}

  /// What the vendor has; it keeps it.
  package func pull() async throws -> PullResult { try await base.pull() }

  package func acknowledge(_ bundle: ReturnedBundle, verdict: BundleVerdict) async throws {}
}
