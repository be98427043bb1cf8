import FoundationEssentials
import Localization

/// Notifies a vendor of withdrawn units, and sends it the recorded shipments.
enum PushStage {
  static func run(_ job: Job, _ context: PipelineContext) async throws -> StageOutcome {
    let vendor = try context.vendor(named: job.scope)
    var fault: (any Error)?
    let unsent = try await context.store.unsentShipments(of: context.name, vendor: vendor.name)
    var packer = ShipmentPacker(context)
    for record in unsent where !record.isWanted {
      try Task.checkCancellation()
      do {
        try await find(record, at: vendor, by: &packer, under: job, context)
      } catch let error as any DisposableError where Self.concernsOneCall(error) {
        // It is unknown whether the vendor has this shipment. The next attempt looks it up again; new work does not wait for it.
        fault = fault ?? error
      }
    }
    // Withdrawals go first: a unit that was withdrawn and is wanted again is in a shipment below, and the vendor would have it twice.
    for notice in try await context.store.withdrawalNotices(of: context.name, vendor: vendor.name) {
      try Task.checkCancellation()
      do {
        try await vendor.vendor.withdraw(notice.units.map(\.unit), of: notice.receipt, language: notice.language)
        try await context.store.record([.notified(notice.units.map(\.id))], under: job)
      } catch let error as any DisposableError where Self.concernsOneCall(error) {
        // New work is sent even if a withdrawal fails.
        fault = fault ?? error
      }
    }
    var sent = 0
    var rounds: Set<Int> = []
    for record in unsent where record.isWanted {
      try Task.checkCancellation()
      do {
        guard let shipment = try await packer.shipment(record) else { continue }
        let receipt = try await vendor.vendor.push(shipment)
        try await context.store.record([.shipped(record.id, receipt, at: try await context.store.now())], under: job)
        sent += record.units.count
        rounds.insert(record.round)
      } catch let error where error is CancellationError || error is StoreConflict {
        throw error
      } catch {
        fault = fault ?? error
        // Stops here: all languages use the same server, so the next shipment would fail too.
        if let error = error as? any DisposableError, error.disposition != .permanent { break }
      }
    }
    if let fault { throw fault }
    return StageOutcome(detail: "\(sent) sent to \(vendor.name)", rounds: rounds.sorted())
  }

  /// Whether the error affects one call only, and the next call may succeed. Temporary errors and a lost job affect all calls.
  private static func concernsOneCall(_ error: any DisposableError) -> Bool {
    switch error.disposition {
    case .permanent, .askPerson: true
    case .retry, .retryAfter: false
    }
  }

  /// Finds out whether the vendor received a shipment that is no longer wanted, because its upload was never confirmed. If it did, the
  /// notification below tells the vendor to withdraw it.
  private static func find(
    _ record: ShipmentRecord, at vendor: ConfiguredVendor, by packer: inout ShipmentPacker, under job: Job,
    _ context: PipelineContext
  ) async throws {
    var receipt: ShipmentReceipt?
    if let shipment = try await packer.shipment(record) { receipt = try await vendor.vendor.find(shipment) }
    let now = try await context.store.now()
    let change = receipt.map { LedgerChange.shipped(record.id, $0, at: now) } ?? .neverArrived(record.id)
    try await context.store.record([change], under: job)
  }
}

/// Rebuilds a shipment from its record: the units, and the commits that contain them.
struct ShipmentPacker {
  private struct Place: Hashable {
    var commit: CommitID
    var catalog: TreePath
  }

  private let context: PipelineContext
  private var sources: [Place: [UInt8]] = [:]
  private var heads: [Run]?
  private var renames: [TreePath: TreePath]?

  init(_ context: PipelineContext) { self.context = context }

  /// - Returns: `nil` if no readable commit has any of the units with its source text. The next diff closes them.
  mutating func shipment(_ record: ShipmentRecord) async throws -> Shipment? {
    var units: [TreePath: [ExchangeUnit]] = [:]
    var contents: [TreePath: [UInt8]] = [:]
    for (place, keys) in try await places(of: record) {
      let snapshot = try await context.snapshots.snapshot(of: place.commit)
      guard let catalog = snapshot.synced[place.catalog] else { continue }
      units[place.catalog, default: []] += catalog.units(keys, for: record.language)
      contents[place.catalog] = try source(place, snapshot: snapshot, catalog: catalog)
    }
    guard !units.isEmpty else { return nil }
    let files = units.sorted { $0.key < $1.key }.map {
      ExchangeFile(
        original: $0.key.text, sourceLanguage: record.sourceLanguage, targetLanguage: record.language, units: $0.value)
    }
    return Shipment(
      pipeline: context.name, round: String(record.round), language: record.language,
      sourceLanguage: record.sourceLanguage, files: files, sourceContents: contents)
  }

