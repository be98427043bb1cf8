import Localization
import StructuredText

/// A reader of the keys of `.strings` tables that targets use instead of catalogs. Like a catalog's keys, these keys determine a format specifier
/// that the code alone does not determine. A sync never changes these tables.
enum StringTableKeys {
  /// - Parameter known: the catalogs that have already been read.
  /// - Returns: the known catalogs, and the tables that can be read. Other tables are omitted without a report, because they do not affect strings in
  ///   code.
  static func read(_ targets: [ProjectTarget], from tree: any SourceTree, beside known: [TreePath: Catalog])
    -> [TreePath: Catalog]
  {
    var found = known
    for path in Set(targets.flatMap(\.catalogs.values)) where path.ending == "strings" && found[path] == nil {
      guard let bytes = try? tree.read(path), case .success(let text) = CSourceBytes.utf8(bytes),
        let list = try? OldStylePropertyList.parse(text, as: .entries)
      else { continue }
      var catalog = Catalog(path: path, sourceLanguage: "en")
      // Set all entries at once, because each change of `entries` takes time.
      catalog.entries = list.members(of: list.root).reduce(into: [:]) { entries, member in
        entries[UnitKey(list.text(member.key))] = CatalogEntry()
      }
      found[path] = catalog
    }
    return found
  }
}
