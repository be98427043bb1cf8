import Localization
import TestSupport
import Testing

@Suite("Differences of catalogs")
struct CatalogDiffTests {
  private func kinds(_ old: CatalogEntry?, _ new: CatalogEntry?) -> [UnitChange.Kind] {
    CatalogDiff.changes(
      from: catalog(old.map { ["key": $0] } ?? [:]), to: catalog(new.map { ["key": $0] } ?? [:])
    ).map(\.kind)
  }

  @Test("two equal catalogs have no differences")
  func equal() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<50 {
      let state = RandomCatalog.catalog(using: &generator)
      #expect(CatalogDiff.changes(from: state, to: state).isEmpty)
    }
  }

  @Test("units that are marked as not translatable count as removed, like deleted units")
  func presence() {
    #expect(kinds(nil, CatalogEntry()) == [.added])
    #expect(kinds(CatalogEntry(), nil) == [.removed])
    #expect(kinds(CatalogEntry(), CatalogEntry(shouldTranslate: false)) == [.removed])
    #expect(kinds(CatalogEntry(shouldTranslate: false), CatalogEntry()) == [.added])
    #expect(kinds(nil, CatalogEntry(shouldTranslate: false)) == [])
  }

  @Test("a new source text is reported with old and new forms; numbering its placeholders is not reported")
  func source() {
    let old = CatalogEntry(translations: ["en": Translation("%@ of %lld")])
    #expect(
      kinds(old, CatalogEntry(translations: ["en": plurals(["one": "a", "other": "b"])]))
        == [.sourceChanged(old: ["": "%@ of %lld"], new: ["plural.one": "a", "plural.other": "b"])])
    #expect(kinds(old, CatalogEntry(translations: ["en": Translation("%1$@ of %2$lld", state: .new)])) == [])
    #expect(kinds(CatalogEntry(), CatalogEntry(translations: ["en": Translation("key")])) == [])
  }

  @Test("changes of comments, staleness and translations are reported")
  func rest() {
    #expect(kinds(CatalogEntry(comment: "a"), CatalogEntry()) == [.commentChanged(old: "a", new: nil)])
    #expect(kinds(CatalogEntry(), CatalogEntry(extractionState: .stale)) == [.becameStale])
    #expect(kinds(CatalogEntry(extractionState: .stale), CatalogEntry(extractionState: .manual)) == [.revived])
    #expect(
      kinds(CatalogEntry(), CatalogEntry(translations: ["de": Translation("x")]))
        == [.translationChanged(language: "de", old: nil, new: Translation("x"))])
    #expect(
      kinds(
        CatalogEntry(shouldTranslate: false, translations: ["de": Translation("x")]),
        CatalogEntry(shouldTranslate: false))
        == [.translationChanged(language: "de", old: Translation("x"), new: nil)])
  }

  @Test("units of a renamed catalog are unchanged; if the rename is unknown, they are removed and added")
  func renames() {
    let old = catalog(["a": CatalogEntry(), "b": CatalogEntry()], path: "Old.xcstrings")
    let new = catalog(["a": CatalogEntry(), "c": CatalogEntry()], path: "New.xcstrings")
    let change = { (path: TreePath, key: UnitKey, kind: UnitChange.Kind) in
      UnitChange(unit: UnitID(catalog: path, key: key), kind: kind)
    }
    let trees = (["Old.xcstrings": old], ["New.xcstrings": new]) as ([TreePath: Catalog], [TreePath: Catalog])
    #expect(
      CatalogDiff.changes(from: trees.0, to: trees.1, renames: ["New.xcstrings": "Old.xcstrings"])
        == [change("New.xcstrings", "b", .removed), change("New.xcstrings", "c", .added)])
    #expect(
      CatalogDiff.changes(from: trees.0, to: trees.1) == [
        change("New.xcstrings", "a", .added), change("New.xcstrings", "c", .added),
        change("Old.xcstrings", "a", .removed),
        change("Old.xcstrings", "b", .removed),
      ])
    #expect(CatalogDiff.changes(from: nil, to: nil).isEmpty)
    #expect(CatalogDiff.changes(from: nil, to: new).map(\.kind) == [.added, .added])
    #expect(CatalogDiff.changes(from: old, to: nil).map(\.kind) == [.removed, .removed])
  }
}
