private import Dispatch
private import Foundation
private import Synchronization

/// Decides about every unit that comes back, on the side of losing nothing (xcode-formats.md D). Each incoming unit ends as
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
  private let choices: ImportChoices
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
    projectFolders: [TreePath] = [], policy: ImportPolicy = .unattended, choices: ImportChoices = ImportChoices(),
    exported: @escaping @Sendable (UnitID, LocaleIdentifier) -> ExportRecord? = { _, _ in nil }
  ) {
    self.catalogs = catalogs
    self.unreadable = unreadable
    self.languages = languages
    self.projectLanguages = projectLanguages
    self.projectFolders = projectFolders
    self.meanings = meanings
    self.policy = policy
    self.choices = choices
    self.exported = exported
  }

  /// A catalog in one language.
  private struct Part: Hashable, Sendable {
    var catalog: TreePath
    var language: LocaleIdentifier
  }

  /// The forms that came of one text unit in one language.
  private struct Group: Sendable {
    var part: Part
    var key: UnitKey
    /// With their place among all units.
    var units: [(index: Int, unit: ExchangeUnit)]
  }

  package func review(_ files: [ExchangeFile]) -> ReviewedImport {
    var result = ReviewedImport()
    let placement = FilePlacement(
      catalogs: catalogs, unreadable: unreadable, allowed: languages, projectLanguages: projectLanguages,
      meanings: meanings, projectFolders: projectFolders)
    var groups: [Group] = []
    var places: [Part: [UnitKey: Int]] = [:]
    var carriedKeys: [TreePath: [UnitKey: UnitKey]] = [:]
    for file in files {
      let place = placement.place(of: file)
      let part = Part(catalog: place.catalog, language: place.language)
      result.diagnostics += place.diagnostics
      // Once a catalog: a bundle may name one in any number of files.
      let carried = carriedKeys[part.catalog] ?? self.carriedKeys(of: part.catalog)
      carriedKeys[part.catalog] = carried
      let entries = catalogs[part.catalog]?.entries ?? [:]
      var known = places.removeValue(forKey: part) ?? [:]
      for unit in file.units {
        let unit = place.fault == nil ? named(unit, in: part.catalog, entries, carried) : unit
        let isKnown = entries[unit.key] != nil
        let isSkipped = choices.skips(unit.key, part.language)
        if place.fault == nil, isKnown, !isSkipped {
          let index = known[unit.key] ?? groups.count
          if index == groups.count {
            known[unit.key] = index
            groups.append(Group(part: part, key: unit.key, units: []))
          }
          groups[index].units.append((result.outcomes.count, unit))
        }
        // Every unit has its place in the order in which it came; a group's verdicts are put in below.
        result.outcomes.append(
          UnitOutcome(
            unit: UnitID(catalog: part.catalog, key: unit.key), language: part.language, path: unit.path,
            verdict: .held(isSkipped ? .skipped : place.fault ?? (isKnown ? .noTarget : .unknownKey)),
            source: unit.source,
            target: unit.target))
      }
      places[part] = known
    }
    for (group, judgement) in zip(groups, judgements(of: groups)) {
      if let judgement { take(judgement, of: group, into: &result) }
    }
    return result
  }

  /// Groups at least that make a second thread worth it.
  private static let groupsOfThread = 1000

  /// What is judged of each group, on all processors: a group is judged by itself.
  private func judgements(of groups: [Group]) -> [GroupReview.Judgement?] {
    let threads = min(ProcessInfo.processInfo.activeProcessorCount, groups.count / Self.groupsOfThread)
    guard threads > 1 else { return groups.map(judgement) }
    let size = (groups.count + threads - 1) / threads
    let shares = Mutex<[Int: [GroupReview.Judgement?]]>([:])
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      let found = groups[min(groups.count, thread * size)..<min(groups.count, (thread + 1) * size)].map(judgement)
      shares.withLock { $0[thread] = found }
    }
    return shares.withLock { shares in (0..<threads).flatMap { shares[$0] ?? [] } }
  }

  private func judgement(_ group: Group) -> GroupReview.Judgement? {
    let (path, language) = (group.part.catalog, group.part.language)
    guard let catalog = catalogs[path], let entry = catalog.entries[group.key] else { return nil }
    let id = UnitID(catalog: path, key: group.key)
    let record = exported(id, language)
    var review = GroupReview(
      source: SourceForms(key: group.key, entry: entry, sourceLanguage: catalog.sourceLanguage),
      pin: record.map { _ in SourcePin(key: group.key, entry: entry, sourceLanguage: catalog.sourceLanguage) },
      present: language == catalog.sourceLanguage ? nil : entry.translations[language], language: language,
      sourceLanguage: catalog.sourceLanguage, shouldTranslate: entry.shouldTranslate,
      record: record, policy: policy, hasStates: path.ending == "xcstrings",
      overrules: { [choices] in choices.overrules($0, id, language) })
    return review.judge(group.units.map(\.unit))
  }

  private func take(_ judgement: GroupReview.Judgement, of group: Group, into result: inout ReviewedImport) {
    let (path, language) = (group.part.catalog, group.part.language)
    for (unit, verdict) in zip(group.units, judgement.verdicts) { result.outcomes[unit.index].verdict = verdict }
    for (position, warnings) in judgement.warnings.sorted(by: { $0.key < $1.key }) {
      let name = ExchangeIdentifier.text(key: group.key, path: group.units[position].unit.path, in: path.text)
      result.diagnostics += warnings.map {
        Diagnostic(
          path: path.text, severity: .warning, message: "\(language): \"\(name)\": \($0.message)", hint: $0.hint)
      }
    }
    guard let translation = judgement.translation, let catalog = catalogs[path],
      translation != catalog.entries[group.key]?.translations[language]
    else { return }
    result.catalogs[path, default: catalog].entries[group.key]?.translations[language] = translation
    let id = UnitID(catalog: path, key: group.key)
    result.filled += judgement.filled.map { FilledForm(unit: id, language: language, path: $0) }
  }

  /// A unit whose id can be read in another way than at its last `|==|`, where only that names a key that the catalog
  /// has: a key that looks like a form (Xcode ignores these; xcode-formats.md B2.5), a substitution whose name holds the
  /// delimiter (Xcode loses its forms).
  private func named(
    _ unit: ExchangeUnit, in catalog: TreePath, _ entries: [UnitKey: CatalogEntry], _ carried: [UnitKey: UnitKey]
  ) -> ExchangeUnit {
    guard entries[unit.key] == nil else { return unit }
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
