package import Localization

/// The catalogs that a vendor takes: those whose path matches one of the patterns and whose table has one of the names.
package struct CatalogScope: Hashable, Sendable {
  /// The patterns of paths; empty for any path.
  package var catalogs: [PathPattern]
  /// The names of tables without a file extension, such as `Localizable`; empty for any name.
  package var tables: [String]

  package init(catalogs: [PathPattern] = [], tables: [String] = []) {
    self.catalogs = catalogs
    self.tables = tables
  }

  package var isEverything: Bool { catalogs.isEmpty && tables.isEmpty }

  package func covers(_ catalog: TreePath) -> Bool {
    (catalogs.isEmpty || catalogs.contains { $0.covers(catalog) }) && (tables.isEmpty || tables.contains(catalog.stem))
  }

  /// The scope as a list of texts. Equal scopes have equal lists.
  var parts: [String] { isEverything ? [] : ["catalogs"] + catalogs.map(\.description) + ["tables"] + tables }
}
