import Localization

/// The drafts that vendors of earlier steps returned for the units of a shipment. The repository may not contain the drafts yet, so they
/// are read from the ledger.
struct DraftTexts {
  private var drafts: [UnitID: EarlierReturn] = [:]

  /// Creates an empty instance, for routes with a single step.
  init() {}

  init(for record: ShipmentRecord, _ renames: [TreePath: TreePath], _ context: PipelineContext) async throws {
    let routes = context.routes
    var vendors: [UnitID: Set<String>] = [:]
    for (unit, _, _) in record.units {
      guard let route = routes.route(for: record.language, of: renames.newest(of: unit.catalog)),
        let step = route.step(of: record.vendor), step > 0
      else { continue }
      vendors[unit] = Set(route.steps[..<step].joined())
    }
    guard !vendors.isEmpty else { return }
    let sent = try await context.store.sentUnits(
      of: context.name, vendor: record.vendor, language: record.language, keys: Set(vendors.keys.map(\.key)))
    var units: [SourceID: UnitID] = [:]
    for unit in sent where unit.state == .outstanding {
      let name = UnitID(catalog: unit.sentCatalog, key: unit.unit.key)
      units[unit.source] = vendors[name] == nil ? unit.unit : name
    }
    // The newest return comes last.
    for draft in try await context.store.earlierReturns(of: context.name, for: units.keys.sorted())
    where draft.language == record.language {
      guard let unit = units[draft.source], vendors[unit]?.contains(draft.vendor) == true else { continue }
      drafts[unit] = draft
    }
  }

  /// Returns the units of a catalog. Units without a translation get the draft, for the vendor to check.
  func filled(_ units: [ExchangeUnit], of catalog: TreePath) -> [ExchangeUnit] {
    guard !drafts.isEmpty else { return units }
    return units.map { unit in
      guard unit.target?.text.isEmpty ?? true,
        let draft = drafts[UnitID(catalog: catalog, key: unit.key)]?.units.first(where: { $0.path == unit.path }),
        let target = draft.target, !target.text.isEmpty
      else { return unit }
      var unit = unit
      unit.target = ExchangeTarget(target.text, state: "needs-review-l10n")
      return unit
    }
  }
}
