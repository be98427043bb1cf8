import Localization
import Testing

@Test("keys of a .strings table that its .stringsdict also has, and keys without a source text, are not translatable")
func tableKeys() {
  func catalog(_ path: TreePath, _ keys: [UnitKey] = ["a", "b"]) -> (TreePath, Catalog) {
    var catalog = Catalog(path: path, sourceLanguage: "en")
    for key in keys { catalog.entries[key] = CatalogEntry(translations: ["en": Translation("x")]) }
    catalog.entries["gone"] = CatalogEntry(translations: ["de": Translation("x")])
    return (path, catalog)
  }
  var catalogs = Dictionary(uniqueKeysWithValues: [
    catalog("App/Base.lproj/T.strings"), catalog("App/en.lproj/T.stringsdict", ["a"]),
    catalog("App/en.lproj/U.strings"), catalog("Kit/en.lproj/T.strings"), catalog("App/T.xcstrings"),
  ])
  TableKeys.markUntranslated(&catalogs)
  let left = catalogs.mapValues { $0.entries.filter { !$0.value.shouldTranslate }.keys.sorted() }
  #expect(
    left == [
      "App/Base.lproj/T.strings": ["a", "gone"], "App/en.lproj/T.stringsdict": ["gone"],
      "App/en.lproj/U.strings": ["gone"], "Kit/en.lproj/T.strings": ["gone"], "App/T.xcstrings": [],
    ])
}

@Test(
  "a .stringsdict gets comments from the .strings of the same table and marks its keys, even in another language folder"
)
func twins() {
  let strings: TreePath = "App/Base.lproj/T.strings"
  let rules: TreePath = "App/en.lproj/T.stringsdict"
  let other: TreePath = "App/Sub/en.lproj/T.strings"
  var catalogs = [
    strings: Catalog(
      path: strings, sourceLanguage: "en", entries: ["n": CatalogEntry(comment: "c"), "m": CatalogEntry(comment: "d")]),
    rules: Catalog(
      path: rules, sourceLanguage: "en",
      entries: ["n": CatalogEntry(), "own": CatalogEntry(), "m": CatalogEntry(comment: "x")]),
    other: Catalog(path: other, sourceLanguage: "en", entries: ["n": CatalogEntry()]),
  ]
  TableKeys.markTwins(&catalogs)
  #expect(catalogs[rules]?.entries.mapValues(\.comment) == ["n": "c", "own": nil, "m": "x"])
  #expect(catalogs[strings]?.entries.values.allSatisfy { !$0.shouldTranslate } == true)
  #expect(catalogs[rules]?.entries.values.allSatisfy(\.shouldTranslate) == true)
  #expect(catalogs[other]?.entries.values.allSatisfy(\.shouldTranslate) == true)
}