  /// Where to read the units from, in a fixed order: the recorded commit, or, if it is missing after a force-push or in a new mirror, any
  /// head that has the unit with the same source text, under the current name of its catalog.
  private mutating func places(of record: ShipmentRecord) async throws -> [(Place, Set<UnitKey>)] {
    var found: [Place: Set<UnitKey>] = [:]
    var isHeld: [CommitID: Bool] = [:]
    for (unit, pin, commit) in record.units {
      if isHeld[commit] == nil { isHeld[commit] = try await context.mirror.holds(commit) }
      var place = Place(commit: commit, catalog: unit.catalog)
      let standing = isHeld[commit] == true ? try await self.pin(of: unit.key, in: place) : nil
      if standing != pin {
        guard let other = try await head(with: unit, pin) else { continue }
        place = other
      }
      found[place, default: []].insert(unit.key)
    }
    return found.sorted { ($0.key.catalog, $0.key.commit) < ($1.key.catalog, $1.key.commit) }
  }

  private func pin(of key: UnitKey, in place: Place) async throws -> PinDigest? {
    try await context.snapshots.snapshot(of: place.commit).synced[place.catalog]?.pin(of: key)
  }

  private mutating func head(with unit: UnitID, _ pin: PinDigest) async throws -> Place? {
    let heads: [Run]
    if let known = self.heads { heads = known } else { heads = try await context.store.heads(of: context.name) }
    self.heads = heads
    let renames: [TreePath: TreePath]
    if let known = self.renames { renames = known } else { renames = try await context.store.renames(of: context.name) }
    self.renames = renames
    for head in heads {
      let newest = renames.newest(of: unit.catalog)
      for catalog in [unit.catalog, newest] + renames.names(before: newest) {
        let place = Place(commit: head.commit, catalog: catalog)
        if try await self.pin(of: unit.key, in: place) == pin { return place }
      }
    }
    return nil
  }

  /// The synced catalog, reduced to the source language. It is the same for all target languages.
  private mutating func source(_ place: Place, snapshot: Snapshot, catalog: Catalog) throws -> [UInt8] {
    if let known = sources[place] { return known }
    guard let format = context.formats(place.catalog) else {
      throw PipelineError(
        .inconsistent, operation: "pack \(place.catalog)", detail: "Dragoman cannot write this file format",
        disposition: .permanent)
    }
    var copy: [UInt8]
    if let files = snapshot.files[place.catalog] {
      copy = try format.sourceCopy(of: files)
      if snapshot.changed.contains(place.catalog) {
        // Reduces the file before writing to it: the whole file is read only once, even with many languages.
        let reduced = CatalogFiles(copy, at: files.path, sourceLanguage: files.sourceLanguage)
        copy = try format.write(catalog.inSourceLanguage, over: reduced)[files.path] ?? copy
      }
    } else {
      var files = CatalogFiles(nil, at: place.catalog, sourceLanguage: catalog.sourceLanguage)
      files.bytes = try format.write(catalog.inSourceLanguage, over: files)
      copy = try format.sourceCopy(of: files)
    }
    sources[place] = copy
    return copy
  }
}

extension Catalog {
  /// Returns the units to send to a vendor for these keys, in the shape of the catalog's format.
  func units(_ keys: Set<UnitKey>, for language: LocaleIdentifier) -> [ExchangeUnit] {
    guard path.ending != "xcstrings" else { return ExportShape.units(of: self, for: language, keys: keys) }
    var wanted = self
    wanted.entries = entries.filter { keys.contains($0.key) }
    return ClassicExport.units(of: wanted, for: language)
  }

  /// The catalog with only the texts of the source language.
  fileprivate var inSourceLanguage: Catalog {
    var reduced = self
    reduced.entries = entries.mapValues { entry in
      var entry = entry
      entry.translations = entry.translations.filter { $0.key == sourceLanguage }
      return entry
    }
    return reduced
  }
}
