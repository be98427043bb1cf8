import CatalogFormats
import Localization
import Pipeline

/// The proof that a commit changes no byte that no returned unit accounts for, as `CatalogFormats` makes it.
struct CatalogAudit: EditAudit {
  func unexplainedChanges(
    from old: [UInt8], to new: [UInt8], at path: TreePath, translations: Set<TranslationID>
  ) -> [Diagnostic] {
    do {
      return try ChangeAudit.unexplainedChanges(
        from: old, to: new, at: path,
        explaining: { translations.contains(TranslationID(key: $0, language: $1)) })
    } catch {
      return error.diagnostics
    }
  }
}
