import CatalogFormats
package import Localization

/// The findings of the rules of `dragoman check` in a project.
package struct Advice: Sendable {
  /// The findings, sorted by path, line, rule, key, language and form.
  package let findings: [AdviceFinding]
  /// The number of findings that comments suppress.
  package let suppressed: Int

  /// Reviews the code of a project and applies the rules to the project.
  /// - Parameters:
  ///   - snapshot: a snapshot that was read for the purpose `comparison`, with the strings of the code.
  ///   - rules: the rules that a person chose. These rules report even in projects where their findings are rarely useful. `nil` selects the rules
  ///     that are not opt-in and that apply to the project. Only the likely findings of these rules are reported.
  ///   - threads: the number of source files that are reviewed at the same time.
  ///   - terms: returns the glossary's terms for a source language.
  /// - Throws: any error of the code reviewer.
  package init(
    on snapshot: ProjectSnapshot, rules chosen: [AdviceRule]? = nil, threads: Int = 2,
    terms: (LocaleIdentifier) -> TermCheck = { _ in TermCheck() }
  ) throws {
    var subject = AdviceSubject(snapshot, terms: terms)
    // The code review that follows only removes units. Therefore a rule that does not apply before the review does not apply after it either.
    let kinds = (chosen ?? AdviceRule.byDefault.filter { $0.applies(subject) }).compactMap(\.kind)
    try subject.review(for: Set(kinds), threads: threads)
    let units = Dictionary(
      subject.units.map { (UnitID(catalog: $0.catalog, key: $0.key), $0) }, uniquingKeysWith: { first, _ in first })
    var suppressions = SourceSuppressions(snapshot.tree)
    var found: [(rule: AdviceRule, remark: Remark, unit: AdvisedUnit?)] = []
    var suppressed = 0
    for (rule, remarks) in Self.remarks(on: subject, chosen) {
      for remark in remarks where chosen != nil || remark.isLikely {
        let unit = remark.catalog.flatMap { units[UnitID(catalog: $0, key: remark.key)] }
        if suppressions.suppress(rule.id, remark, of: unit) {
          suppressed += 1
        } else {
          found.append((rule, remark, unit))
        }
      }
    }
    let places = RemarkPlace.all(of: found.map { ($0.remark, $0.unit) }, in: snapshot)
    let findings = zip(found, places).map { found, place in
      let (rule, remark, unit) = found
      return AdviceFinding(
        rule: rule.id, severity: rule.severity, path: place.path, line: place.line, column: place.column,
        catalog: remark.catalog, key: remark.key, language: remark.language, form: remark.form,
        message: remark.message, hint: remark.hint, fix: remark.fix,
        texts: unit?.digest(in: remark.language) ?? "")
    }
    // The findings about a source file of several targets can be equal, because its strings are in the catalog of each target.
    var seen: Set<Diagnostic> = []
    self.findings = findings.sorted(by: AdviceFinding.precedes).filter { seen.insert($0.diagnostic).inserted }
    self.suppressed = suppressed
  }

  /// Returns the findings of each rule. Rules are independent of each other, so they run on all processors.
  private static func remarks(
    on subject: AdviceSubject, _ chosen: [AdviceRule]?
  ) -> [(rule: AdviceRule, remarks: [Remark])] {
    let rules = chosen ?? AdviceRule.byDefault.filter { $0.applies(subject) }
    return SharedWork.map(rules.count, atLeast: 1) { range in
      rules[range].map { (rule: $0, remarks: $0.find(subject)) }
    }.flatMap(\.self)
  }
}

/// The location at which a remark is reported.
private struct RemarkPlace {
  var path: TreePath
  var line: Int?
  var column: Int?

  private enum Kind {
    case known(RemarkPlace)
    case inCatalog(TreePath, LocaleIdentifier)
  }

  /// Returns the location of each remark, in the same order. Each catalog file is read only once.
  static func all(of remarks: [(remark: Remark, unit: AdvisedUnit?)], in snapshot: ProjectSnapshot) -> [RemarkPlace] {
    let kinds = remarks.map { kind(of: $0.remark, $0.unit, in: snapshot) }
    var languages: [TreePath: Set<LocaleIdentifier>] = [:]
    for case .inCatalog(let path, let language) in kinds { languages[path, default: []].insert(language) }
    var catalogs: [TreePath: UnitPlaces] = [:]
    for (path, languages) in languages {
      guard let catalog = snapshot.catalogs[path] else { continue }
      let places = UnitPlaces(snapshot.files(of: catalog))
      places.read(languages)
      catalogs[path] = places
    }
    return zip(kinds, remarks).map { kind, remark in
      switch kind {
      case .known(let place): return place
      case .inCatalog(let path, let language):
        guard let found = catalogs[path]?.place(of: remark.remark.key, in: language, at: remark.remark.form) else {
          return RemarkPlace(path: path)
        }
        return RemarkPlace(path: found.path, line: found.line, column: found.column)
      }
    }
  }

  private static func kind(of remark: Remark, _ unit: AdvisedUnit?, in snapshot: ProjectSnapshot) -> Kind {
    if case .file(let path, let line, let column) = remark.location {
      return .known(RemarkPlace(path: path, line: line, column: column))
    }
    guard let path = remark.catalog else { return .known(RemarkPlace(path: .root)) }
    var isAboutCode = snapshot.catalogs[path]?.entries[remark.key] == nil
    if case .code = remark.location { isAboutCode = true }
    if isAboutCode, let site = unit?.string?.sites.min() {
      return .known(RemarkPlace(path: site.path, line: site.line, column: site.column))
    }
    guard let catalog = snapshot.catalogs[path] else { return .known(RemarkPlace(path: path)) }
    return .inCatalog(path, remark.language ?? catalog.sourceLanguage)
  }
}
