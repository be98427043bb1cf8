/// Decides about every unit that comes back, on the side of losing nothing (formats.md D).
package struct ImportReview: Sendable {
  private let catalogs: [TreePath: Catalog]
  private let languages: Set<LocaleIdentifier>?
  private let exported: @Sendable (UnitID, LocaleIdentifier) -> ExportRecord?

  /// - Parameters:
  ///   - languages: those that may be imported; `nil`: every well-formed one, as Xcode does.
  ///   - exported: what stood in the catalog when the unit was sent. Where it says `nil`, the incoming value wins, as in Xcode.
  package init(
    catalogs: [TreePath: Catalog], languages: Set<LocaleIdentifier>? = nil,
    exported: @escaping @Sendable (UnitID, LocaleIdentifier) -> ExportRecord? = { _, _ in nil }
  ) {
    self.catalogs = catalogs
    self.languages = languages
    self.exported = exported
  }

  package func review(_ files: [ExchangeFile]) -> ReviewedImport { ReviewedImport() }
}
