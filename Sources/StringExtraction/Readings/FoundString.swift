import Localization

/// A string that a reader of a non-Swift source found at one site.
struct FoundString: Hashable, Sendable {
  var table: String
  /// The catalog of the table, if the site determines it; otherwise `nil` for the target's catalog of that table.
  var catalog: TreePath?
  var key: String
  var value: String?
  var comment: String?
  var origin: StringOrigin
  var site: ExtractionSite

  init(
    table: String, catalog: TreePath? = nil, key: String, value: String? = nil, comment: String? = nil,
    origin: StringOrigin, site: ExtractionSite
  ) {
    self.table = table
    self.catalog = catalog
    self.key = key
    self.value = value
    self.comment = comment
    self.origin = origin
    self.site = site
  }
}
