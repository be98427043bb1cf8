/// Decides about every unit that comes back, on the side of losing nothing (formats.md D). Each incoming unit ends as
/// taken, unchanged or held with a reason.
///
/// Where this differs from Xcode it holds what Xcode would write or drop: words that an empty target would overwrite,
/// wrong arguments, units for the source language; and, where nobody looks at the result, what `ImportPolicy` says.
package struct ImportReview: Sendable {
  private let catalogs: [TreePath: Catalog]
  private let languages: Set<LocaleIdentifier>?
  private let policy: ImportPolicy
  private let exported: @Sendable (UnitID, LocaleIdentifier) -> ExportRecord?

  /// - Parameters:
  ///   - languages: those that may be imported; `nil`: every well-formed one, as Xcode does.
  ///   - exported: what stood in the catalog when the unit was sent. Where it says `nil`, the incoming value wins, as
  ///     in Xcode.
  package init(
    catalogs: [TreePath: Catalog], languages: Set<LocaleIdentifier>? = nil, policy: ImportPolicy = .unattended,
    exported: @escaping @Sendable (UnitID, LocaleIdentifier) -> ExportRecord? = { _, _ in nil }
  ) {
    self.catalogs = catalogs
    self.languages = languages
    self.policy = policy
    self.exported = exported
  }

  private struct GroupID: Hashable {
    var unit: UnitID
    var language: LocaleIdentifier
  }

  package func review(_ files: [ExchangeFile]) -> ReviewedImport {
    var result = ReviewedImport()
    let match = CatalogMatch(catalogs.keys)
    var groups: [GroupID: [(index: Int, unit: ExchangeUnit)]] = [:]
    var order: [GroupID] = []
    for file in files {
      let (catalog, fault) = place(of: file, by: match, into: &result.diagnostics)
      for unit in file.units.map({ fault == nil ? named($0, in: catalog) : $0 }) {
        let id = GroupID(unit: UnitID(catalog: catalog, key: unit.key), language: file.targetLanguage)
        let isKnown = catalogs[catalog]?.entries[unit.key] != nil
        if fault == nil, isKnown {
          if groups[id] == nil { order.append(id) }
          groups[id, default: []].append((result.outcomes.count, unit))
        }
        // Every unit has its place in the order in which it came; a group's verdicts are put in below.
        result.outcomes.append(
          UnitOutcome(
            unit: id.unit, language: file.targetLanguage, path: unit.path,
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
        record: exported(id.unit, id.language), policy: policy)
      let judgement = review.judge(units.map(\.unit))
      for (unit, verdict) in zip(units, judgement.verdicts) { result.outcomes[unit.index].verdict = verdict }
      for (position, warning) in judgement.warnings.sorted(by: { $0.key < $1.key }) {
        let name = ExchangeIdentifier.text(key: id.unit.key, path: units[position].unit.path)
        result.diagnostics.append(
          Diagnostic(
            path: id.unit.catalog.text, severity: .warning, message: "\(id.language): \"\(name)\": \(warning)",
            hint: "it is taken, because the source text takes no argument"))
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
  private func named(_ unit: ExchangeUnit, in catalog: TreePath) -> ExchangeUnit {
    guard let entries = catalogs[catalog]?.entries, entries[unit.key] == nil else { return unit }
    let id = ExchangeIdentifier.text(key: unit.key, path: unit.path)
    for (key, path) in ExchangeIdentifier.readings(of: id) where entries[key] != nil {
      var unit = unit
      (unit.key, unit.path) = (key, path)
      return unit
    }
    return unit
  }

  /// The catalog that a file means, and why none of its units can be taken.
  private func place(
    of file: ExchangeFile, by match: CatalogMatch, into diagnostics: inout [Diagnostic]
  ) -> (TreePath, HoldReason?) {
    let note = { (severity: Diagnostic.Severity, message: String, hint: String?) in
      Diagnostic(path: file.original, severity: severity, message: message, hint: hint)
    }
    let catalog: TreePath
    switch match.find(file.original) {
    case .exact(let path): catalog = path
    case .suffix(let path):
      catalog = path
      diagnostics.append(note(.note, "taken as \(path), the only catalog whose path fits", nil))
    case .ambiguous(let paths):
      let names = paths.map(\.text).joined(separator: ", ")
      diagnostics.append(
        note(.warning, "match catalog: several fit: \(names)", "name the file as it is named in the project"))
      return (CatalogMatch.inTree(file.original), .ambiguousCatalog)
    case .none:
      diagnostics.append(note(.warning, "match catalog: the project has no such catalog", "its units are held"))
      return (CatalogMatch.inTree(file.original), .unknownCatalog)
    }
    let language = file.targetLanguage
    let known = catalogs[catalog]
    // One that is not well formed is known where the project has it (`zh_CN` in catalogs of other tools).
    let isKnown =
      languages?.contains(language) ?? (language.isWellFormed || known?.languages.contains(language) ?? false)
    guard isKnown || language == known?.sourceLanguage else {
      diagnostics.append(
        note(
          .warning, "match language: “\(language)” is none of the project's",
          "add the language, or correct target-language"))
      return (catalog, .unknownLanguage)
    }
    if let source = known?.sourceLanguage, source != file.sourceLanguage {
      diagnostics.append(
        note(.note, "translated from “\(file.sourceLanguage)”, the catalog's source language is “\(source)”", nil))
    }
    return (catalog, nil)
  }
}
