package import Localization
internal import StructuredText

/// Apple's string tables with one file per language, `.strings` (xcode-formats.md F).
///
/// All texts in a language's file count as translated, because the format has no states. Comments come from the source language's file. A
/// key that occurs only in other languages' files has no source text. Its comment is from the first of these files.
package struct StringsFormat: CatalogFormat {
  package init() {}

  package var name: String { "strings table" }

  package var isKeptInStep: Bool { false }

  package func recognizes(_ path: TreePath) -> Bool { path.ending == "strings" }

  package func read(_ files: CatalogFiles) throws(InputFault) -> Catalog {
    try Origin.catalog(of: files) { (bytes, path, language, catalog) throws(InputFault) in
      let file = try StringsFile.read(bytes, at: path)
      catalog.warnings += file.warnings.shortened
      for entry in file.effectiveEntries {
        catalog.take(Translation(entry.value), comment: entry.comment, of: entry.key, in: language)
      }
      return file.forEditing
    }
  }

  private typealias Origin = TableOrigin<StringsFile>

  /// Splices the changes of each language into its file. As in Xcode's import, a new file has its entries sorted by key, with the comments of
  /// the source language's file (xcode-formats.md D, F).
  /// - Throws: `InputFault` if a file cannot be read, or with every translation that has variations, which a `.strings` file cannot contain.
  package func write(_ catalog: Catalog, over files: CatalogFiles) throws(InputFault) -> [TreePath: [UInt8]] {
    let origin = try Origin.of(catalog, readFrom: files, orElse: read)
    let asRead = origin?.entries ?? [:]
    return try LanguageFiles.write(
      catalog, over: files, asRead: asRead, unread: origin?.unread ?? [:]
    ) { file, language throws(InputFault) in
      var edits: [UnitKey: StringsEdit] = [:]
      var faults: [Diagnostic] = []
      let isSource = language == files.sourceLanguage
      for key in file.changedKeys {
        let old = asRead[key]
        guard let new = catalog.entries[key], let translation = new.translations[language] else {
          if old?.translations[language] != nil { edits[key] = .remove }
          continue
        }
        guard case .text(let unit) = translation.text, translation.substitutions.isEmpty else {
          faults.append(
            LanguageFiles.refusal(
              key, language, at: file.path,
              "it has several forms, which a .strings file cannot hold; add it to the table's .stringsdict"))
          continue
        }
        if old?.translations[language] == nil {
          edits[key] = .value(unit.value, comment: new.comment)
        } else if isSource, !new.comment.isExactly(old?.comment) {
          edits[key] = .both(value: unit.value, comment: new.comment)
        } else if old?.translations[language] != translation {
          edits[key] = .value(unit.value, comment: new.comment)
        }
      }
      guard faults.isEmpty else { throw InputFault(faults) }
      guard let bytes = file.bytes else {
        let entries = edits.compactMap { key, edit -> (key: UnitKey, value: String, comment: String?)? in
          guard case .value(let value, let comment) = edit else { return nil }
          return (key, value, comment)
        }
        return entries.isEmpty
          ? nil : StringsFile.new(entries.sorted { CatalogOrder.precedes($0.key.text, $1.key.text) })
      }
      if let table = origin?.tables[file.path] { return try table.edited(edits) }
      return try StringsFile.read(bytes, at: file.path).edited(edits)
    }
  }

  /// Returns the source language's file, unchanged (xcode-formats.md C).
  package func sourceCopy(of files: CatalogFiles) throws(InputFault) -> [UInt8] { try files.readSource() }
}
