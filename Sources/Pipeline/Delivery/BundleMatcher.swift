import FoundationEssentials
import Localization

/// Matches the contents of a returned bundle to text units and sent units: by catalog, key, language and source, never by the name of the
/// bundle.
struct BundleMatcher {
  let heads: [WatchedHead]
  /// The units with the bundle's keys that were sent to the vendor, by language, oldest first.
  let sentUnits: [LocaleIdentifier: [SentUnitRecord]]
  let renames: [TreePath: TreePath]
  /// Earlier returns and their outcomes.
  let returns: [ReturnRecord]
  let vendor: String
  let policy: ReturnPolicy

  /// The contents of a bundle and the result of a first review.
  struct Reading {
    var returnedUnits: [NewReturnedUnit] = []
    /// A message for the vendor with the problems of the bundle, and with the units that were not accepted and the reasons; `nil` if there
    /// are none.
    var review: String?
    var isUnreadable = false
    /// Problems that are reported without holding a unit.
    var findings: [Diagnostic] = []
  }

  func read(_ bundle: ReturnedBundle) -> Reading {
    let languages = heads.languages
    var repaired = 0
    let files = bundle.files.flatMap { file in
      let (better, count) = policy.repaired(file, from: vendor)
      repaired += count
      return renamed(withSentReadings(better)).map { policy.drafted($0, from: vendor) }
    }
    let flat = files.flatMap { file in file.units.map { (file, $0) } }
    let records = Dictionary(
      grouping: sentUnits.flatMap { language, records in
        records.map { (UnitInLanguage(unit: $0.unit, language: language), $0) }
      },
      by: \.0
    ).mapValues { $0.map(\.1) }
    let matching = matches(records, flat)
    let reviews = heads.compactMap { head -> [UnitOutcome]? in
      guard let snapshot = head.snapshot else { return nil }
      let standing = standing(on: head.run.branch)
      let ledgerNames = renames.ledgerNames(in: snapshot)
      let exported: @Sendable (UnitID, LocaleIdentifier) -> ExportRecord? = { unit, language in
        let ledgerUnit = UnitID(catalog: ledgerNames[unit.catalog] ?? unit.catalog, key: unit.key)
        let answered =
          matching[UnitInLanguage(unit: unit, language: language)]
          ?? matching[UnitInLanguage(unit: ledgerUnit, language: language)]
        guard let record = answered, !record.isRefused else { return nil }
        // A translation from an earlier return of ours is not an edit by a person.
        let current = snapshot.synced[unit.catalog]?.entries[unit.key]?.translations[language]
        guard let current,
          standing[SourceInLanguage(source: record.source, language: language)]?.contains(current.digest) == true
        else { return record.export }
        return ExportRecord(pin: record.export.pin, translation: current)
      }
      return ImportReview(
        catalogs: snapshot.synced, unreadable: snapshot.broken, languages: languages,
        excluded: snapshot.outsidePaths, exported: exported
      ).review(files.map { named($0, in: snapshot) }).outcomes
    }.filter { $0.count == flat.count }

    var order: [UnitInLanguage] = []
    var units: [UnitInLanguage: [(ExchangeUnit, Verdict?)]] = [:]
    var lines = bundle.diagnostics.map(\.description)
    var findings: [Diagnostic] = []
    let unchanged =
      policy.holdsUnchanged.contains(vendor)
      ? Set(
        Dictionary(grouping: flat, by: \.0.targetLanguage)
          .filter { ReturnPolicy.isMostlyUnchanged($0.value.map(\.1)) }.keys) : []
    let foreign =
      policy.holdsOtherLanguages.contains(vendor)
      ? Set(
        Dictionary(grouping: flat, by: \.0.targetLanguage)
          .filter { ReturnPolicy.isInOtherLanguage($0.value.map(\.1), $0.key) }.keys) : []
    for (place, (file, unit)) in flat.enumerated() {
      let outcome = best(reviews.map { $0[place] })
      let unit = withReading(of: outcome, unit, language: file.targetLanguage)
      let slot = UnitInLanguage(
        unit: self.unit(unit.key, of: file, outcome, among: matching), language: file.targetLanguage)
      if units[slot] == nil { order.append(slot) }
      units[slot, default: []].append((unit, outcome?.verdict))
      let wasSent = matching[slot].map { !$0.isRefused } ?? false
      var refusal = unit.target == nil ? nil : refusal(of: slot, wasSent: wasSent)
      if refusal == nil, unchanged.contains(file.targetLanguage), unit.isUnchanged { refusal = .mostlyUnchanged }
      if refusal == nil, foreign.contains(file.targetLanguage), unit.target != nil {
        refusal = ReturnPolicy.languageFault(of: unit, file.targetLanguage).map(HoldReason.otherLanguage)
      }
      refusal = refusal ?? policy.transferFault(of: unit, in: file.targetLanguage, from: vendor)
      let id = ExchangeIdentifier.text(key: unit.key, path: unit.path)
      let fault = refusal == nil ? policy.termFault(of: unit, in: file.targetLanguage) : nil
      if policy.holdsTerms {
        refusal = refusal ?? fault
      } else if let fault {
        findings.append(
          Diagnostic(
            path: bundle.reference, severity: .warning,
            message: "\(file.original): \(file.targetLanguage): \(id): \(fault.sentence)"))
      }
      if refusal == nil, outcome?.holdReason == nil, let loss = ReturnPolicy.markupLoss(of: unit) {
        findings.append(
          Diagnostic(
            path: bundle.reference, severity: .warning,
            message: "\(file.original): \(file.targetLanguage): \(id): \(loss)"))
      }
      if let reason = refusal ?? outcome?.holdReason, reason != .noTarget {
        lines.append("\(file.original): \(file.targetLanguage): \(id): \(reason.sentence)")
      }
    }
    if repaired > 0 {
      findings.append(
        Diagnostic(
          path: bundle.reference, severity: .warning,
          message: repaired == 1 ? "1 text was repaired" : "\(repaired) texts were repaired"))
    }
    var reading = Reading(isUnreadable: flat.isEmpty, findings: findings)
    for slot in order {
      // A file without a language cannot be matched; the review reports it.
      guard !slot.language.rawValue.isEmpty, let incoming = units[slot],
        incoming.contains(where: { $0.0.target != nil })
      else { continue }
      let record = matching[slot]
      // A vendor may return a unit that it refused before. Its return is recorded for the source text that was sent, but not for the sent
      // unit, so it is not compared with the translation that a branch had at that time.
      let sentUnit = record.flatMap { $0.isRefused ? nil : $0.id }
      let isFinished = !incoming.contains(where: Self.isUnfinished)
      reading.returnedUnits.append(
        NewReturnedUnit(
          unit: slot.unit, language: slot.language, units: incoming.map(\.0), sentUnit: sentUnit,
          source: record?.source, isFinished: isFinished))
    }
    if !lines.isEmpty { reading.review = lines.joined(separator: "\n") + "\n" }
    return reading
  }

