import CatalogFormats
import Localization

/// The findings of rules about a project.
package struct Advice: Sendable {
  /// Sorted by path, line and rule.
  package let findings: [AdviceFinding]
  /// The number of findings that comments suppress.
  package let suppressed: Int

  /// - Parameter snapshot: read for comparison, with the strings of its code.
  package init(on snapshot: ProjectSnapshot, rules: [AdviceRule] = AdviceRule.all) {
    let subject = AdviceSubject(snapshot)
    let units = Dictionary(
      subject.units.map { (UnitID(catalog: $0.catalog, key: $0.key), $0) }, uniquingKeysWith: { first, _ in first })
    var suppressions = SourceSuppressions(snapshot.tree)
    var places: [TreePath: UnitPlaces] = [:]
    var findings: [AdviceFinding] = []
    var suppressed = 0
    for rule in rules {
      for remark in rule.find(subject) {
        let unit = units[UnitID(catalog: remark.catalog, key: remark.key)]
        if suppressions.suppress(rule.id, remark, of: unit) {
          suppressed += 1
          continue
        }
        let place = Self.place(of: remark, unit, in: snapshot, &places)
        findings.append(
          AdviceFinding(
            rule: rule.id, severity: rule.severity, path: place.path, line: place.line, column: place.column,
            catalog: remark.catalog, key: remark.key, language: remark.language, form: remark.form,
            message: remark.message, hint: remark.hint))
      }
    }
    // A source of several targets gives the same string to each one's catalog.
    var seen: Set<Diagnostic> = []
    self.findings = findings.sorted(by: AdviceFinding.precedes).filter { seen.insert($0.diagnostic).inserted }
    self.suppressed = suppressed
  }

  private static func place(
    of remark: Remark, _ unit: AdvisedUnit?, in snapshot: ProjectSnapshot, _ places: inout [TreePath: UnitPlaces]
  ) -> (path: TreePath, line: Int?, column: Int?) {
    if case .file(let path, let line) = remark.location { return (path, line, nil) }
    let isInCatalog = snapshot.catalogs[remark.catalog]?.entries[remark.key] != nil
    var isAboutCode = !isInCatalog
    if case .code = remark.location { isAboutCode = true }
    if isAboutCode, let site = unit?.string?.sites.min() { return (site.path, site.line, site.column) }
    guard let catalog = snapshot.catalogs[remark.catalog] else { return (remark.catalog, nil, nil) }
    let known = places[remark.catalog] ?? UnitPlaces(snapshot.files(of: catalog))
    places[remark.catalog] = known
    return known.place(of: remark.key, in: remark.language ?? catalog.sourceLanguage, at: remark.form)
  }
}
