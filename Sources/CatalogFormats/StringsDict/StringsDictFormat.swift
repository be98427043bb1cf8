package import Localization
internal import StructuredText

/// Apple's tables of plural and device forms with one file per language, `.stringsdict` (xcode-formats.md F).
///
/// All texts in a language's file count as translated. Values that `Translation` cannot represent, such as width rules, are not read as
/// entries. Their bytes are kept, and `StringsDictFile` lists them.
package struct StringsDictFormat: CatalogFormat {
  package init() {}

  package var name: String { "stringsdict" }

  package var isKeptInStep: Bool { false }

  package func recognizes(_ path: TreePath) -> Bool { path.ending == "stringsdict" }

  package func read(_ files: CatalogFiles) throws(InputFault) -> Catalog {
    try Origin.catalog(of: files) { (bytes, path, language, catalog) throws(InputFault) in
      let file = try StringsDictFile.read(bytes, at: path)
      catalog.warnings += file.warnings.shortened
      for entry in file.entries {
        catalog.take(entry.translation, comment: entry.comment, of: entry.key, in: language)
      }
      return file
    }
  }

  private typealias Origin = TableOrigin<StringsDictFile>

  /// Splices the changes of each language into its file. A new file is XML with tabs and sorted keys, as from Xcode and plutil. Comments are
  /// not written, because Apple's tools do not read comments in property lists.
  /// - Throws: `InputFault` if a file cannot be read, or with every translation that the format cannot contain.
  package func write(_ catalog: Catalog, over files: CatalogFiles) throws(InputFault) -> [TreePath: [UInt8]] {
    let origin = try Origin.of(catalog, readFrom: files, orElse: read)
    let asRead = origin?.entries ?? [:]
    return try LanguageFiles.write(
      catalog, over: files, asRead: asRead, unread: origin?.unread ?? [:]
    ) { file, language throws(InputFault) in
      var changes: [UnitKey: Translation?] = [:]
      for key in file.changedKeys {
        let old = asRead[key]?.translations[language]
        let new = catalog.entries[key]?.translations[language]
        if old != new { changes[key] = .some(new) }
      }
      guard let bytes = file.bytes else {
        let new = changes.compactMapValues { $0 }
        return new.isEmpty ? nil : try StringsDictFile.new(new, at: file.path)
      }
      if let table = origin?.tables[file.path] { return try table.edited(changes) }
      return try StringsDictFile.read(bytes, at: file.path).edited(changes)
    }
  }

  /// Returns the source language's file, unchanged (xcode-formats.md C).
  package func sourceCopy(of files: CatalogFiles) throws(InputFault) -> [UInt8] { try files.readSource() }
}
