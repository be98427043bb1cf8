package import Localization

/// Decides which units to send and which sent units are no longer needed. It compares the units on the watched branches with the ledger.
package struct RoundPlanner: Sendable {
  /// One watched branch.
  package struct Head: Sendable {
    package var branch: String
    /// The units of the commit; `nil` if the commit could not be read. In that case, no unit counts as removed.
    package var index: CommitIndex?
    package var isUncertain: @Sendable (TreePath) -> Bool
    /// The newer names that the ledger has for catalogs of this branch, by their names on the branch.
    package var ledgerNames: [TreePath: TreePath]

    package init(
      branch: String, index: CommitIndex?, isUncertain: @escaping @Sendable (TreePath) -> Bool,
      ledgerNames: [TreePath: TreePath] = [:]
    ) {
      self.branch = branch
      self.index = index
      self.isUncertain = isUncertain
      self.ledgerNames = ledgerNames
    }

    /// The ledger names of the units of renamed catalogs, by their names on the branch. A unit is left out if the branch has another unit
    /// with that ledger name.
    fileprivate var ledgerUnits: [UnitID: UnitID] {
      guard !ledgerNames.isEmpty, let index else { return [:] }
      var found: [UnitID: UnitID] = [:]
      let own = Set(index.units.map(\.unit))
      for unit in own {
        guard let catalog = ledgerNames[unit.catalog] else { continue }
        let ledgerUnit = UnitID(catalog: catalog, key: unit.key)
        if !own.contains(ledgerUnit) { found[unit] = ledgerUnit }
      }
      return found
    }
  }

  /// A unit to send, and the branch from which it is sent.
  package struct Candidate: Hashable, Sendable {
    package var head: Int
    package var unit: UnitID
    package var pin: PinDigest
    package var language: LocaleIdentifier
    package var vendor: String
    /// The unit's source, if it was sent before.
    package var source: SourceID?
    package var route: VendorRoute
    /// The step of the route in which the unit is sent.
    package var step = 0
    /// Whether the branch lacks a finished translation. Otherwise the unit is sent only because the vendor receives every unit.
    package var isMissing = true

    var place: Place { Place(head: head, unit: unit, language: language) }
    var sending: SourceInLanguage? { source.map { SourceInLanguage(source: $0, language: language) } }
  }

  /// A unit of one branch in a language.
  package struct Place: Hashable, Sendable {
    package var head: Int
    package var unit: UnitID
    package var language: LocaleIdentifier
  }

  package struct Plan: Sendable {
    /// The units to send, in the order of branches, catalogs and keys. Units that were already returned are not filtered out yet.
    package var candidates: [Candidate]
    /// Other units that branches lack and whose sources were already sent: they are outstanding, their round was cancelled, a vendor that receives
    /// every unit returned them, or they are candidates of another branch. Usually they are not sent again, but an earlier return may be merged
    /// again.
    package var lacking: [Candidate]
    package var superseded: [SentUnitID]
    package var withdrawn: [SentUnitID]

    /// The sources of all candidates and lacking units that were sent before, ascending.
    package var sources: [SourceID] { Set((candidates + lacking).compactMap(\.source)).sorted() }
  }

  private struct Standing: Hashable {
    var unit: UnitID
    var pin: PinDigest
  }

  package let heads: [Head]
  package let routes: VendorRoutes
  private let choice: VendorChoice
  /// The vendors whose outstanding units are kept although these vendors are on no route, such as the translation memory.
  private let unrouted: Set<String>

  package init(heads: [Head], routes: VendorRoutes) { self.init(heads: heads, routes: routes, choice: VendorChoice()) }

  init(heads: [Head], routes: VendorRoutes, choice: VendorChoice, unrouted: Set<String> = []) {
    self.heads = heads
    self.routes = routes
    self.choice = choice
    self.unrouted = unrouted
  }

  /// Compares the units on the branches with the ledger.
  /// - Parameter waiting: units that are not sent for their branch. Such a unit is sent for another branch if that branch lacks the
  ///   translation.
  package func plan(against ledger: SentLedger, leavingOut waiting: Set<Place> = []) -> Plan {
    var sourceOf: [Standing: SourceID] = [:]
    var recordOf: [SourceID: SourceRecord] = [:]
    for record in ledger.sources {
      sourceOf[Standing(unit: record.unit, pin: record.pin)] = record.id
      recordOf[record.id] = record
    }
    var plan = Plan(candidates: [], lacking: [], superseded: [], withdrawn: [])
    let covered = close(ledger, records: recordOf, into: &plan)
    var chosen: Set<SourceInLanguage> = []
    var chosenNew: [LocaleIdentifier: Set<Standing>] = [:]
    for (number, head) in heads.enumerated() {
      guard let index = head.index else { continue }
      let everything = Array(index.languages.indices)
      let ledgerUnits = head.ledgerUnits
      var catalog: TreePath?
      var ways: [VendorRoute?] = []
      var wanting: Set<Int> = []
      for unit in index.units {
        // Units are sorted by catalog.
        if unit.unit.catalog != catalog {
          catalog = unit.unit.catalog
          let newest = head.ledgerNames[unit.unit.catalog] ?? unit.unit.catalog
          ways = index.languages.map { routes.route(for: $0, of: newest) }
          wanting = Set(everything.filter { ways[$0]?.first.map(routes.wantsAll) ?? false })
        }
        let unread = index.unread[unit.unit.catalog] ?? []
        let languages =
          wanting.isEmpty
          ? unit.missing
          : everything.filter { !unread.contains($0) && (wanting.contains($0) || unit.missing.contains($0)) }
        guard !languages.isEmpty else { continue }
        let standing = Standing(unit: unit.unit, pin: unit.pin)
        let source =
          sourceOf[standing] ?? ledgerUnits[unit.unit].flatMap { sourceOf[Standing(unit: $0, pin: unit.pin)] }
        for place in languages {
          guard let route = ways[place], let vendor = route.first else { continue }
          let language = index.languages[place]
          let candidate = Candidate(
            head: number, unit: unit.unit, pin: unit.pin, language: language, vendor: vendor, source: source,
            route: route, isMissing: unit.missing.contains(place))
          guard !waiting.contains(candidate.place) else { continue }
          if let source {
            let sending = SourceInLanguage(source: source, language: language)
            guard !covered.contains(sending), chosen.insert(sending).inserted else {
              if candidate.isMissing { plan.lacking.append(candidate) }
              continue
            }
          } else {
            guard chosenNew[language, default: []].insert(standing).inserted else { continue }
          }
          plan.candidates.append(candidate)
        }
      }
    }
    return plan
  }

  /// Adds to the plan, as superseded or withdrawn, the outstanding units that are no longer needed from their vendors.
  /// - Returns: the sources, each with a language, that need not be sent, because they are outstanding or returned, or because a user cancelled
  ///   their round.
  private func close(_ ledger: SentLedger, records: [SourceID: SourceRecord], into plan: inout Plan) -> Set<
    SourceInLanguage
  > {
    var standing: Set<Standing> = []
    var units: Set<UnitID> = []
    let count = heads.reduce(0) { max($0, $1.index?.units.count ?? 0) }
    standing.reserveCapacity(count)
    units.reserveCapacity(count)
    var languages: Set<LocaleIdentifier> = []
    for head in heads {
      guard let index = head.index else { continue }
      languages.formUnion(index.languages)
      let ledgerUnits = head.ledgerUnits
      for unit in index.units {
        standing.insert(Standing(unit: unit.unit, pin: unit.pin))
        units.insert(unit.unit)
        guard let ledgerUnit = ledgerUnits[unit.unit] else { continue }
        standing.insert(Standing(unit: ledgerUnit, pin: unit.pin))
        units.insert(ledgerUnit)
      }
    }
    var fates: [SourceID: SentUnitState] = [:]
    var covered: Set<SourceInLanguage> = []
    covered.reserveCapacity(ledger.units.count)
    let allRead = heads.allSatisfy { $0.index != nil }
    for sent in ledger.units {
      guard let record = records[sent.source] else { continue }
      let sending = SourceInLanguage(source: sent.source, language: sent.language)
      if sent.isRefused { continue }
      guard sent.state == .outstanding else {
        covered.insert(sending)
        continue
      }
      let fate: SentUnitState
      if let known = fates[sent.source] {
        fate = known
      } else {
        fate = fateOf(record, standing: standing, units: units, allRead: allRead)
        fates[sent.source] = fate
      }
      let route = routes.route(for: sent.language, of: record.unit.catalog)
      let isRouted =
        (route?.contains(sent.vendor) == true || unrouted.contains(sent.vendor))
        && (languages.contains(sent.language) || !allRead)
      let isTakenOver = route.flatMap { choice.successor(of: sent.vendor, on: $0, for: sending) } != nil
      switch fate {
      case .superseded: plan.superseded.append(sent.id)
      case .withdrawn: plan.withdrawn.append(sent.id)
      case .outstanding where !isRouted || isTakenOver: plan.withdrawn.append(sent.id)
      default: covered.insert(sending)
      }
    }
    return covered
  }

  private func fateOf(
    _ record: SourceRecord, standing: Set<Standing>, units: Set<UnitID>, allRead: Bool
  ) -> SentUnitState {
    guard !standing.contains(Standing(unit: record.unit, pin: record.pin)) else { return .outstanding }
    guard allRead, !heads.contains(where: { $0.isUncertain(record.unit.catalog) }) else { return .outstanding }
    return units.contains(record.unit) ? .superseded : .withdrawn
  }
}
