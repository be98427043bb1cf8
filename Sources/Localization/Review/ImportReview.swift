/// Decides whether each returned unit is accepted, unchanged, or held with a reason (xcode-formats.md D). In case of doubt, the unit is
/// held, so that no text is lost.
///
/// Unlike Xcode, the review holds units whose import would lose or break a text, such as an empty target for an existing text, wrong arguments,
/// or a unit in the source language. `ImportPolicy.unattended` adds further reasons for imports that nobody reviews.
package struct ImportReview: Sendable {
  private let catalogs: [TreePath: Catalog]
  private let unreadable: [TreePath: InputFault]
  private let languages: Set<LocaleIdentifier>?
  private let projectLanguages: Set<LocaleIdentifier>
  private let projectFolders: [TreePath]
  private let excluded: Set<TreePath>
  private let meanings: LanguageMeanings
  private let policy: ImportPolicy
  private var choices: ImportChoices
  private let exported: @Sendable (UnitID, LocaleIdentifier) -> ExportRecord?

  /// Creates a review of imports into some catalogs.
  /// - Parameters:
  ///   - unreadable: the project's unreadable catalogs. Units for them are held.
  ///   - languages: the languages that may be imported; `nil` for every well-formed language, as in Xcode.
  ///   - projectLanguages: further languages of the project. Incoming languages get the spelling of these languages.
  ///   - meanings: a person's instructions for incoming languages. The instructions have precedence over `languages` and `projectLanguages`.
  ///   - projectFolders: the folders, besides the root of the tree, that paths of a bundle may be relative to, most likely first.
  ///   - excluded: catalogs that exist but that the pipeline's `extract.paths` leave out.
  ///   - exported: returns the source and the translation of a unit at the time when it was sent. If the closure returns `nil`, later changes in the
  ///     catalog are overwritten, as in Xcode.
  package init(
    catalogs: [TreePath: Catalog], unreadable: [TreePath: InputFault] = [:], languages: Set<LocaleIdentifier>? = nil,
    projectLanguages: Set<LocaleIdentifier> = [], meanings: LanguageMeanings = LanguageMeanings(),
    projectFolders: [TreePath] = [], policy: ImportPolicy = .unattended, choices: ImportChoices = ImportChoices(),
    excluded: Set<TreePath> = [],
    exported: @escaping @Sendable (UnitID, LocaleIdentifier) -> ExportRecord? = { _, _ in nil }
  ) {
    self.catalogs = catalogs
    self.unreadable = unreadable
    self.languages = languages
    self.projectLanguages = projectLanguages
    self.projectFolders = projectFolders
    self.excluded = excluded
    self.meanings = meanings
    self.policy = policy
    self.choices = choices
    self.exported = exported
  }

  /// One language of a catalog.
  private struct Part: Hashable, Sendable {
    var catalog: TreePath
    var language: LocaleIdentifier
  }

  /// The returned forms of one text unit in one language.
  private struct Group: Sendable {
    var part: Part
    var key: UnitKey
    /// The catalog's entry for the text unit.
    var entry: CatalogEntry
    var hasStates: Bool
    /// The returned units, with their indices among all units.
    var units: [(index: Int, unit: ExchangeUnit)]
  }

  package func review(_ files: [ExchangeFile]) -> ReviewedImport {
    let placement = FilePlacement(
      catalogs: catalogs, unreadable: unreadable, allowed: languages, projectLanguages: projectLanguages,
      meanings: meanings, projectFolders: projectFolders, excluded: excluded)
    let places = withinLimit(files.map { placement.place(of: $0) })
    guard !choices.isEmpty else { return review(files, at: places) }
    let languages = projectLanguages.union(catalogs.values.flatMap(\.languages)).union(places.map(\.language))
    var chosen = self
    chosen.choices = choices.spelled(by: LanguageMatch([languages]))
    return chosen.review(files, at: places)
  }

  /// Holds the units of files whose language would exceed a catalog's maximum number of languages, because such a catalog could not be read again.
  private func withinLimit(_ places: [FilePlacement.Place]) -> [FilePlacement.Place] {
    var languages: [TreePath: Set<LocaleIdentifier>] = [:]
    return places.map { place in
      guard place.fault == nil, let catalog = catalogs[place.catalog] else { return place }
      var place = place
      if languages[place.catalog] == nil { languages[place.catalog] = catalog.languages }
      if languages[place.catalog]?.contains(place.language) == false {
        if languages[place.catalog]?.count ?? 0 < CatalogLimits.languages {
          languages[place.catalog]?.insert(place.language)
        } else {
          place.fault = .notWritable("a catalog can have at most \(CatalogLimits.languages) languages")
        }
      }
      return place
    }
  }

  private func review(_ files: [ExchangeFile], at filePlaces: [FilePlacement.Place]) -> ReviewedImport {
    var result = ReviewedImport()
    var groups: [Group] = []
    var places: [Part: [UnitKey: Int]] = [:]
    var carriedKeys: [TreePath: [UnitKey: UnitKey]] = [:]
    for (file, place) in zip(files, filePlaces) {
      let part = Part(catalog: place.catalog, language: place.language)
      result.diagnostics += place.diagnostics
      // Units are grouped by catalog, because a bundle may contain several files for one catalog.
      let carried = carriedKeys[part.catalog] ?? self.carriedKeys(of: part.catalog)
      carriedKeys[part.catalog] = carried
      let entries = catalogs[part.catalog]?.entries ?? [:]
      let hasStates = part.catalog.catalogKind?.hasStates == true
      var known = places.removeValue(forKey: part) ?? [:]
      for unit in file.units {
        let (unit, entry) = find(unit, in: part, entries, carried, isPlaced: place.fault == nil)
        let isSkipped = !choices.skip.isEmpty && choices.skips(unit.key, part.language)
        if place.fault == nil, let entry, !isSkipped {
          let arrival = (result.outcomes.count, unit)
          if let index = known[unit.key] {
            groups[index].units.append(arrival)
          } else {
            known[unit.key] = groups.count
            groups.append(Group(part: part, key: unit.key, entry: entry, hasStates: hasStates, units: [arrival]))
          }
        }
        // Every unit keeps its position. The verdicts of a group are inserted below.
        result.outcomes.append(
          UnitOutcome(
            unit: UnitID(catalog: part.catalog, key: unit.key), language: part.language, path: unit.path,
            verdict: .held(
              isSkipped
                ? .skipped
                : unit.target == nil ? .noTarget : place.fault ?? (entry == nil ? .unknownKey : .noTarget)),
            source: unit.source, target: unit.target, hasForeignID: unit.hasForeignID))
      }
      places[part] = known
    }
    for (group, judgement) in zip(groups, judgements(of: groups)) {
      if let judgement { take(judgement, of: group, into: &result) }
    }
    return result
  }

  /// The minimum number of groups that justifies another thread.
  private static let groupsOfThread = 1000

  /// Reviews the groups on all processors, independently of each other.
  private func judgements(of groups: [Group]) -> [GroupReview.Judgement?] {
    SharedWork.map(groups.count, atLeast: Self.groupsOfThread) { groups[$0].map(judgement) }.flatMap(\.self)
  }

  private func judgement(_ group: Group) -> GroupReview.Judgement? {
    let (path, language) = (group.part.catalog, group.part.language)
    guard let catalog = catalogs[path] else { return nil }
    let entry = group.entry
    let id = UnitID(catalog: path, key: group.key)
    let record = exported(id, language)
    var review = GroupReview(
      source: SourceForms(key: group.key, entry: entry, sourceLanguage: catalog.sourceLanguage),
      pin: record.map { _ in SourcePin(key: group.key, entry: entry, sourceLanguage: catalog.sourceLanguage) },
      present: language == catalog.sourceLanguage ? nil : entry.translations[language], language: language,
      sourceLanguage: catalog.sourceLanguage, shouldTranslate: entry.shouldTranslate,
      comment: entry.comment, record: record, policy: policy, hasStates: group.hasStates,
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
      translation != group.entry.translations[language]
    else { return }
    result.catalogs[path, default: catalog].set(translation, of: group.key, in: language)
    guard !judgement.filled.isEmpty else { return }
    let source = SourceForms(key: group.key, entry: group.entry, sourceLanguage: catalog.sourceLanguage)
    let former = group.entry.translations[language]?[.root]
    result.filled += judgement.filled.map { form in
      FilledForm(
        unit: UnitID(catalog: path, key: group.key), language: language, path: form,
        text: Self.origin(of: translation[form], source: source.leaf(at: form), former: former))
    }
  }

  /// Returns the origin of the text of a form that was added to complete a translation.
  private static func origin(of added: VariedLeaf?, source: VariedLeaf?, former: VariedLeaf?) -> FilledForm.Text {
    guard let added, added.state != .new else { return .source }
    if let source, source.words.isExactly(added.words) { return .source }
    if let former, former.words.isExactly(added.words) { return .former }
    return .otherForm
  }

  /// Returns the unit with its key in the catalog's spelling, and the catalog's entry for the key.
  private func find(
    _ unit: ExchangeUnit, in part: Part, _ entries: [UnitKey: CatalogEntry], _ carried: [UnitKey: UnitKey],
    isPlaced: Bool
  ) -> (ExchangeUnit, CatalogEntry?) {
    let known = entries[unit.key]
    guard isPlaced, known == nil || !unit.path.isRoot else { return (unit, known) }
    let unit = known == nil ? named(unit, in: part.catalog, entries, carried) : bestReading(of: unit, in: part, entries)
    return (unit, entries[unit.key])
  }

  /// Returns the unit with another reading of its id if the catalog has keys for several readings, and if only another reading has the unit's
  /// source text: `a|==|plural.one` is a form of the key `a`, or a key. If several readings have this source text, a reading with a form that the
  /// export of the language has is chosen.
  private func bestReading(of unit: ExchangeUnit, in part: Part, _ entries: [UnitKey: CatalogEntry]) -> ExchangeUnit {
    guard part.catalog.holdsAllLanguages, let given = unit.source?.comparable,
      let sourceLanguage = catalogs[part.catalog]?.sourceLanguage
    else { return unit }
    let known = ExchangeIdentifier.readings(of: ExchangeIdentifier.text(key: unit.key, path: unit.path))
      .compactMap { key, path in entries[key].map { (key: key, path: path, entry: $0) } }
    guard known.count > 1 else { return unit }
    var matching: (key: UnitKey, path: VariationPath)?
    for (key, path, entry) in known {
      let source = SourceForms(key: key, entry: entry, sourceLanguage: sourceLanguage)
      guard source.text(at: path).comparable == given else { continue }
      let isExported = ExportShape.paths(
        of: entry.translations[part.language], source: source.translation, from: sourceLanguage, for: [part.language]
      ).contains(path)
      if matching == nil || isExported { matching = (key, path) }
      if isExported { break }
    }
    guard let matching else { return unit }
    var unit = unit
    (unit.key, unit.path) = matching
    return unit
  }

  /// Returns the unit with the catalog's key if XML replaced characters of the key, or with another reading of its id if the catalog has a key only
  /// for that reading. By default, an id is split into key and form at its last `|==|`. This is wrong for a key that looks like a form (Xcode ignores
  /// such keys; xcode-formats.md B2.5), and for a substitution whose name contains the delimiter (Xcode loses its forms).
  private func named(
    _ unit: ExchangeUnit, in catalog: TreePath, _ entries: [UnitKey: CatalogEntry], _ carried: [UnitKey: UnitKey]
  ) -> ExchangeUnit {
    if let key = carried[unit.key] {
      var unit = unit
      unit.key = key
      return unit
    }
    guard catalog.holdsAllLanguages else { return unit }
    let id = ExchangeIdentifier.text(key: unit.key, path: unit.path)
    for (key, path) in ExchangeIdentifier.readings(of: id) where entries[key] != nil {
      var unit = unit
      (unit.key, unit.path) = (key, path)
      return unit
    }
    return unit
  }

  /// Returns the keys that XML cannot represent, by their replacement in XML. If several keys have the same replacement, the value is the replacement
  /// itself, so none of these keys is found.
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
