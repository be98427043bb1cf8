import Localization
import Testing
import Workspace

@Suite("Catalogs that match the code")
struct CatalogsInStepTests {
  private func inStep(
    _ entries: [UnitKey: CatalogEntry], uncertain: [UnitKey], api: String = "Card"
  ) -> CatalogsInStep {
    let path: TreePath = "App/Localizable.xcstrings"
    let target = TargetID(rawValue: "App")
    let project = ProjectDescription(
      sourceLanguage: "en",
      catalogs: [ProjectCatalog(path: path, table: "Localizable", sourceLanguage: "en", targets: [target])])
    var extraction = Extraction(sourceLanguage: "en")
    for (index, key) in uncertain.enumerated() {
      extraction.uncertainKeys[path, default: [:]][key] = ExtractionSite(
        path: "App/A.swift", line: index + 1, column: 7, api: api)
    }
    return CatalogsInStep(
      project, committed: [path: Catalog(path: path, sourceLanguage: "en", entries: entries)], broken: [],
      extraction: extraction, isKeptInStep: \.isStringCatalog)
  }

  @Test("keys that code may localize are kept with a note")
  func kept() {
    let one = inStep(["a": CatalogEntry(), "gone": CatalogEntry()], uncertain: ["a"])
    #expect(one.changes["App/Localizable.xcstrings"]?.map(\.key) == ["gone"])
    let reason = "because code may localize"
    #expect(
      one.diagnostics.map(\.withoutHint) == [
        "App/A.swift:1:7: note: \"a\" is kept in App/Localizable.xcstrings, \(reason) it: a declaration that decides this is "
          + "not in the repository"
      ])
    let three = inStep(["a": CatalogEntry(), "b": CatalogEntry(), "c": CatalogEntry()], uncertain: ["b", "a", "c"])
    #expect(three.changes.isEmpty)
    #expect(three.diagnostics.count == 1)
    #expect(
      three.diagnostics[0].message.hasPrefix(
        "\"b\" and 2 more keys are kept in App/Localizable.xcstrings, \(reason) them"))
  }

  @Test("keys that only Release builds contain are kept without a note (R23)")
  func releaseOnly() {
    let step = inStep(["a": CatalogEntry(), "gone": CatalogEntry()], uncertain: ["a"], api: "#else")
    #expect(step.changes["App/Localizable.xcstrings"]?.map(\.key) == ["gone"])
    #expect(step.diagnostics.isEmpty)
  }

  @Test("manual, stale and missing keys get no note")
  func otherKeys() {
    let step = inStep(
      ["a": CatalogEntry(extractionState: .manual), "b": CatalogEntry(extractionState: .stale)],
      uncertain: ["a", "b", "absent"])
    #expect(step.changes.isEmpty && step.diagnostics.isEmpty)
  }
}
