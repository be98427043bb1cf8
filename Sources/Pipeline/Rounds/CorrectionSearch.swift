import Localization

/// A search for the units that a vendor returned and whose source texts are current on a watched branch, each with the most recently
/// returned text.
///
/// Drafts that go to another vendor are left out, because only that vendor's return counts. To limit memory, only the names of one language
/// and the texts of one request are kept.
struct CorrectionSearch {
  /// The maximum number of units in one request.
  static let limit = 10_000

  /// The units of one request, grouped by shipment.
  typealias Chunk = [ReturnedShipment]

  private struct Name: Hashable {
    var unit: UnitID
    var pin: PinDigest
  }

  private let vendor: String
  private let excluded: Set<SentUnitID>
  private let snapshots: [Snapshot]
  private let renames: [TreePath: TreePath]
  private let context: PipelineContext
  /// The pins of each unit on all branches. The catalogs have the names that were sent to the vendor.
  private var pins: [UnitID: Set<PinDigest>] = [:]
  private var names: [TreePath: [TreePath]] = [:]

  /// Reads the heads of the watched branches and the renames of catalogs.
  /// - Parameter excluded: units to leave out.
  init(
    at vendor: ConfiguredVendor, except excluded: Set<SentUnitID> = [], _ context: PipelineContext
  ) async throws {
    self.vendor = vendor.name
    self.excluded = excluded
    self.context = context
    snapshots = try await WatchedHeads.load(context).compactMap(\.snapshot)
    renames = try await context.store.renames(of: context.name)
  }

  var languages: [LocaleIdentifier] { Set(snapshots.flatMap(\.languages)).sorted() }

  /// Returns the units of a language, in chunks of one request each.
  mutating func chunks(in language: LocaleIdentifier) async throws -> [Chunk] {
    let routes = context.routes
    var isAsked: [TreePath: Bool] = [:]
    let shipments = try await context.store.returnedShipments(of: context.name, vendor: vendor, language: language)
    // A unit that was sent twice with the same source text is requested once.
    var newest: [Name: SentUnitID] = [:]
    for shipment in shipments {
      for (unit, id) in zip(shipment.record.units, shipment.sentUnits) {
        newest[Name(unit: unit.unit, pin: unit.pin)] = id
      }
    }
    var chunks: [Chunk] = []
    var room = 0
    for shipment in shipments {
      try Task.checkCancellation()
      let wanted = zip(shipment.record.units, shipment.sentUnits).filter { unit, id in
        let catalog = unit.unit.catalog
        if isAsked[catalog] == nil {
          let route = routes.route(for: language, of: renames.newest(of: catalog))
          isAsked[catalog] = route.map { $0.contains(vendor) && !$0.isDraft(from: vendor) } ?? false
        }
        return isAsked[catalog] == true && newest[Name(unit: unit.unit, pin: unit.pin)] == id
          && !excluded.contains(id) && isCurrent(unit.unit, unit.pin)
      }
      var rest = wanted[...]
      while !rest.isEmpty {
        if room == 0 {
          chunks.append([])
          room = Self.limit
        }
        var part = shipment
        part.record.units = rest.prefix(room).map(\.0)
        part.sentUnits = rest.prefix(room).map(\.1)
        chunks[chunks.count - 1].append(part)
        rest = rest.dropFirst(room)
        room -= part.sentUnits.count
      }
    }
    return chunks
  }

  /// Returns the units of a chunk, with the most recently returned texts.
  func parts(of chunk: Chunk) async throws -> [OutstandingWork.Part] {
    let texts = try await context.store.newestReturns(of: context.name, for: chunk.flatMap(\.sentUnits))
    return chunk.compactMap { returned in
      let record = returned.record
      var files: [TreePath: [ExchangeUnit]] = [:]
      for (unit, id) in zip(record.units, returned.sentUnits) {
        files[unit.unit.catalog, default: []] += (texts[id] ?? []).filter { $0.target != nil }
      }
      let filled = files.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { catalog, units in
        ExchangeFile(
          original: catalog.text, sourceLanguage: record.sourceLanguage, targetLanguage: record.language, units: units)
      }
      guard !filled.isEmpty else { return nil }
      let shipment = Shipment(
        pipeline: context.name, round: String(record.round), language: record.language,
        sourceLanguage: record.sourceLanguage, files: filled, sourceContents: [:])
      return OutstandingWork.Part(shipment: shipment, receipt: returned.receipt)
    }
  }

  /// Returns a finding about corrections that a vendor left out because its source texts differ; `nil` if there are none to report.
  /// Somebody changed these source texts at the vendor, so no translation of the strings is accepted. A string is not reported if another
  /// branch has a different text for it, because the vendor may have that text.
  mutating func left(_ others: Set<UnitID>, _ language: LocaleIdentifier) -> Diagnostic? {
    let changed = others.filter { pins[$0]?.count == 1 }.sorted()
    guard let first = changed.first else { return nil }
    return Diagnostic(
      path: vendor, severity: .warning,
      message: changed.count == 1
        ? "the source text of \(first.shown) differs at the vendor, so its corrected translation into \(language) was not accepted"
        : "the source texts of \(changed.count) strings differ at the vendor, so their corrected translations into "
          + "\(language) were not accepted; the first is \(first.shown)",
      hint: "restore the repository's source text at the vendor, or change it in the repository")
  }

  private mutating func isCurrent(_ unit: UnitID, _ pin: PinDigest) -> Bool {
    if let known = pins[unit] { return known.contains(pin) }
    let places = names(of: unit.catalog)
    let found = Set(
      snapshots.flatMap { snapshot in places.compactMap { snapshot.synced[$0]?.pin(of: unit.key) } })
    pins[unit] = found
    return found.contains(pin)
  }

  private mutating func names(of catalog: TreePath) -> [TreePath] {
    if let known = names[catalog] { return known }
    let found = renames.allNames(of: catalog).sorted()
    names[catalog] = found
    return found
  }
}
