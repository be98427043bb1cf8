package import Localization
package import Logging

/// Says what another vendor did: one line a call that did something.
package struct LoggingVendor: TranslationVendor {
  private let base: any TranslationVendor
  private let logger: Logger

  package init(_ base: any TranslationVendor, logger: Logger) {
    self.base = base
    var logger = logger
    logger[metadataKey: "vendor"] = "\(base.name)"
    self.logger = logger
  }

  package var kind: String { base.kind }
  package var name: String { base.name }

  package func push(_ shipment: Shipment) async throws -> ShipmentReceipt {
    let receipt = try await base.push(shipment)
    logger.info(
      "pushed",
      metadata: [
        "round": "\(shipment.round)", "language": "\(shipment.language)", "units": "\(receipt.units)",
        "reference": "\(receipt.reference)", "was-there": "\(receipt.wasThere)",
      ])
    return receipt
  }

  package func withdraw(_ units: [UnitID], of shipment: ShipmentReceipt, language: LocaleIdentifier) async throws {
    try await base.withdraw(units, of: shipment, language: language)
    logger.info(
      "withdrew",
      metadata: ["reference": "\(shipment.reference)", "language": "\(language)", "units": "\(units.count)"])
  }

  package func pull() async throws -> PullResult {
    let result = try await base.pull()
    for bundle in result.bundles {
      logger.info(
        "pulled",
        metadata: [
          "reference": "\(bundle.reference)", "digest": "\(bundle.digest)", "files": "\(bundle.files.count)",
          "diagnostics": "\(bundle.diagnostics.count)",
        ])
    }
    if result.bundles.isEmpty { logger.debug("pulled nothing") }
    return result
  }

  package func acknowledge(_ bundle: ReturnedBundle, verdict: BundleVerdict) async throws {
    try await base.acknowledge(bundle, verdict: verdict)
    logger.info(
      "acknowledged", metadata: ["reference": "\(bundle.reference)", "verdict": verdict == .taken ? "taken" : "held"])
  }
}
