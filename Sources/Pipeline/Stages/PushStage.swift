import FoundationEssentials
import Localization

/// Hands a vendor the shipments that are written down for it, and takes back what is no longer wanted.
enum PushStage {
  static func run(_ job: Job, of run: Run, _ context: PipelineContext) async throws -> StageOutcome {
    let scope = VendorScope(job.scope)
    let part = try context.vendor(named: scope.vendor)
    let shipments = try await context.store.unsentShipments(of: context.name, vendor: part.name)
    var packer = ShipmentPacker(context)
    var sent = 0
    var rounds: Set<Int> = []
    var fault: (any Error)?
    for record in shipments {
      do {
        let receipt = try await part.vendor.push(packer.shipment(record))
        try await context.store.record([.shipped(record.id, receipt, at: context.time.now())], of: context.name)
        sent += record.units.count
        rounds.insert(record.round)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        fault = fault ?? error
        // One vendor is one server: what does not answer now does not answer for the next language either.
        if let error = error as? any DisposableError, error.disposition != .permanent { break }
      }
    }
    let pull = VendorScope(vendor: part.name, cause: "round \(rounds.max() ?? 0)")
    let next = NewJob(run: run.id, stage: .pull, scope: pull.text, lane: pull.lane, due: context.time.now())
    if let fault {
      if sent > 0 { try await context.store.enqueue([next]) }
      throw fault
    }
    for notice in try await context.store.withdrawalNotices(of: context.name, vendor: part.name) {
      try await part.vendor.withdraw(notice.units.map(\.unit), of: notice.receipt, language: notice.language)
      try await context.store.record([.notified(notice.units.map(\.id))], of: context.name)
    }
    return StageOutcome(
      next: rounds.isEmpty ? [] : [next], detail: "\(sent) sent to \(part.name)", rounds: rounds.sorted())
  }
}

/// Makes a shipment again from what is written down: the units, and the commits whose state is sent.
struct ShipmentPacker {
  private struct Place: Hashable {
    var commit: CommitID
    var catalog: TreePath
  }

  private let context: PipelineContext
  private var sources: [Place: [UInt8]] = [:]

  init(_ context: PipelineContext) { self.context = context }

  mutating func shipment(_ record: ShipmentRecord) async throws -> Shipment {
    var wanted: [Place: Set<UnitKey>] = [:]
    for (unit, commit) in record.units {
      wanted[Place(commit: commit, catalog: unit.catalog), default: []].insert(unit.key)
    }
    var units: [TreePath: [ExchangeUnit]] = [:]
    var contents: [TreePath: [UInt8]] = [:]
    for (place, keys) in wanted.sorted(by: { ($0.key.catalog, $0.key.commit) < ($1.key.catalog, $1.key.commit) }) {
      let snapshot = try await context.snapshots.snapshot(of: place.commit)
      guard let catalog = snapshot.synced[place.catalog] else {
        throw PipelineError(
          .inconsistent, operation: "pack round \(record.round) for \(record.language)",
          detail: "\(place.catalog) is not in commit \(place.commit.short)", disposition: .permanent)
      }
      units[place.catalog, default: []] += catalog.units(keys, for: record.language)
      contents[place.catalog] = try source(place, snapshot: snapshot, catalog: catalog)
    }
    let files = units.sorted { $0.key < $1.key }.map {
      ExchangeFile(
        original: $0.key.text, sourceLanguage: record.sourceLanguage, targetLanguage: record.language, units: $0.value)
    }
    return Shipment(
      pipeline: context.name, round: String(record.round), language: record.language,
      sourceLanguage: record.sourceLanguage, files: files, sourceContents: contents)
  }

  /// The catalog in step with the code, reduced to the source language; the same for all languages.
  private mutating func source(_ place: Place, snapshot: Snapshot, catalog: Catalog) throws -> [UInt8] {
    if let known = sources[place] { return known }
    guard let format = context.formats(place.catalog) else {
      throw PipelineError(
        .inconsistent, operation: "pack \(place.catalog)", detail: "no format writes it", disposition: .permanent)
    }
    var copy: [UInt8]
    if let files = snapshot.files[place.catalog] {
      copy = try format.sourceCopy(of: files)
      if snapshot.changed.contains(place.catalog) {
        // Reduced first and written then: the whole file is read once, whatever the number of its languages.
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
  /// What vendors are sent of some keys, in the shape that the catalog's format gives them.
  func units(_ keys: Set<UnitKey>, for language: LocaleIdentifier) -> [ExchangeUnit] {
    guard path.ending != "xcstrings" else { return ExportShape.units(of: self, for: language, keys: keys) }
    var wanted = self
    wanted.entries = entries.filter { keys.contains($0.key) }
    return ClassicExport.units(of: wanted, for: language)
  }

  /// The same entries with the source language's texts alone.
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
