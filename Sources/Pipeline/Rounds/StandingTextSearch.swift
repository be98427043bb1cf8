package import Localization

/// A search for the texts that a vendor should show if it keeps strings by key. The search covers units that were sent to the vendor and that
/// either were sent with several source texts, or are on branches again after the vendor was notified of their removal. The ledger is read
/// once.
///
/// Units that have different source texts on the watched branches or were sent to the vendor as variants are left out.
struct StandingTextSearch {
  /// A unit under a name that was sent to the vendor.
  fileprivate struct Candidate {
    var unit: UnitID
    /// All sent units of this unit, by language and then oldest first.
    var records: [SentUnitRecord] = []
    var languages: Set<LocaleIdentifier> = []
    var pin: PinDigest
    /// A catalog that has the unit. Its source text is that of all branches that have the unit.
    var catalog: Catalog
  }

  private let vendor: String
  private let context: PipelineContext
  private let heads: [WatchedHead]
  private let renames: [TreePath: TreePath]
  private let ledger: SentLedger
  /// The units of whose removal the vendor was notified, under their newest names.
  private let retired: Set<UnitID>
  /// The sources of the units that the search covers, by the units' newest names.
  private let sources: [UnitID: [SourceRecord]]

  /// Reads the heads of the watched branches and the ledger.
  /// - Parameter retired: the units that the vendor hides because they were on no branch any more.
  init(at vendor: String, retired: some Sequence<UnitID> = [], _ context: PipelineContext) async throws {
    self.vendor = vendor
    self.context = context
    heads = try await WatchedHeads.load(context)
    let renames = try await context.store.renames(of: context.name)
    self.renames = renames
    ledger = try await context.store.sentLedger(of: context.name, includingReturned: true)
    let gone = Set(retired.map { renames.newest(of: $0) })
    self.retired = gone
    sources = Dictionary(grouping: ledger.sources) { renames.newest(of: $0.unit) }
      .filter { Set($0.value.map(\.pin)).count > 1 || gone.contains($0.key) }
  }

  func texts() async throws -> StandingTexts {
    var texts = StandingTexts(sources: [])
    let candidates = try await candidates()
    guard !candidates.isEmpty else { return texts }
    let out = Set(ledger.units.filter { $0.state == .outstanding }.map(\.source))
    let pins = Dictionary(ledger.sources.map { ($0.id, $0.pin) }) { first, _ in first }
    var packer = ShipmentPacker(context, for: try context.vendor(named: vendor).vendor)
    var settled: [Candidate] = []
    for candidate in candidates {
      let unit = candidate.unit
      texts.sources.append(candidate.file(in: candidate.catalog.sourceLanguage))
      for language in candidate.languages.sorted() {
        let shaped = try await packer.withoutFormerForms(candidate.catalog, [unit.key], in: language)
        texts.shapes.append(candidate.file(in: language, of: shaped))
      }
      for record in candidate.records { texts.formerPaths[unit, default: []].formUnion(record.paths) }
      if sources[renames.newest(of: unit), default: []].contains(where: { out.contains($0.id) }) {
        texts.outstanding.insert(unit)
        continue
      }
      let last = candidate.records.max { $0.id < $1.id }
      if retired.contains(renames.newest(of: unit)) || last.map({ pins[$0.source] != candidate.pin }) ?? false,
        candidate.records.contains(where: { pins[$0.source] == candidate.pin })
      {
        texts.returned.insert(unit)
      }
      settled.append(candidate)
    }
    try await addTranslations(of: settled, pins, to: &texts)
    return texts
  }

