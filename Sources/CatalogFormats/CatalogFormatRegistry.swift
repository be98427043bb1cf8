package import Localization

/// The formats that Dragoman reads and writes, by file name.
package struct CatalogFormatRegistry: Sendable {
  package let formats: [any CatalogFormat]

  package init(_ formats: [any CatalogFormat]) { self.formats = formats }

  package static let standard = CatalogFormatRegistry([StringCatalogFormat(), StringsFormat(), StringsDictFormat()])

  /// The first format that knows the file's name; `nil` where none does.
  package func format(for path: TreePath) -> (any CatalogFormat)? { formats.first { $0.recognizes(path) } }
}
