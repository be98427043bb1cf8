internal import Localization

/// The files from which a catalog with one file per language was read, and their content. A changed catalog can then be written to the same
/// files without reading them again.
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

  /// Returns the catalog's origin if the catalog was read from these files; otherwise reads the files again. Comparing the files is fast,
  /// because arrays that share storage compare equal at once.
  static func of(
    _ catalog: Catalog, readFrom files: CatalogFiles, orElse read: (CatalogFiles) throws(InputFault) -> Catalog
  ) throws(InputFault) -> TableOrigin? {
    if let origin = catalog.origin as? TableOrigin, origin.files == files { return origin }
    return try read(files).origin as? TableOrigin
  }
}
