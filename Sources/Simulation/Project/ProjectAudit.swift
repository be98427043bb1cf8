import CatalogFormats
package import Localization
package import Pipeline

/// The audit of String Catalogs, as the daemon composes it.
package struct SimulatedAudit: EditAudit {
  package init() {}

  package func unexplainedChanges(
    of old: CatalogFiles, to new: CatalogFiles, translations: Set<TranslationID>
  ) -> [Diagnostic] {
    do {
      return try ChangeAudit.unexplainedChanges(
        from: old.readSource(), to: new.readSource(), at: old.path,
        explaining: { translations.contains(TranslationID(key: $0, language: $1)) })
    } catch {
      return error.diagnostics
    }
  }
}
