/// Keys that are in the `.strings` and in the `.stringsdict` of one table: at run time the latter wins (formats.md F), so only there they
/// are to be translated.
package enum TwinKeys {
  /// Marks such keys of `.strings` catalogs as not to be translated, as Xcode does when it exports (formats.md B3). Nothing of that is ever
  /// written: the format has no place for it.
  package static func settle(_ catalogs: inout [TreePath: Catalog]) {
    var rules: [TreePath: [TreePath]] = [:]
    for path in catalogs.keys where path.ending == "stringsdict" { rules[place(of: path), default: []].append(path) }
    guard !rules.isEmpty else { return }
    for path in catalogs.keys.filter({ $0.ending == "strings" }) {
      for twin in rules[place(of: path)] ?? [] {
        for key in catalogs[twin]?.entries.keys.sorted() ?? [] { catalogs[path]?.entries[key]?.shouldTranslate = false }
      }
    }
  }

  /// The table without its language: `App/Localizable` for `App/en.lproj/Localizable.strings`.
  private static func place(of path: TreePath) -> TreePath {
    (path.parent.ending == "lproj" ? path.parent.parent : path.parent).appending(path.stem)
  }
}
