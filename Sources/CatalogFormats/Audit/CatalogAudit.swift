package import Localization

/// Checks that an edit of a catalog changes only bytes that belong to returned units. The `version` of a String Catalog may increase too.
package struct CatalogAudit: EditAudit {
  package init() {}

  package func unexplainedChanges(
    of old: CatalogFiles, to new: CatalogFiles, translations: Set<TranslationID>
  ) -> [Diagnostic] {
    do {
      guard old.path.isStringCatalog else { return try changesOfFiles(of: old, to: new, translations) }
      return try ChangeAudit.unexplainedChanges(
        from: old, to: new,
        explaining: { translations.contains(TranslationID(key: $0, language: $1)) })
    } catch {
      return error.diagnostics
    }
  }

  /// Returns the unexplained changes of a catalog with one file for each language. Only the `.strings` and `.stringsdict` files of target languages
  /// may change, and in them only keys that were returned in the file's language.
  private func changesOfFiles(
    of old: CatalogFiles, to new: CatalogFiles, _ translations: Set<TranslationID>
  ) throws(InputFault) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (path, bytes) in new.bytes.sorted(by: { $0.key < $1.key }) where bytes != old.bytes[path] {
      guard path != new.path, let language = new.language(of: path),
        path.ending == "strings" || path.ending == "stringsdict"
      else {
        found.append(
          Diagnostic(
            path: path.text, severity: .error, message: "this file changed, although no returned unit changes it"))
        continue
      }
      found += try TableAudit.unexplainedChanges(
        from: old.bytes[path], to: bytes, at: path,
        explaining: { translations.contains(TranslationID(key: $0, language: language)) })
    }
    let removed = old.bytes.keys.filter { new.bytes[$0] == nil }.sorted()
    return found
      + removed.map {
        Diagnostic(
          path: $0.text, severity: .error, message: "this file was removed, although no returned unit removes it")
      }
  }
}
