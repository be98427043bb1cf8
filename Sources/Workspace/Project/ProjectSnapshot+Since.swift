package import Localization

/// What a tree has that an older tree has not.
extension ProjectSnapshot {
  /// Keeps only the strings that are new, have a different source text than in an older tree, or are less complete than there. A catalog
  /// that is in no catalog's place counts as completely new, and so does a string that did not count: one that was stale, or not to be
  /// translated.
  /// - Parameter languages: those in which a string may be less complete.
  package mutating func restrict(toChangesSince old: ProjectSnapshot, in languages: [LocaleIdentifier]) {
    for (path, catalog) in catalogs {
      let before = old.predecessors(of: path, in: self)
      guard !before.isEmpty else { continue }
      catalogs[path]?.entries = catalog.entries.filter { key, entry in
        guard let former = before.first(where: { $0.entries[key] != nil }), let earlier = former.entries[key],
          earlier.isCounted || !entry.isCounted
        else { return true }
        if SourcePin(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage)
          != SourcePin(key: key, entry: earlier, sourceLanguage: former.sourceLanguage)
        {
          return true
        }
        return entry.isCounted
          && !Self.lost(key, from: earlier, of: former, to: entry, of: catalog, in: languages).isEmpty
      }
    }
  }

  /// The languages in which some string is translated in an older tree and is no longer.
  package func languagesLost(since old: ProjectSnapshot) -> Set<LocaleIdentifier> {
    let languages = old.project.targets(among: old.project.languages).sorted()
    var lost: Set<LocaleIdentifier> = []
    for (path, catalog) in catalogs {
      for before in old.predecessors(of: path, in: self) {
        for (key, entry) in catalog.entries where entry.isCounted {
          guard let earlier = before.entries[key], earlier.isCounted else { continue }
          lost.formUnion(Self.lost(key, from: earlier, of: before, to: entry, of: catalog, in: languages))
        }
      }
    }
    return lost
  }

  /// The catalogs of an older tree in whose place a catalog is: the one at its path, or those of the same table and target that are gone.
  private func predecessors(of path: TreePath, in new: ProjectSnapshot) -> [Catalog] {
    if let same = catalogs[path] { return [same] }
    guard let own = new.project.catalogs.first(where: { $0.path == path }), !own.targets.isEmpty else { return [] }
    return project.catalogs.filter { former in
      former.table == own.table && new.catalogs[former.path] == nil
        && !Set(former.targets).isDisjoint(with: own.targets)
    }.compactMap { catalogs[$0.path] }
  }

  private static func lost(
    _ key: UnitKey, from earlier: CatalogEntry, of before: Catalog, to entry: CatalogEntry, of catalog: Catalog,
    in languages: [LocaleIdentifier]
  ) -> [LocaleIdentifier] {
    let languages = languages.filter { $0 != before.sourceLanguage && $0 != catalog.sourceLanguage }
    let states = CompletionStates(of: languages, machineTranslatedCounts: false)
    let (then, now) = (states.of(key, earlier, of: before), states.of(key, entry, of: catalog))
    return languages.indices.filter { then[$0] == .translated && now[$0] != .translated }.map { languages[$0] }
  }
}
