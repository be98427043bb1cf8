package import Localization

/// The comparison of a tree with an older tree.
extension ProjectSnapshot {
  /// Compares the project with an older tree, and keeps only the strings that are new, have a different source text, or are less complete
  /// now. A catalog that replaces no older catalog counts as completely new. A string that was stale or not to be translated before counts as new.
  /// - Parameter languages: the languages in which translations are compared.
  package mutating func restrict(toChangesSince old: ProjectSnapshot, in languages: [LocaleIdentifier]) {
    for (path, catalog) in catalogs {
      let before = old.predecessors(of: path, in: self).map { former in
        (catalog: former, lost: LostTranslations(from: former, to: catalog, in: languages))
      }
      guard !before.isEmpty else { continue }
      catalogs[path]?.entries = catalog.entries.filter { key, entry in
        guard let (former, lost) = before.first(where: { $0.catalog.entries[key] != nil }),
          let earlier = former.entries[key], earlier.isCounted || !entry.isCounted
        else { return true }
        if SourcePin(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage)
          != SourcePin(key: key, entry: earlier, sourceLanguage: former.sourceLanguage)
        {
          return true
        }
        return entry.isCounted && !lost.languages(of: key, from: earlier, to: entry).isEmpty
      }
    }
  }

  /// Returns the languages in which some string is translated in the older tree but no longer in this tree.
  package func languagesLost(since old: ProjectSnapshot) -> Set<LocaleIdentifier> {
    let languages = old.project.targets(among: old.project.languages).sorted()
    var found: Set<LocaleIdentifier> = []
    for (path, catalog) in catalogs {
      for former in old.predecessors(of: path, in: self) {
        let lost = LostTranslations(from: former, to: catalog, in: languages)
        for (key, entry) in catalog.entries where entry.isCounted {
          guard let earlier = former.entries[key], earlier.isCounted else { continue }
          found.formUnion(lost.languages(of: key, from: earlier, to: entry))
        }
      }
    }
    return found
  }

  /// Returns the catalogs of an older tree that a catalog replaces: the catalog at the same path, or the removed catalogs of the same table and
  /// target.
  private func predecessors(of path: TreePath, in new: ProjectSnapshot) -> [Catalog] {
    if let same = catalogs[path] { return [same] }
    guard let own = new.project.catalogs.first(where: { $0.path == path }), !own.targets.isEmpty else { return [] }
    return project.catalogs.filter { former in
      former.table == own.table && new.catalogs[former.path] == nil
        && !Set(former.targets).isDisjoint(with: own.targets)
    }.compactMap { catalogs[$0.path] }
  }
}

/// A comparison of a catalog's translations with its former translations, or with those of a catalog that it replaced.
private struct LostTranslations {
  private let former: Catalog
  private let present: Catalog
  private let languages: [LocaleIdentifier]
  private let states: CompletionStates

  init(from former: Catalog, to present: Catalog, in languages: [LocaleIdentifier]) {
    self.former = former
    self.present = present
    self.languages = languages.filter { $0 != former.sourceLanguage && $0 != present.sourceLanguage }
    states = CompletionStates(of: self.languages, machineTranslatedCounts: false)
  }

  /// Returns the languages in which a string was translated before and is not translated now.
  func languages(of key: UnitKey, from earlier: CatalogEntry, to entry: CatalogEntry) -> [LocaleIdentifier] {
    let (then, now) = (states.of(key, earlier, of: former), states.of(key, entry, of: present))
    return languages.indices.filter { then[$0] == .translated && now[$0] != .translated }.map { languages[$0] }
  }
}
