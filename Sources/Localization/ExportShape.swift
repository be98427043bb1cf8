/// Which units a catalog gives to a translator of a language: what Xcode exports (formats.md B2.1-8).
package enum ExportShape {
  /// - Parameter keys: only these; `nil`: all.
  /// - Returns: the units by key and path; the order of an XLIFF file is the format's affair.
  package static func units(
    of catalog: Catalog, for language: LocaleIdentifier, keys: Set<UnitKey>? = nil
  ) -> [ExchangeUnit] { [] }
}
