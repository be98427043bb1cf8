package import Localization
internal import StructuredText

/// The positions of a catalog's text units in its files. Reads a file when it is first asked for.
package final class UnitPlaces {
  private let files: CatalogFiles
  private lazy var catalog = files.sourceBytes.flatMap { bytes in
    (try? CatalogTree(bytes, at: files.path, duplicates: .allowed)).map(CatalogPlaces.init)
  }
  private var tables: [TreePath: [UnitKey: TextPosition]] = [:]

  package init(_ files: CatalogFiles) { self.files = files }

  /// Returns the file that holds a form in a language, and its position there: of the form, else of its nearest parent, up to the entry.
  /// Line and column are `nil` if the file does not have the key.
  package func place(
    of key: UnitKey, in language: LocaleIdentifier, at path: VariationPath = .root
  ) -> (path: TreePath, line: Int?, column: Int?) {
    guard !files.path.isStringCatalog else {
      let position = catalog?.position(of: key, in: language, at: path)
      return (files.path, position?.line, position?.column)
    }
    let file = files.path(for: language)
    let position = positions(in: file)[key]
    return (file, position?.line, position?.column)
  }

  private func positions(in file: TreePath) -> [UnitKey: TextPosition] {
    if let known = tables[file] { return known }
    var found: [UnitKey: TextPosition] = [:]
    if let bytes = files.bytes[file] {
      switch file.catalogKind {
      case .strings:
        for entry in (try? StringsFile.read(bytes, at: file))?.entries ?? [] { found[entry.key] = entry.position }
      case .stringsDict:
        for entry in (try? StringsDictFile.read(bytes, at: file))?.entries ?? [] { found[entry.key] = entry.position }
      case .stringCatalog, .interface, nil: break
      }
    }
    tables[file] = found
    return found
  }
}
