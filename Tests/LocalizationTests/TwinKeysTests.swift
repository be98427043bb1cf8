import Localization
import Testing

@Test("a key that is in the .stringsdict of its table is not to be translated in the .strings")
func twinKeys() {
  func catalog(_ path: TreePath) -> (TreePath, Catalog) {
    (path, Catalog(path: path, sourceLanguage: "en", entries: ["a": CatalogEntry(), "b": CatalogEntry()]))
  }
  var catalogs = Dictionary(uniqueKeysWithValues: [
    catalog("App/Base.lproj/T.strings"), catalog("App/en.lproj/T.stringsdict"), catalog("App/en.lproj/U.strings"),
    catalog("Kit/en.lproj/T.strings"),
  ])
  catalogs["App/en.lproj/T.stringsdict"]?.entries["b"] = nil
  let before = catalogs
  TwinKeys.settle(&catalogs)
  #expect(catalogs["App/Base.lproj/T.strings"]?.entries["a"]?.shouldTranslate == false)
  #expect(catalogs["App/Base.lproj/T.strings"]?.entries["b"]?.shouldTranslate == true)
  catalogs["App/Base.lproj/T.strings"] = before["App/Base.lproj/T.strings"]
  #expect(catalogs == before)
}
