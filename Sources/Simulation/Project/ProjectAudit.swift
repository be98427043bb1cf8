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
        from: old, to: new,
        explaining: { translations.contains(TranslationID(key: $0, language: $1)) })
    } catch {
      return error.diagnostics
    }
  }
}

/// The merge of String Catalogs, as the daemon composes it.
package struct SimulatedMerger: CatalogMerger {
  package init() {}

  package func merge(
    base: [UInt8]?, ours: [UInt8], theirs: [UInt8], at path: TreePath
  ) throws(InputFault) -> MergedCatalog {
    let merged = try MergeDriver.merge(MergeVersions(base: base ?? [], ours: ours, theirs: theirs), at: path)
    return MergedCatalog(bytes: merged.bytes, conflicts: merged.conflicts.map(\.conflict))
  }
}
