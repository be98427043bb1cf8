package import Localization

/// Decides what to send, and what that was sent is no longer wanted: the difference between what stands on the watched branches and
/// what the ledger says is out.
package struct RoundPlanner: Sendable {
  /// One watched branch.
  package struct Head: Sendable {
    package var branch: String
    /// `nil` where the commit could not be read: then nothing can be said to be gone.
    package var index: CommitIndex?
    package var isUncertain: @Sendable (TreePath) -> Bool
    /// The catalogs of this branch that the ledger knows by a newer name.
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

    /// The units of renamed catalogs as the ledger names them. Where the branch has a unit of that name too, it is another one.
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

  /// A unit to send, with the branch whose state is sent.
  package struct Candidate: Hashable, Sendable {
    package var head: Int
    package var unit: UnitID
    package var pin: PinDigest
    package var language: LocaleIdentifier
    package var vendor: String
    /// Where its source was sent before.
    package var source: SourceID?
  }

  package struct Plan: Sendable {
    /// Candidates in the order of the branches, catalogs and keys; what came back already is still among them.
    package var candidates: [Candidate]
    /// What branches lack besides, of sources that were sent before: it is out, or a candidate of another branch. It is not sent, but what
    /// came back for it before may be merged again.
    package var lacking: [Candidate]
    package var superseded: [SentUnitID]
    package var withdrawn: [SentUnitID]

    /// The sources of all that branches lack and that were sent before, ascending.
    package var sources: [SourceID] { Set((candidates + lacking).compactMap(\.source)).sorted() }
  }

  private struct Standing: Hashable {
    var unit: UnitID
    var pin: PinDigest
  }

  package let heads: [Head]
  package let routes: VendorRoutes

  package init(heads: [Head], routes: VendorRoutes) {
    self.heads = heads
    self.routes = routes
  }

  package func plan(against ledger: SentLedger) -> Plan {
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
      let vendors = index.languages.map { routes.vendor(for: $0) }
      let everything = Array(index.languages.indices)
      let ledgerUnits = head.ledgerUnits
      let wanting = Set(everything.filter { vendors[$0].map(routes.wantsAll) ?? false })
      for unit in index.units {
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
          guard let vendor = vendors[place] else { continue }
          let language = index.languages[place]
          let candidate = Candidate(
            head: number, unit: unit.unit, pin: unit.pin, language: language, vendor: vendor, source: source)
          if let source {
            let sending = SourceInLanguage(source: source, language: language)
            guard !covered.contains(sending), chosen.insert(sending).inserted else {
              if unit.missing.contains(place) { plan.lacking.append(candidate) }
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

  /// Closes what is no longer wanted.
  /// - Returns: what needs no sending because it is out, or was called off by a person.
  private func close(_ ledger: SentLedger, records: [SourceID: SourceRecord], into plan: inout Plan) -> Set<
    SourceInLanguage
  > {
    var standing: Set<Standing> = []
    var units: Set<UnitID> = []
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
      let isRouted = routes.vendor(for: sent.language) == sent.vendor && (languages.contains(sent.language) || !allRead)
      switch fate {
      case .superseded: plan.superseded.append(sent.id)
      case .withdrawn: plan.withdrawn.append(sent.id)
      case .outstanding where !isRouted: plan.withdrawn.append(sent.id)
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
