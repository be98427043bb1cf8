import CatalogFormats
package import Localization

/// The findings of rules about a project.
package struct Advice: Sendable {
  /// Sorted by path, line and rule.
  package let findings: [AdviceFinding]
  /// The number of findings that comments suppress.
  package let suppressed: Int

  /// - Parameters:
  ///   - snapshot: read for comparison, with the strings of its code.
  ///   - rules: those that a person chose: each of them reports even where it is of little use by default. `nil`: those that are not
  ///     opt-in, with their likely findings.
  ///   - threads: how many source files are reviewed at once.
  ///   - terms: the terms of a glossary from a source language.
  /// - Throws: what the code reviewer throws.
  package init(
    on snapshot: ProjectSnapshot, rules chosen: [AdviceRule]? = nil, threads: Int = 2,
    terms: (LocaleIdentifier) -> TermCheck = { _ in TermCheck() }
  ) throws {
    var subject = AdviceSubject(snapshot, terms: terms)
    // The review only takes units away, so a rule that does not apply before it does not apply after it.
    let kinds = (chosen ?? AdviceRule.byDefault.filter { $0.applies(subject) }).compactMap(\.kind)
    try subject.review(for: Set(kinds), threads: threads)
    let units = Dictionary(
      subject.units.map { (UnitID(catalog: $0.catalog, key: $0.key), $0) }, uniquingKeysWith: { first, _ in first })
    var suppressions = SourceSuppressions(snapshot.tree)
    var places: [TreePath: UnitPlaces] = [:]
    var findings: [AdviceFinding] = []
    var suppressed = 0
    for (rule, remarks) in Self.remarks(on: subject, chosen) {
      for remark in remarks where chosen != nil || remark.isLikely {
        let unit = remark.catalog.flatMap { units[UnitID(catalog: $0, key: remark.key)] }
        if suppressions.suppress(rule.id, remark, of: unit) {
          suppressed += 1
          continue
        }
        let place = Self.place(of: remark, unit, in: snapshot, &places)
        findings.append(
          AdviceFinding(
            rule: rule.id, severity: rule.severity, path: place.path, line: place.line, column: place.column,
            catalog: remark.catalog, key: remark.key, language: remark.language, form: remark.form,
            message: remark.message, hint: remark.hint, fix: remark.fix,
            texts: unit?.digest(in: remark.language) ?? ""))
      }
    }
    // A source of several targets gives the same string to each one's catalog.
    var seen: Set<Diagnostic> = []
    self.findings = findings.sorted(by: AdviceFinding.precedes).filter { seen.insert($0.diagnostic).inserted }
    self.suppressed = suppressed
  }

  /// The findings of each rule. Rules do not depend on each other, so all processors take part.
  private static func remarks(
    on subject: AdviceSubject, _ chosen: [AdviceRule]?
  ) -> [(rule: AdviceRule, remarks: [Remark])] {
    let rules = chosen ?? AdviceRule.byDefault.filter { $0.applies(subject) }
    return SharedWork.map(rules.count, atLeast: 1) { range in
      rules[range].map { (rule: $0, remarks: $0.find(subject)) }
    }.flatMap(\.self)
  }

  private static func place(
    of remark: Remark, _ unit: AdvisedUnit?, in snapshot: ProjectSnapshot, _ places: inout [TreePath: UnitPlaces]
  ) -> (path: TreePath, line: Int?, column: Int?) {
    if case .file(let path, let line, let column) = remark.location { return (path, line, column) }
    guard let path = remark.catalog else { return (TreePath.root, nil, nil) }
    let isInCatalog = snapshot.catalogs[path]?.entries[remark.key] != nil
    var isAboutCode = !isInCatalog
    if case .code = remark.location { isAboutCode = true }
    if isAboutCode, let site = unit?.string?.sites.min() { return (site.path, site.line, site.column) }
    guard let catalog = snapshot.catalogs[path] else { return (path, nil, nil) }
    let known = places[path] ?? UnitPlaces(snapshot.files(of: catalog))
    places[path] = known
    return known.place(of: remark.key, in: remark.language ?? catalog.sourceLanguage, at: remark.form)
  }
}
