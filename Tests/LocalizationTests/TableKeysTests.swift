import Localization
import Testing

@Test("a key of a .strings that its .stringsdict has, and one that has no source text, are not to be translated")
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
  TableKeys.settle(&catalogs)
  let left = catalogs.mapValues { $0.entries.filter { !$0.value.shouldTranslate }.keys.sorted() }
  #expect(
    left == [
      "App/Base.lproj/T.strings": ["a", "gone"], "App/en.lproj/T.stringsdict": ["gone"],
      "App/en.lproj/U.strings": ["gone"], "Kit/en.lproj/T.strings": ["gone"], "App/T.xcstrings": [],
    ])
}
