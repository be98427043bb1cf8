/// Which keys of tables with a file a language are to be translated.
package enum TableKeys {
  /// Marks those that are not, so that they are neither counted nor sent: a key of a `.strings` table that its `.stringsdict` has too, and a
  /// key that only a translation's file has, which Xcode does not export. Nothing of that is ever written: these formats have no place for it.
  package static func settle(_ catalogs: inout [TreePath: Catalog]) {
    markTwins(&catalogs)
    for (path, catalog) in catalogs where path.ending != "xcstrings" {
      for (key, entry) in catalog.entries
      where entry.shouldTranslate && entry.translations[catalog.sourceLanguage] == nil {
        catalogs[path]?.entries[key]?.shouldTranslate = false
      }
    }
  }

  /// Marks the keys of `.strings` tables that the `.stringsdict` of the same table has too, where the latter wins at run time
  /// (xcode-formats.md B3, F): they are not to be translated there. The `.stringsdict`, which has no comments of its own, gets theirs, as
  /// in exports of Xcode 15. The folders of the two source files may differ: `Base.lproj/T.strings`, `en.lproj/T.stringsdict`.
  package static func markTwins(_ catalogs: inout [TreePath: Catalog]) {
    var tables: [TreePath: TreePath] = [:]
    for path in catalogs.keys.sorted() where path.ending == "strings" { tables[path.withoutLanguage] = path }
    for path in catalogs.keys.sorted() where path.ending == "stringsdict" {
      guard let twin = tables[path.withoutLanguage], let rules = catalogs[path], let strings = catalogs[twin] else {
        continue
      }
      for (key, rule) in rules.entries {
        guard let entry = strings.entries[key] else { continue }
        if entry.shouldTranslate { catalogs[twin]?.entries[key]?.shouldTranslate = false }
        if rule.comment == nil, entry.comment != nil { catalogs[path]?.entries[key]?.comment = entry.comment }
      }
    }
  }
}
