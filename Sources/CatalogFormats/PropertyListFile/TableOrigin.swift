internal import Localization

/// The files of a catalog with one file per language, and their parsed content. They allow a changed catalog to be written to the same files without
/// reading the files again.
final class TableOrigin<Table: Sendable>: CatalogOrigin {
  let files: CatalogFiles
  /// The parsed content of each existing file.
  let tables: [TreePath: Table]
  let entries: [UnitKey: CatalogEntry]
  let unread: [LocaleIdentifier: InputFault]

  private init(files: CatalogFiles, tables: [TreePath: Table], read: Catalog) {
    self.files = files
    self.tables = tables
    entries = read.entries
    unread = read.unread
  }

  /// Reads all files of a catalog.
  /// - Parameter read: parses a file and adds its content to the catalog.
  static func catalog(
    of files: CatalogFiles,
    reading read: (_ bytes: [UInt8], _ path: TreePath, LocaleIdentifier, inout Catalog) throws(InputFault) -> Table
  ) throws(InputFault) -> Catalog {
    var catalog = Catalog(path: files.path, sourceLanguage: files.sourceLanguage)
    var tables: [TreePath: Table] = [:]
    catalog.unread = try LanguageFiles.each(of: files) { file, language throws(InputFault) in
      tables[file.path] = try read(file.bytes, file.path, language, &catalog)
    }
    catalog.countLanguages()
    catalog.origin = TableOrigin(files: files, tables: tables, read: catalog)
    return catalog
  }

  /// Returns the catalog's origin if the catalog was read from these files; otherwise reads the files again. The comparison of the files is
  /// fast, because arrays that share storage are equal without a comparison of their elements.
  static func of(
    _ catalog: Catalog, readFrom files: CatalogFiles, orElse read: (CatalogFiles) throws(InputFault) -> Catalog
  ) throws(InputFault) -> TableOrigin? {
    if let origin = catalog.origin as? TableOrigin, origin.files == files { return origin }
    return try read(files).origin as? TableOrigin
  }
}