  /// Returns whether the translator is still working on the unit. For a held unit, this depends on the unit's own state and not on the hold
  /// reason, which may be a different one, such as a removed key.
  private static func isUnfinished(_ unit: ExchangeUnit, _ verdict: Verdict?) -> Bool {
    switch verdict {
    case .taken, .unchanged: false
    case .held, nil: unit.target?.finishedState == nil
    }
  }

  /// Returns the reason why all branches hold the unit before its text is reviewed; `nil` if a branch does not hold the unit, or if the
  /// unit was sent.
  private func refusal(of slot: UnitInLanguage, wasSent: Bool) -> HoldReason? {
    guard !wasSent else { return nil }
    let reasons = heads.compactMap(\.snapshot).map { snapshot in
      policy.refusal(
        of: slot.language, in: slot.unit.catalog, from: vendor, wasSent: wasSent,
        present: snapshot.synced[slot.unit.catalog]?.entries[slot.unit.key]?.translations[slot.language])
    }
    return reasons.contains(nil) ? nil : reasons.first ?? nil
  }

  /// Returns digests of the translations that earlier returns put on a branch.
  private func standing(on branch: String) -> [SourceInLanguage: Set<String>] {
    var found: [SourceInLanguage: Set<String>] = [:]
    for record in returns {
      guard let placed = record.outcomes[branch], placed.state == .delivered || placed.state == .settled,
        let digest = placed.translation
      else { continue }
      found[SourceInLanguage(source: record.source, language: record.language), default: []].insert(digest)
    }
    return found
  }

  /// Splits the file by the current paths of its units' catalogs. Vendors use the path that a catalog had when it was sent. The file that
  /// has this path now may be a different catalog, or a catalog that a merge restored although it is no longer used.
  private func renamed(_ file: ExchangeFile) -> [ExchangeFile] {
    guard let path = TreePath(checking: file.original) else { return [file] }
    let stands = heads.contains { $0.snapshot?.synced[path] != nil }
    var places: [TreePath: [ExchangeUnit]] = [:]
    let units = Dictionary(grouping: file.units, by: \.key)
    let sent = Dictionary(
      grouping: (sentUnits[file.targetLanguage] ?? []).filter { $0.sentCatalog == path }, by: \.unit.key)
    let current = units.mapValues { units -> TreePath in
      let records = sent[units[0].key] ?? []
      let sources = units.compactMap { unit in unit.source.map { (unit.path, $0) } }
      let answered = answered(by: sources, among: records, language: file.targetLanguage) ?? records.last
      return answered?.unit.catalog ?? (stands ? path : renames.newest(of: path))
    }
    for unit in file.units { places[current[unit.key] ?? path, default: []].append(unit) }
    return places.sorted { $0.key < $1.key }.map { place, units in
      var part = file
      if place != path { part.original = place.text }
      part.units = units
      return part
    }
  }

