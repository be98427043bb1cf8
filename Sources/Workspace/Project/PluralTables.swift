import Localization

/// The `.stringsdict` files of a project by their tables. At run time, their keys need no entry in a `.strings` file or a String Catalog.
struct PluralTables: Sendable {
  private struct Table: Hashable {
    var target: TargetID
    var name: String
  }

  /// The `.stringsdict` files, by path without language and extension.
  private var byPlace: [TreePath: [Catalog]] = [:]
  private var byTable: [Table: [Catalog]] = [:]

  init(_ project: ProjectDescription, _ catalogs: [TreePath: Catalog]) {
    for known in project.catalogs where known.path.catalogKind == .stringsDict {
      guard let catalog = catalogs[known.path] else { continue }
      byPlace[known.path.withoutLanguage, default: []].append(catalog)
      for target in known.targets { byTable[Table(target: target, name: known.table), default: []].append(catalog) }
    }
  }

  /// Returns whether the source language's `.stringsdict` file of a string's table has the string's key.
  func hold(_ string: ExtractedString) -> Bool {
    guard !byPlace.isEmpty else { return false }
    let ofTargets = string.targets.lazy.flatMap { byTable[Table(target: $0, name: string.table)] ?? [] }
    return hold(string.key, in: string.catalog)
      || ofTargets.contains { Self.holds(string.key, $0) }
  }

  /// Returns whether the source language's `.stringsdict` file next to a `.strings` file has a key.
  func hold(_ key: UnitKey, in catalog: TreePath) -> Bool {
    byPlace[catalog.withoutLanguage]?.contains { Self.holds(key, $0) } ?? false
  }

  private static func holds(_ key: UnitKey, _ catalog: Catalog) -> Bool {
    catalog.entries[key]?.translations[catalog.sourceLanguage] != nil
  }
}
