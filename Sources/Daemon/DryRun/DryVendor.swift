import Localization
import Pipeline

/// A vendor to which nothing is sent. What it has returned already is read where reading changes nothing.
struct DryVendor: TranslationVendor {
  let vendor: any TranslationVendor
  let pipeline: String
  let journal: DryRunJournal
  /// Whether the vendor had units before the dry run. Otherwise nothing can come back, and a folder may not even exist.
  let hadWork: Bool

  var kind: String { vendor.kind }
  var name: String { vendor.name }
  var retiresUnits: Bool { vendor.retiresUnits }

  private func note(_ kind: PlannedRequest.Kind, _ detail: String) {
    journal.note(PlannedRequest(pipeline: pipeline, kind: kind, subject: name, detail: detail))
  }

  private static func count(_ number: Int) -> String { number == 1 ? "1 unit" : "\(number) units" }

  func push(_ shipment: Shipment) async throws -> ShipmentReceipt {
    let units = Set(shipment.files.flatMap { file in file.units.map { "\(file.original)\u{0}\($0.key.text)" } })
    note(.send, "round \(shipment.round), \(shipment.language): \(Self.count(units.count))")
    return ShipmentReceipt(reference: "dry run", units: units.count, wasThere: false)
  }

  func find(_ shipment: Shipment) async throws -> ShipmentReceipt? { nil }

  func withdraw(_ units: [UnitID], of shipment: ShipmentReceipt, language: LocaleIdentifier) async throws {
    note(.withdraw, "\(language): \(Self.count(units.count))")
  }

  func retire(_ units: Set<UnitID>) async throws { note(.retire, Self.count(units.count)) }

  func pull(_ outstanding: OutstandingWork) async throws -> PullResult {
    guard hadWork else { return PullResult(bundles: []) }
    guard kind == "folder" else {
      journal.remark(
        pipeline, "\(name) was not asked what came back, because asking may have effects or cost something")
      return PullResult(bundles: [])
    }
    var result = try await vendor.pull(outstanding)
    // The bundles stay where they are, so a second look would find the same ones.
    result.hasMore = false
    return result
  }

  func acknowledge(_ bundle: ReturnedBundle, verdict: BundleVerdict) async throws {
    note(.acknowledge, "\(bundle.reference): \(verdict == .taken ? "taken" : "held")")
  }
}
