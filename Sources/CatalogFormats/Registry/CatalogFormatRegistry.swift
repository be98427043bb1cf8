package import Localization

/// The formats of catalogs that Dragoman reads and writes. The name of a file determines its format.
package struct CatalogFormatRegistry: Sendable {
  package let formats: [any CatalogFormat]

  package init(_ formats: [any CatalogFormat]) { self.formats = formats }

  /// The formats that this module can read without a reader for interface files.
  package static let standard = CatalogFormatRegistry([StringCatalogFormat(), StringsFormat(), StringsDictFormat()])

  /// Returns a registry with the same formats and the format of interface files.
  /// - Parameter reader: finds the texts in interface files, which this module cannot parse.
  package func reading(interfacesWith reader: any SourceTextReader) -> CatalogFormatRegistry {
    CatalogFormatRegistry(formats + [InterfaceFormat(reader: reader)])
  }

  /// Returns the first format that recognizes the file name; `nil` if no format recognizes it.
  package func format(for path: TreePath) -> (any CatalogFormat)? { formats.first { $0.recognizes(path) } }
}
