import Localization

/// A merge of branches as people make it: conflicts in catalogs are resolved entry by entry.
package enum PersonMerge {
  /// Merges two trees.
  /// - Returns: the merged files. If both sides changed the same translation, `ours` wins.
  package static func merge(base: FileTree, ours: FileTree, theirs: FileTree) -> FileTree {
    var resolved: [TreePath: [UInt8]?] = [:]
    while true {
      switch TreeMerge.merge(base: base, ours: ours, theirs: theirs, resolving: resolved) {
      case .merged(let tree): return tree
      case .conflicts(let paths):
        for path in paths { resolved[path] = resolve(path, base, ours, theirs) }
      }
    }
  }

  private static func resolve(
    _ path: TreePath, _ base: FileTree, _ ours: FileTree, _ theirs: FileTree
  ) -> [UInt8]? {
    guard path.isStringCatalog, var merged = ours.catalog(at: path), let other = theirs.catalog(at: path) else {
      // For files other than catalogs, and for catalogs that one side removed, the existing file is taken, preferably ours.
      return ours[path] ?? theirs[path]
    }
    let old = base.catalog(at: path) ?? Catalog(path: path, sourceLanguage: "en")
    for key in Set(other.entries.keys).union(old.entries.keys).sorted() {
      merged.entries[key] = entry(
        old.entries[key], merged.entries[key], other.entries[key], sourceLanguage: merged.sourceLanguage)
    }
    var tree = ours
    tree.write(merged)
    return tree[path]
  }

  private static func entry(
    _ old: CatalogEntry?, _ ours: CatalogEntry?, _ theirs: CatalogEntry?, sourceLanguage: LocaleIdentifier
  ) -> CatalogEntry? {
    if ours == theirs || theirs == old { return ours }
    if ours == old { return theirs }
    guard var merged = ours, let theirs else { return ours ?? theirs }
    // The source text and the extraction state must come from one side. If they came from different sides, a source text from the code could become a
    // source text that is set in the catalog.
    let source = merged.translations[sourceLanguage]
    let isSourceOld = source == old?.translations[sourceLanguage] && merged.extractionState == old?.extractionState
    if isSourceOld {
      merged.translations[sourceLanguage] = theirs.translations[sourceLanguage]
      merged.extractionState = theirs.extractionState
    }
    let languages = Set(theirs.translations.keys).union(old?.translations.keys ?? [])
    for language in languages.subtracting([sourceLanguage]) {
      let before = old?.translations[language]
      let change = theirs.translations[language]
      if change != before, merged.translations[language] == before { merged.translations[language] = change }
    }
    return merged
  }
}
