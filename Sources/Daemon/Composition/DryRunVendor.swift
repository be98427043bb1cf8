import HTTPTransport
import Localization
import Pipeline
import Synchronization
import TranslationVendors

/// A vendor that is only read. Calls that would change something at the vendor are recorded instead.
struct DryRunVendor: TranslationVendor {
  /// The references of the bundles that were acknowledged in this dry run. The vendor was not notified of this, so it still returns these bundles.
  private final class Acknowledged: Sendable {
    let references = Mutex<Set<String>>([])
  }

  private let vendor: any TranslationVendor
  private let pipeline: String
  private let record: DryRunRecord
  private let acknowledged = Acknowledged()

  init(_ vendor: any TranslationVendor, of pipeline: String, _ record: DryRunRecord) {
    self.vendor = vendor
    self.pipeline = pipeline
    self.record = record
  }

  var kind: String { vendor.kind }
  var name: String { vendor.name }
  var retiresUnits: Bool { vendor.retiresUnits }
  var takesComments: Bool { vendor.takesComments }
  var takesUses: Bool { vendor.takesUses }
  var isAskedAgain: Bool { vendor.isAskedAgain }
  var keepsStrings: Bool { vendor.keepsStrings }

  func push(_ shipment: Shipment) async throws -> ShipmentReceipt {
    let units = shipment.unitIDs.count
    record.note(pipeline) {
      $0.shipments.append(.init(vendor: name, language: shipment.language, round: shipment.round, units: units))
    }
    return ShipmentReceipt(
      reference: "dry-run-\(shipment.round)-\(shipment.language)", units: units, wasThere: false)
  }

  func find(_ shipment: Shipment) async throws -> ShipmentReceipt? { try await vendor.find(shipment) }

  func withdraw(_ units: [UnitID], of shipment: ShipmentReceipt, language: LocaleIdentifier) async throws {
    guard !units.isEmpty else { return }
    note("withdraw \(counted(units.count, "unit")) of \(shipment.reference) (\(language))")
  }

  func retire(_ units: [UnitID: Set<VariationPath>]) async throws {
    guard !units.isEmpty else { return }
    note("hide or delete \(counted(units.count, "unit")) that no branch has")
  }

  func settle(_ texts: StandingTexts) async throws {
    let units = Set(texts.sources.flatMap { file in file.units.map { "\(file.original)\u{0}\($0.key)" } }).count
    guard units > 0 else { return }
    note("compare \(counted(units, "changed source text")), and correct those that differ")
  }

  func shown(_ variants: Set<UnitVariant>) async throws -> Set<UnitVariant> { try await vendor.shown(variants) }

  func retire(_ variants: Set<UnitVariant>) async throws {
    guard !variants.isEmpty else { return }
    note("hide or delete \(counted(variants.count, "variant")) that no branch has")
  }

  func update(_ comments: [UnitID: UnitComment]) async throws {
    guard !comments.isEmpty else { return }
    note("compare \(counted(comments.count, "comment")), and update those that differ")
  }

  func pull(_ outstanding: OutstandingWork) async throws -> PullResult {
    var result: PullResult
    do { result = try await vendor.pull(outstanding) } catch let error as TransportError where error.kind == .readOnly {
      return PullResult(
        bundles: [],
        diagnostics: [
          Diagnostic(
            path: name, severity: .warning,
            message:
              "a dry run cannot read its translations: the request would change something (\(error.operation))")
        ])
    }
    let acknowledged = acknowledged.references.withLock { $0 }
    let before = result.bundles.count
    result.bundles.removeAll { acknowledged.contains($0.reference) }
    if before > 0, result.bundles.isEmpty, result.hasMore {
      // The bundles that were read stay at the vendor, so the vendor does not return the next bundles.
      result.diagnostics.append(
        Diagnostic(
          path: name, severity: .warning,
          message: "a dry run reads only the first \(before) bundles; a real run would continue with the rest"))
    }
    note(result.bundles)
    return result
  }

  func corrections(of parts: [OutstandingWork.Part]) async throws -> PullResult {
    let result: PullResult
    do {
      result = try await vendor.corrections(of: parts)
    } catch let error as TransportError where error.kind == .readOnly {
      // `pull` fails for the same reason, and returns a warning.
      return PullResult(bundles: [])
    }
    note(result.bundles)
    return result
  }

  private func note(_ bundles: [ReturnedBundle]) {
    for bundle in bundles {
      let units = Set(bundle.files.flatMap { file in file.units.map { "\(file.original)\u{0}\($0.key)" } }).count
      record.note(pipeline) { $0.bundles.append(.init(vendor: name, reference: bundle.reference, units: units)) }
    }
  }

  func acknowledge(_ bundle: ReturnedBundle, verdict: BundleVerdict) async throws {
    acknowledged.references.withLock { _ = $0.insert(bundle.reference) }
  }

  func probe(_ languages: [LocaleIdentifier]) async throws -> VendorProbe { try await vendor.probe(languages) }

  func stock(of part: OutstandingWork.Part) async throws -> VendorStock? { try await vendor.stock(of: part) }

  /// Returns `nil` for each part if the platform can only be read with requests that might change something.
  func stocks(of parts: [OutstandingWork.Part]) async throws -> [VendorStock?] {
    do { return try await vendor.stocks(of: parts) } catch let error as TransportError where error.kind == .readOnly {
      return parts.map { _ in nil }
    }
  }

  private func note(_ text: String) { record.note(pipeline) { $0.requests.append("\(name): \(text)") } }
}
