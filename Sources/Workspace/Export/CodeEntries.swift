package import Localization

/// The entries that an export adds to tables in `.strings` files because only code has their keys.
///
/// No build writes these entries into the table. Like Xcode, an import writes each of their translations only into the file of its language. The
/// source language's file remains unchanged (xcode-formats.md D).
package struct CodeEntries: Sendable {
  private let entries: [TreePath: [UnitKey: CatalogEntry]]

  /// Reads the code of a tree.
  /// - Parameter known: the project's existing catalogs.
  package init(
    of tree: any SourceTree, with tools: ProjectTools, _ options: ExtractionOptions, beside known: [TreePath: Catalog]
  ) throws {
    var options = options
    options.isForExport = true
    var snapshot = try ProjectSnapshot(tree, for: .exchange, with: tools, isForExport: true)
    try snapshot.extract(options)
    // The diagnostics are dropped, because the snapshot of the import already reports the project's faults.
    _ = snapshot.addKeysFromCode()
    var entries: [TreePath: [UnitKey: CatalogEntry]] = [:]
    for (path, catalog) in known where Self.holds(path) {
      entries[path] = snapshot.catalogs[path]?.entries.filter { catalog.entries[$0.key] == nil }
    }
    self.entries = entries
  }

  /// Returns whether a review held units of a `.strings` table because the table does not have their keys.
  package static func areNeeded(after review: ReviewedImport) -> Bool {
    review.outcomes.contains { $0.holdReason == .unknownKey && holds($0.unit.catalog) }
  }

  private static func holds(_ path: TreePath) -> Bool { path.catalogKind == .strings }

  package func added(to catalogs: [TreePath: Catalog]) -> [TreePath: Catalog] {
    var catalogs = catalogs
    for (path, entries) in entries { catalogs[path]?.entries.merge(entries) { own, _ in own } }
    return catalogs
  }

  /// Returns the catalog that an import may write: without the added entries that got no translation, and without the source texts of the other added
  /// entries.
  package func removed(from catalog: Catalog) -> Catalog {
    guard let entries = entries[catalog.path] else { return catalog }
    var catalog = catalog
    let source = catalog.sourceLanguage
    for key in entries.keys {
      catalog.entries[key]?.translations[source] = nil
      if catalog.entries[key]?.translations.isEmpty == true { catalog.entries[key] = nil }
    }
    return catalog
  }
}
