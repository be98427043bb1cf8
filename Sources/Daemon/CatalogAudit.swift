import CatalogFormats
import Localization
import Pipeline

/// The proof that a commit changes no byte that no returned unit accounts for, as `CatalogFormats` makes it.
struct CatalogAudit: EditAudit {
  func unexplainedChanges(
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