  /// Returns the unit under its name in the ledger. The unit is in the file's own catalog if the unit was sent in this catalog, or if the
  /// branch has this catalog under an older name. Otherwise, the unit is in the catalog in which a branch's review found it.
  ///
  /// One branch may have moved a unit to another catalog, where it was sent again, while another branch still has the unit in the former
  /// catalog.
  private func unit(
    _ key: UnitKey, of file: ExchangeFile, _ outcome: UnitOutcome?, among sent: [UnitInLanguage: SentUnitRecord]
  ) -> UnitID {
    let own = UnitID(catalog: TreePath(checking: file.original) ?? .root, key: key)
    guard let outcome, renames.newest(of: outcome.unit.catalog) != own.catalog,
      sent[UnitInLanguage(unit: own, language: file.targetLanguage)] == nil
    else { return own }
    return outcome.unit
  }

  /// Returns the file under the name that its catalog has in a commit.
  private func named(_ file: ExchangeFile, in snapshot: Snapshot) -> ExchangeFile {
    guard let path = TreePath(checking: file.original), let key = file.units.first?.key else { return file }
    var file = file
    file.original = renames.name(of: UnitID(catalog: path, key: key), in: snapshot).catalog.text
    return file
  }

  /// Returns the best outcome of several branches: a unit is accepted if one branch accepts it.
  private func best(_ outcomes: [UnitOutcome]) -> UnitOutcome? {
    outcomes.min { rank($0) < rank($1) }
  }

  private func rank(_ outcome: UnitOutcome) -> Int {
    switch outcome.verdict {
    case .taken: 0
    case .unchanged: 1
    case .held(.unknownCatalog): 6
    case .held(.catalogOutsidePaths): 5
    case .held(.unknownKey): 4
    case .held(.sourceChanged): 3
    case .held: 2
    }
  }

  /// Returns the sent unit that each incoming unit translates. If a key was returned for several catalogs, each catalog's unit is matched
  /// with the texts of that catalog only.
  private func matches(
    _ records: [UnitInLanguage: [SentUnitRecord]], _ flat: [(ExchangeFile, ExchangeUnit)]
  ) -> [UnitInLanguage: SentUnitRecord] {
    let came = Dictionary(grouping: flat) { file, unit in
      UnitInLanguage(unit: UnitID(catalog: .root, key: unit.key), language: file.targetLanguage)
    }
    var found: [UnitInLanguage: SentUnitRecord] = [:]
    for (slot, candidates) in records {
      let anywhere = UnitInLanguage(unit: UnitID(catalog: .root, key: slot.unit.key), language: slot.language)
      guard let all = came[anywhere] else { continue }
      let own = all.filter { $0.0.original == slot.unit.catalog.text }
      let sources = (own.isEmpty ? all : own).compactMap { _, unit in unit.source.map { (unit.path, $0) } }
      found[slot] = answered(by: sources, among: candidates, language: slot.language)
    }
    return found
  }

  /// Returns the sent unit that a returned unit translates. It must have the source texts with which the returned unit came. Of several
  /// such units, those with the most forms in common are preferred, then outstanding units, then the newest unit.
  private func answered(
    by came: [(VariationPath, ExchangeText)], among records: [SentUnitRecord], language: LocaleIdentifier
  ) -> SentUnitRecord? {
    let fitting = records.compactMap { record in
      commonForms(of: record, came, language: language).map { (record: record, forms: $0) }
    }
    // A sent unit with only some of the returned forms also fits, because one branch may have a text where another branch has plural forms.
    let most = fitting.map(\.forms).max()
    let best = fitting.lazy.filter { $0.forms == most }.map(\.record)
    return best.last { $0.state == .outstanding } ?? best.last
  }

  /// Counts the forms that were sent with the returned source texts.
  /// - Returns: `nil` if a form was sent with another source text. Forms that were not sent are ignored, because a translator may have
  ///   added them.
  func commonForms(
    of record: SentUnitRecord, _ came: [(VariationPath, ExchangeText)], language: LocaleIdentifier
  ) -> Int? {
    guard !came.isEmpty else { return 0 }
    let sourceLanguage = heads.lazy.compactMap(\.snapshot).first?.project.sourceLanguage ?? "en"
    var translations: Translations = [:]
    translations[sourceLanguage] = record.forms
    translations[language] = record.export.translation
    let catalog = Catalog(
      path: record.unit.catalog, sourceLanguage: sourceLanguage,
      entries: [record.unit.key: CatalogEntry(translations: translations)])
    let sent = catalog.units([record.unit.key], for: language)
    var common = 0
    for (path, source) in came {
      guard let unit = sent.first(where: { $0.path == path }), let text = unit.source else { continue }
      // If a vendor's file cannot represent a character, the vendor returns the substitute that was written into the file.
      guard text.carried.isExactly(source.carried) else { return nil }
      common += 1
    }
    return common
  }
}
