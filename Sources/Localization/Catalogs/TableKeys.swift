/// Decides which keys of tables with one file for each language are translated.
package enum TableKeys {
  /// Marks the keys that are not translated, so that they are neither counted nor sent. These are the keys of a `.strings` table that are also in the
  /// table's `.stringsdict`, and keys that are only in a target language's file, because Xcode does not export them. The marks are never written,
  /// because these formats cannot store them. Entries of the `.stringsdict` get comments as in `markTwins`.
  package static func markUntranslated(_ catalogs: inout [TreePath: Catalog]) {
    markTwins(&catalogs)
    for (path, catalog) in catalogs where !path.holdsAllLanguages {
      for (key, entry) in catalog.entries
      where entry.shouldTranslate && entry.translations[catalog.sourceLanguage] == nil {
        catalogs[path]?.entries[key]?.shouldTranslate = false
      }
    }
  }

  /// Marks the keys of `.strings` tables that are also in the `.stringsdict` of the same table. The `.stringsdict` wins at run time
  /// (xcode-formats.md B3, F), so these keys are not translated in the `.strings`. A `.stringsdict` has no comments, so its entries get the
  /// comments of the `.strings`, as in exports of Xcode 15. The two source files may be in different folders: `Base.lproj/T.strings`,
  /// `en.lproj/T.stringsdict`.
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
