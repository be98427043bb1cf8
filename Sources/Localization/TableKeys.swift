/// Which keys of tables with a file a language are to be translated.
package enum TableKeys {
  /// Marks those that are not, so that they are neither counted nor sent: a key of a `.strings` table that its `.stringsdict` has too, where
  /// the latter wins at run time (formats.md B3, F), and a key that only a translation's file has, which Xcode does not export. Nothing of
  /// that is ever written: these formats have no place for it.
  package static func settle(_ catalogs: inout [TreePath: Catalog]) {
    var rules: [TreePath: [TreePath]] = [:]
    for path in catalogs.keys where path.ending == "stringsdict" {
      rules[path.withoutLanguage, default: []].append(path)
    }
    for (path, catalog) in catalogs where path.ending != "xcstrings" {
      let twins = path.ending == "strings" ? rules[path.withoutLanguage] ?? [] : []
      let inRules = Set(twins.compactMap { catalogs[$0]?.entries.keys }.joined())
      for (key, entry) in catalog.entries
      where entry.shouldTranslate
        && (entry.translations[catalog.sourceLanguage] == nil || inRules.contains(key))
      {
        catalogs[path]?.entries[key]?.shouldTranslate = false
      }
    }
  }
}
