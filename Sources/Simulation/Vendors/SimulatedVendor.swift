package import Localization

/// The error of a request to a vendor that failed in the network or at the vendor.
package struct SimulatedVendorError: DisposableError, Hashable, CustomStringConvertible {
  package var description: String
  package var refusesLanguage = false
  package var disposition = Disposition.retry
}

/// The adapter of a vendor in one process of the daemon: the stages call it, and it passes their requests to the vendor's ``VendorServer``.
package struct SimulatedVendor: TranslationVendor {
  package let kind = "simulated"
  package let name: String
  private let server: VendorServer
  private let pipeline: String
  private let life: Life

  package init(name: String, server: VendorServer, pipeline: String, life: Life) {
    self.name = name
    self.server = server
    self.pipeline = pipeline
    self.life = life
  }

  private func connect<Value: Sendable>(_ body: () -> Value) async throws -> Value {
    try life.pass()
    if let (fault, number) = server.nextFault() {
      if fault.isExecuted { _ = body() }
      if fault == .silentAfterSuccess {
        await server.time.sleep(.seconds(60))
        try Task.checkCancellation()
      }
      try life.pass()
      throw fault.error(of: name, number: number)
    }
    switch server.health {
    case .healthy: break
    case .silent:
      await server.time.sleep(.seconds(60))
      try Task.checkCancellation()
      try life.pass()
      throw SimulatedVendorError(description: "\(name): no response for 60 s")
    case .refusing: throw SimulatedVendorError(description: "\(name): connection refused")
    case .failing:
      _ = body()
      try life.pass()
      throw SimulatedVendorError(description: "\(name): the connection was closed")
    case .slow:
      await server.time.sleep(.seconds(20))
      try Task.checkCancellation()
      try life.pass()
    }
    let value = body()
    try life.pass()
    return value
  }

  package func push(_ shipment: Shipment) async throws -> ShipmentReceipt {
    guard !server.manner.refusedLanguages.contains(shipment.language) else {
      throw SimulatedVendorError(
        description: "\(name) has no language \(shipment.language)", refusesLanguage: true, disposition: .permanent)
    }
    return try await connect { server.take(shipment) }
  }

  package func find(_ shipment: Shipment) async throws -> ShipmentReceipt? {
    try await connect { server.find(shipment) }
  }

  package func withdraw(_ units: [UnitID], of shipment: ShipmentReceipt, language: LocaleIdentifier) async throws {
    try await connect { server.withdraw(units, of: shipment, language: language) }
  }

  package func pull(_ outstanding: OutstandingWork) async throws -> PullResult {
    try await connect { server.look(for: pipeline) }
  }

  package var isAskedAgain: Bool { server.manner.keepsTexts }

  package func corrections(of parts: [OutstandingWork.Part]) async throws -> PullResult {
    try await connect { server.corrections(of: parts) }
  }

  package func acknowledge(_ bundle: ReturnedBundle, verdict: BundleVerdict) async throws {
    try await connect { server.acknowledge(bundle.reference) }
  }
}
