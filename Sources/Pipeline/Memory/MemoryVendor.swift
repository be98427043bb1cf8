package import Localization
package import Workspace

/// The translation memory of a pipeline as a vendor. It gets the units whose translations the memory has (`MemoryAssignment`) and returns
/// them at the next poll.
///
/// It stores nothing, and looks texts up when they are requested. A unit whose translation the memory no longer has is refused and goes to
/// another vendor.
package struct MemoryVendor: TranslationVendor {
  /// The name in the ledger.
  package static let reservedName = "memory"

  package let kind = reservedName
  package let name = reservedName
  package let isInStore = true
  private let arrivesTranslated: Bool
  private let lookUp: @Sendable ([Shipment]) async throws -> TranslationMemory

  /// - Parameter lookUp: returns a memory with the known translations of some shipments.
  package init(
    arrivesTranslated: Bool, lookUp: @escaping @Sendable ([Shipment]) async throws -> TranslationMemory
  ) {
    self.arrivesTranslated = arrivesTranslated
    self.lookUp = lookUp
  }

  package func push(_ shipment: Shipment) async throws -> ShipmentReceipt { receipt(of: shipment) }

  package func find(_ shipment: Shipment) async throws -> ShipmentReceipt? { receipt(of: shipment) }

  private func receipt(of shipment: Shipment) -> ShipmentReceipt {
    ShipmentReceipt(
      reference: "\(shipment.pipeline)-\(shipment.round)-\(shipment.language)",
      units: shipment.files.reduce(0) { $0 + Set($1.units.map(\.key)).count }, wasThere: true)
  }

  package func withdraw(_ units: [UnitID], of shipment: ShipmentReceipt, language: LocaleIdentifier) async throws {}

  package func pull(_ outstanding: OutstandingWork) async throws -> PullResult {
    let parts = try await outstanding.parts()
    guard !parts.isEmpty else { return PullResult(bundles: []) }
    let memory = try await lookUp(parts.map(\.shipment))
    var result = PullResult(bundles: [])
    for part in parts {
      let files = part.shipment.files.compactMap { memory.filled($0, isFinished: arrivesTranslated) }
      let filled = Set(files.flatMap { file in file.units.map { Self.id($0.key, in: file) } })
      let all = Set(part.shipment.files.flatMap { file in file.units.map { Self.id($0.key, in: file) } })
      let rest = all.subtracting(filled)
      if !rest.isEmpty {
        let reason = "the translation memory no longer has it"
        result.refusals.append(
          VendorRefusal(
            reference: part.receipt.reference, units: Dictionary(uniqueKeysWithValues: rest.map { ($0, reason) })))
      }
      guard !files.isEmpty else { continue }
      result.bundles.append(
        ReturnedBundle(
          reference: part.receipt.reference, digest: Self.digest(of: files, for: part.receipt.reference), files: files))
    }
    return result
  }

  package func acknowledge(_ bundle: ReturnedBundle, verdict: BundleVerdict) async throws {}

  private static func id(_ key: UnitKey, in file: ExchangeFile) -> UnitID {
    UnitID(catalog: TreePath(trusted: file.original), key: key)
  }

  private static func digest(of files: [ExchangeFile], for reference: String) -> String {
    var digest = ContentDigest()
    digest.update(text: reference)
    for file in files {
      digest.update(text: file.original)
      for unit in file.units {
        digest.update(text: ExchangeIdentifier.text(key: unit.key, path: unit.path))
        digest.update(text: unit.source?.plain ?? "")
        digest.update(text: unit.target?.text.plain ?? "")
      }
    }
    return digest.finishHexadecimal()
  }
}