  private func candidates() async throws -> [Candidate] {
    guard !sources.isEmpty else { return [] }
    let variants = Set(try await context.store.variants(of: context.name, vendor: vendor).map(\.unit))
    let keys = Set(sources.keys.map(\.key))
    var found: [UnitID: Candidate] = [:]
    var differing: Set<UnitID> = []
    for language in Set(ledger.units.filter { $0.vendor == vendor }.map(\.language)).sorted() {
      try Task.checkCancellation()
      let sent = try await context.store.sentUnits(of: context.name, vendor: vendor, language: language, keys: keys)
      for record in sent where sources[renames.newest(of: record.unit)] != nil {
        let unit = UnitID(catalog: record.sentCatalog, key: record.unit.key)
        guard !variants.contains(unit), !differing.contains(unit) else { continue }
        if found[unit] == nil {
          guard let (pin, catalog) = agreed(unit) else {
            differing.insert(unit)
            continue
          }
          found[unit] = Candidate(unit: unit, pin: pin, catalog: catalog)
        }
        found[unit]?.records.append(record)
        found[unit]?.languages.insert(language)
      }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns the source text of a unit, with a catalog that has it; `nil` if the branches have different source texts, if no branch has the
  /// unit, or if a branch cannot be read.
  private func agreed(_ unit: UnitID) -> (PinDigest, Catalog)? {
    var found: [PinDigest: Catalog] = [:]
    for head in heads {
      guard let snapshot = head.snapshot else { return nil }
      found.merge(snapshot.texts(of: unit, renames)) { first, _ in first }
    }
    guard found.count == 1, let first = found.first else { return nil }
    return (first.key, first.value)
  }

  /// Adds the translations of the current source texts. These are the catalogs' translations, or the returned translations if a catalog has no
  /// finished translation of this source text, for example because the next delivery is not merged yet. For units in `texts.returned`, also
  /// adds what the vendor returned for their other source texts.
  private func addTranslations(
    of candidates: [Candidate], _ pins: [SourceID: PinDigest], to texts: inout StandingTexts
  ) async throws {
    let outdated = OutdatedTranslations(
      try await context.store.outdatedTranslations(of: context.name), renames: renames)
    let ids = Set(candidates.flatMap { sources[renames.newest(of: $0.unit)] ?? [] }.map(\.id)).sorted()
    let all = try await context.store.earlierReturns(of: context.name, for: ids)
    let returns = Dictionary(grouping: all, by: \.source)
    // The returns that count: those that are not held, removed or unfinished on any branch. A return still counts if another text replaced
    // it after its delivery. A return without an outcome also counts, because it will be merged again.
    let taken = Set(
      try await context.store.returns(of: context.name, for: ids)
        .filter { record in
          record.outcomes.values.allSatisfy { $0.state != .held && !$0.isRemoved && !$0.isUnfinished }
        }.map(\.id))
    for candidate in candidates {
      let unit = candidate.unit
      let records = sources[renames.newest(of: unit)] ?? []
      let own = records.filter { pins[$0.id] == candidate.pin }.flatMap { returns[$0.id] ?? [] }
      let others = records.filter { pins[$0.id] != candidate.pin }.flatMap { returns[$0.id] ?? [] }
      for language in candidate.languages.sorted() {
        let (own, others) = (own.filter { $0.language == language }, others.filter { $0.language == language })
        let catalog = outdated.marked(candidate.catalog, [unit.key], in: language)
        let present = catalog.entries[unit.key]?.translations[language]
        if let present, present.isFinished,
          // The newest commit may not have been compared yet, so an outdated translation may not be marked.
          own.contains(where: { $0.hasWords(of: present) }) || !others.contains(where: { $0.hasWords(of: present) })
        {
          texts.translations.append(candidate.file(in: language, of: catalog))
        } else if let last = own.last(where: { taken.contains($0.id) }), last.isFinished {
          texts.translations.append(candidate.file(in: language, with: last.units))
        }
        guard texts.returned.contains(unit) else { continue }
        texts.others += others.filter { $0.vendor == vendor }.map { candidate.file(in: language, with: $0.units) }
      }
    }
  }
}

extension StandingTextSearch.Candidate {
  fileprivate func file(in language: LocaleIdentifier) -> ExchangeFile { file(in: language, of: catalog) }

  fileprivate func file(in language: LocaleIdentifier, of catalog: Catalog) -> ExchangeFile {
    file(in: language, with: catalog.units([unit.key], for: language))
  }

  /// Returns a file with the catalog name that was sent to the vendor.
  fileprivate func file(in language: LocaleIdentifier, with units: [ExchangeUnit]) -> ExchangeFile {
    ExchangeFile(
      original: unit.catalog.text, sourceLanguage: catalog.sourceLanguage, targetLanguage: language, units: units)
  }
}

extension EarlierReturn {
  fileprivate var isFinished: Bool { units.allSatisfy { $0.target?.finishedState ?? .translated == .translated } }
}

extension SentUnitRecord {
  /// The paths of the unit's forms.
  var paths: Set<VariationPath> { Set((forms?.leaves.map(\.path) ?? []) + [.root]) }
}

extension PipelineContext {
  /// Returns the texts that a vendor should show for units that were sent to it, if they were sent with several source texts.
  package func standingTexts(at vendor: String) async throws -> StandingTexts {
    try await StandingTextSearch(at: vendor, self).texts()
  }
}
