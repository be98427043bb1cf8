package import Localization
internal import StructuredText

/// Finds the positions of a catalog's text units in its files. Each file is read on first use.
package final class UnitPlaces {
  private let files: CatalogFiles
  private lazy var catalog = files.sourceBytes.flatMap { bytes in
    (try? CatalogTree(bytes, at: files.path, duplicates: .allowed)).map(CatalogPlaces.init)
  }
  private var tables: [TreePath: [UnitKey: TextPosition]] = [:]

  package init(_ files: CatalogFiles) { self.files = files }

  /// Returns the file for a form in a language, and a position in the file. In a String Catalog, this is the position of the form or, if the form is
  /// missing, of its nearest existing parent, up to the entry. In a `.strings` or `.stringsdict` file, it is the position of the key. Line and column
  /// are `nil` if the file does not have the key, cannot be read, or is an interface file.
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

  /// Reads the files of these languages in parallel, in preparation for many lookups.
  package func read(_ languages: Set<LocaleIdentifier>) {
    guard !files.path.isStringCatalog else { return }
    let wanted = Set(languages.map { files.path(for: $0) }).sorted().map { (path: $0, bytes: files.bytes[$0]) }
    let read = SharedWork.map(wanted.count, atLeast: 1) { range in
      wanted[range].map { ($0.path, Self.positions(in: $0.path, $0.bytes)) }
    }
    tables.merge(read.flatMap(\.self)) { known, _ in known }
  }

  private func positions(in file: TreePath) -> [UnitKey: TextPosition] {
    if let known = tables[file] { return known }
    let found = Self.positions(in: file, files.bytes[file])
    tables[file] = found
    return found
  }

  private static func positions(in file: TreePath, _ bytes: [UInt8]?) -> [UnitKey: TextPosition] {
    guard let bytes else { return [:] }
    var found: [UnitKey: TextPosition] = [:]
    switch file.catalogKind {
    case .strings:
      for entry in (try? StringsFile.read(bytes, at: file))?.entries ?? [] { found[entry.key] = entry.position }
    case .stringsDict:
      for entry in (try? StringsDictFile.read(bytes, at: file))?.entries ?? [] { found[entry.key] = entry.position }
    case .stringCatalog, .interface, nil: break
    }
    return found
  }
}
