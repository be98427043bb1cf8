import Localization

/// Computes the new files of changed catalogs, and rejects unexplained changes.
struct CatalogEdits {
  let formats: @Sendable (TreePath) -> (any CatalogFormat)?
  let audit: any EditAudit

  struct Result {
    /// The changed and new files, by catalog.
    var written: [TreePath: [TreePath: [UInt8]]] = [:]
    /// The catalogs that were left unchanged, because they could not be written or their changes were rejected.
    var refused: [TreePath: [Diagnostic]] = [:]

    var edits: TreeEdits {
      var edits = TreeEdits()
      for (path, bytes) in written.values.joined() { edits.write(bytes, to: path) }
      return edits
    }
  }

  /// A changed catalog and its current files.
  struct Change {
    var old: Catalog?
    /// The current files; without bytes if the catalog is new.
    var files: CatalogFiles
    var new: Catalog
    /// The returned translations. All other changes must come from sync.
    var translations: Set<TranslationID>
  }

  func edits(_ changes: [TreePath: Change]) -> Result {
    var result = Result()
    for (path, change) in changes.sorted(by: { $0.key < $1.key }) {
      guard let format = formats(path) else {
        result.refused[path] = [fault(path, "Dragoman cannot write this file format")]
        continue
      }
      do {
        result.written[path] = try write(change, as: format)
      } catch {
        result.refused[path] = error.diagnostics
      }
    }
    return result
  }

  /// Writes a changed catalog in two steps. First the changes of sync are written, and verified by reading the file back. Then the
  /// translations are written. If the catalog has a source file, every byte that they change is verified. Tables with one file for each
  /// language are also read back.
  /// - Returns: the changed and new files.
  private func write(_ change: Change, as format: any CatalogFormat) throws(InputFault) -> [TreePath: [UInt8]] {
    let middle = withoutTranslations(change)
    var files = change.files
    var written: [TreePath: [UInt8]] = [:]
    if middle != change.old {
      written = try format.write(middle, over: files)
      files = files.applying(written, languages: middle.languages)
      let readBack = try format.read(files)
      files.origin = readBack.origin
      guard readBack.entries == middle.entries else {
        throw InputFault(
          fault(
            files.path,
            "reading back the new file gave different content, so nothing was changed. Please report this as a bug"))
      }
    }
    guard middle != change.new else { return written }
    let translated = try format.write(change.new, over: files)
    if files.sourceBytes != nil {
      let findings = audit.unexplainedChanges(
        of: files, to: files.applying(translated, languages: change.new.languages), translations: change.translations)
      guard findings.isEmpty else { throw InputFault(findings) }
    }
    if !format.isKeptInStep {
      // For tables with one file per language, this is the only check of the values.
      let readBack = try format.read(files.applying(translated, languages: change.new.languages))
      guard Self.hasSameTexts(readBack, change.new) else {
        throw InputFault(
          fault(
            files.path,
            "reading back the new file gave different texts, so nothing was changed. Please report this as a bug"))
      }
    }
    return written.merging(translated) { _, new in new }
  }

  /// Returns whether two catalogs have the same texts. States are ignored, because most formats cannot store them.
  private static func hasSameTexts(_ a: Catalog, _ b: Catalog) -> Bool {
    func texts(_ catalog: Catalog) -> [UnitKey: [LocaleIdentifier: [VariationPath: ExchangeText]]] {
      catalog.entries.mapValues { entry in
        entry.translations.byLanguage.mapValues { translation in
          Dictionary(translation.leaves.map { ($0.path, $0.leaf.words) }, uniquingKeysWith: { first, _ in first })
        }
      }
    }
    return texts(a) == texts(b)
  }

  /// Returns the new catalog with the returned translations reset to their old values. Entries that were added only for these translations
  /// are removed.
  private func withoutTranslations(_ change: Change) -> Catalog {
    guard let old = change.old else {
      return change.translations.isEmpty
        ? change.new : Catalog(path: change.new.path, sourceLanguage: change.new.sourceLanguage)
    }
    var middle = change.new
    for translation in change.translations {
      if let entry = old.entries[translation.key] {
        middle.entries[translation.key]?.translations[translation.language] = entry.translations[translation.language]
      } else {
        middle.entries[translation.key] = nil
      }
    }
    return middle
  }

  private func fault(_ path: TreePath, _ message: String) -> Diagnostic {
    Diagnostic(path: path.text, severity: .error, message: message)
  }
}
