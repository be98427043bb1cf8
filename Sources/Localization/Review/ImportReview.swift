/// Decides about every unit that comes back, on the side of losing nothing (formats.md D). Each incoming unit ends as
/// taken, unchanged or held with a reason.
///
/// Where this differs from Xcode it holds what Xcode would write or drop: words that an empty target would overwrite,
/// wrong arguments, units for the source language; and, where nobody looks at the result, what `ImportPolicy` says.
package struct ImportReview: Sendable {
  private let catalogs: [TreePath: Catalog]
  private let unreadable: [TreePath: InputFault]
  private let languages: Set<LocaleIdentifier>?
  private let projectLanguages: Set<LocaleIdentifier>
  private let projectFolders: [TreePath]
  private let meanings: LanguageMeanings
  private let policy: ImportPolicy
  private let exported: @Sendable (UnitID, LocaleIdentifier) -> ExportRecord?

  /// - Parameters:
  ///   - unreadable: the project's other catalogs: units that are for one of them are held.
  ///   - languages: those that may be imported; `nil`: every well-formed one, as Xcode does.
  ///   - projectLanguages: further languages that the project has, by whose spelling an incoming one is known.
  ///   - meanings: what a person says of incoming languages; it goes before all else.
  ///   - projectFolders: from where the paths of a bundle may lead besides the root of the tree, the likeliest first.
  ///   - exported: what stood in the catalog when the unit was sent. Where it says `nil`, the incoming value wins, as
  ///     in Xcode.
  package init(
    catalogs: [TreePath: Catalog], unreadable: [TreePath: InputFault] = [:], languages: Set<LocaleIdentifier>? = nil,
    projectLanguages: Set<LocaleIdentifier> = [], meanings: LanguageMeanings = LanguageMeanings(),
    projectFolders: [TreePath] = [], policy: ImportPolicy = .unattended,
    exported: @escaping @Sendable (UnitID, LocaleIdentifier) -> ExportRecord? = { _, _ in nil }
  ) {
    self.catalogs = catalogs
    self.unreadable = unreadable
    self.languages = languages
    self.projectLanguages = projectLanguages
    self.projectFolders = projectFolders
    self.meanings = meanings
    self.policy = policy
    self.exported = exported
  }

  private struct GroupID: Hashable {
    var unit: UnitID
    var language: LocaleIdentifier
  }

  package func review(_ files: [ExchangeFile]) -> ReviewedImport {
    var result = ReviewedImport()
    let placement = FilePlacement(
      catalogs: catalogs, unreadable: unreadable, allowed: languages, projectLanguages: projectLanguages,
      meanings: meanings, projectFolders: projectFolders)
    var groups: [GroupID: [(index: Int, unit: ExchangeUnit)]] = [:]
    var order: [GroupID] = []
    var carriedKeys: [TreePath: [UnitKey: UnitKey]] = [:]
    for file in files {
      let place = placement.place(of: file)
      let (catalog, fault, language) = (place.catalog, place.fault, place.language)
      result.diagnostics += place.diagnostics
      // Once a catalog: a bundle may name one in any number of files.
      let carried = carriedKeys[catalog] ?? self.carriedKeys(of: catalog)
      carriedKeys[catalog] = carried
      for unit in file.units.map({ fault == nil ? named($0, in: catalog, carried) : $0 }) {
        let id = GroupID(unit: UnitID(catalog: catalog, key: unit.key), language: language)
        let isKnown = catalogs[catalog]?.entries[unit.key] != nil
        if fault == nil, isKnown {
          if groups[id] == nil { order.append(id) }
          groups[id, default: []].append((result.outcomes.count, unit))
        }
        // Every unit has its place in the order in which it came; a group's verdicts are put in below.
        result.outcomes.append(
          UnitOutcome(
            unit: id.unit, language: language, path: unit.path,
            verdict: .held(fault ?? (isKnown ? .noTarget : .unknownKey)), source: unit.source, target: unit.target))
      }
    }
    var changed: [TreePath: Catalog] = [:]
    for id in order {
      guard let units = groups[id], let catalog = catalogs[id.unit.catalog], let entry = catalog.entries[id.unit.key]
      else {
        continue
      }
      var review = GroupReview(
        source: SourceForms(key: id.unit.key, entry: entry, sourceLanguage: catalog.sourceLanguage),
        pin: SourcePin(key: id.unit.key, entry: entry, sourceLanguage: catalog.sourceLanguage),
        present: id.language == catalog.sourceLanguage ? nil : entry.translations[id.language], language: id.language,
        sourceLanguage: catalog.sourceLanguage, shouldTranslate: entry.shouldTranslate,
        record: exported(id.unit, id.language), policy: policy, hasStates: id.unit.catalog.ending == "xcstrings")
      let judgement = review.judge(units.map(\.unit))
      for (unit, verdict) in zip(units, judgement.verdicts) { result.outcomes[unit.index].verdict = verdict }
      for (position, warnings) in judgement.warnings.sorted(by: { $0.key < $1.key }) {
        let name = ExchangeIdentifier.text(
          key: id.unit.key, path: units[position].unit.path, in: id.unit.catalog.text)
        result.diagnostics += warnings.map {
          Diagnostic(
            path: id.unit.catalog.text, severity: .warning, message: "\(id.language): \"\(name)\": \($0.message)",
            hint: $0.hint)
        }
      }
      if let translation = judgement.translation, translation != entry.translations[id.language] {
        changed[id.unit.catalog, default: catalog].entries[id.unit.key]?.translations[id.language] = translation
        result.filled += judgement.filled.map { FilledForm(unit: id.unit, language: id.language, path: $0) }
      }
    }
    result.catalogs = changed
    return result
  }

  /// A unit whose id can be read in another way than at its last `|==|`, where only that names a key that the catalog
  /// has: a key that looks like a form (Xcode ignores these; formats.md B2.5), a substitution whose name holds the
  /// delimiter (Xcode loses its forms).
  private func named(_ unit: ExchangeUnit, in catalog: TreePath, _ carried: [UnitKey: UnitKey]) -> ExchangeUnit {
    guard let entries = catalogs[catalog]?.entries, entries[unit.key] == nil else { return unit }
    if let key = carried[unit.key] {
      var unit = unit
      unit.key = key
      return unit
    }
    guard catalog.ending == "xcstrings" else { return unit }
    let id = ExchangeIdentifier.text(key: unit.key, path: unit.path)
    for (key, path) in ExchangeIdentifier.readings(of: id) where entries[key] != nil {
      var unit = unit
      (unit.key, unit.path) = (key, path)
      return unit
    }
    return unit
  }

  /// The keys that an XML file cannot hold, by what it makes of them; where two become one, neither is known by it.
  private func carriedKeys(of catalog: TreePath) -> [UnitKey: UnitKey] {
    var keys: [UnitKey: UnitKey] = [:]
    for key in (catalogs[catalog]?.entries ?? [:]).keys {
      let carried = key.text.carriedByXML
      guard !carried.isExactly(key.text) else { continue }
      keys[UnitKey(carried)] = keys[UnitKey(carried)] == nil ? key : UnitKey(carried)
    }
    return keys
  }
}
