import Localization
import StructuredText

/// The keys of the `.strings` tables that targets write to instead of catalogs: like a catalog's, they settle a format specifier that
/// the code leaves open. They are only looked at, never written.
enum StringTableKeys {
  /// - Parameter known: what is read already.
  /// - Returns: the tables that can be read; what is wrong with another is of no matter to strings in code.
  static func read(_ targets: [ProjectTarget], from tree: any SourceTree, beside known: [TreePath: Catalog])
    -> [TreePath: Catalog]
  {
    var found = known
    for path in Set(targets.flatMap(\.catalogs.values)) where path.ending == "strings" && found[path] == nil {
      guard let bytes = try? tree.read(path), case .success(let text) = CSourceBytes.utf8(bytes),
        let list = try? OldStylePropertyList.parse(text, as: .entries)
      else { continue }
      var catalog = Catalog(path: path, sourceLanguage: "en")
      for member in list.members(of: list.root) { catalog.entries[UnitKey(list.text(member.key))] = CatalogEntry() }
      found[path] = catalog
    }
    return found
  }
}
