import Localization

/// Puts changed catalogs over their files, and refuses what nothing accounts for.
struct CatalogEdits {
  let formats: @Sendable (TreePath) -> (any CatalogFormat)?
  let audit: any EditAudit

  struct Result {
    var edits = TreeEdits()
    /// Catalogs that were left as they are, because they could not be written or the audit refused.
    var refused: [TreePath: [Diagnostic]] = [:]
  }

  /// A catalog as it should be over the file as it is.
  struct Change {
    var old: Catalog?
    var bytes: [UInt8]?
    var new: Catalog
    /// What came for it. Other changes must come from sync.
    var translations: Set<TranslationID>
  }

  func edits(_ changes: [TreePath: Change]) -> Result {
    var result = Result()
    for (path, change) in changes.sorted(by: { $0.key < $1.key }) {
      guard let format = formats(path) else {
        result.refused[path] = [fault(path, "no format writes this file")]
        continue
      }
      do {
        let written = try write(change, as: format, at: path)
        if written != change.bytes { result.edits.write(written, to: path) }
      } catch {
        result.refused[path] = error.diagnostics
      }
    }
    return result
  }

  /// Writes in two steps: what sync changes, proved by reading it back, then the translations, proved byte by byte.
  private func write(_ change: Change, as format: any CatalogFormat, at path: TreePath) throws(InputFault) -> [UInt8] {
    let middle = withoutTranslations(change)
    var bytes = change.bytes
    if middle != change.old {
      let written = try format.write(middle, over: bytes)
      let readBack = try format.read(written, at: path)
      guard readBack.entries == middle.entries else {
        throw InputFault(fault(path, "the file as it was written does not read back as it should; nothing was changed"))
      }
      bytes = written
    }
    guard middle != change.new else { return bytes ?? [] }
    let written = try format.write(change.new, over: bytes)
    guard let bytes else { return written }
    let findings = audit.unexplainedChanges(from: bytes, to: written, at: path, translations: change.translations)
    guard findings.isEmpty else { throw InputFault(findings) }
    return written
  }

  /// The new catalog with the translations that came put back to what they were. An entry that is there only for them is left out.
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
