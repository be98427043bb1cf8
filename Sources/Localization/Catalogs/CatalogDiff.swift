/// A change of one text unit that matters to translators.
package struct UnitChange: Hashable, Sendable, Codable {
  package enum Kind: Hashable, Sendable, Codable {
    /// The unit is new, or has become translatable.
    case added
    /// The unit was removed, or is no longer translatable.
    case removed
    /// The source texts by path before and after (`""` is the path of the text itself). `SourcePin` decides whether they differ.
    case sourceChanged(old: [String: String], new: [String: String])
    case commentChanged(old: String?, new: String?)
    case becameStale
    case revived
    /// The translation into a target language before and after; `nil` for no translation.
    case translationChanged(language: LocaleIdentifier, old: Translation?, new: Translation?)
  }

  /// The unit's id. It has the catalog's current path, or the former path if the catalog was removed.
  package var unit: UnitID
  package var kind: Kind

  package init(unit: UnitID, kind: Kind) {
    self.unit = unit
    self.kind = kind
  }
}

/// Compares two states of catalogs and finds the changes that matter to translators.
package enum CatalogDiff {
  /// Returns the changes of one catalog, sorted by key. `nil` means that the catalog does not exist. The paths may differ.
  package static func changes(from old: Catalog?, to new: Catalog?) -> [UnitChange] {
    guard let catalog = new ?? old else { return [] }
    let before = old?.entries ?? [:]
    let after = new?.entries ?? [:]
    // The content of a file that cannot be read is unknown, so the file counts as unchanged.
    let unread = Set((old?.unread ?? [:]).keys).union((new?.unread ?? [:]).keys)
    let isSameLanguage = old?.sourceLanguage == new?.sourceLanguage
    let keys = Set(before.keys).union(after.keys).filter { !isSameLanguage || before[$0] != after[$0] }
    return keys.sorted().flatMap { key in
      Comparison(
        old: before[key].map {
          Side(entry: $0, sourceLanguage: old?.sourceLanguage ?? catalog.sourceLanguage, key: key)
        },
        new: after[key].map { Side(entry: $0, sourceLanguage: catalog.sourceLanguage, key: key) }, unread: unread
      ).kinds.map { UnitChange(unit: UnitID(catalog: catalog.path, key: key), kind: $0) }
    }
  }

  /// Returns the changes of all catalogs of a tree, sorted by catalog and key.
  /// - Parameter renames: new path → old path. A renamed catalog is compared with the catalog at the old path, so its units are not
  ///   reported as new.
  package static func changes(
    from old: [TreePath: Catalog], to new: [TreePath: Catalog], renames: [TreePath: TreePath] = [:]
  ) -> [UnitChange] {
    var pairs: [(path: TreePath, old: Catalog?, new: Catalog?)] = []
    var carried: Set<TreePath> = []
    for (path, catalog) in new {
      if let origin = renames[path], let before = old[origin], new[origin] == nil {
        carried.insert(origin)
        pairs.append((path, before, catalog))
      } else {
        pairs.append((path, old[path], catalog))
      }
    }
    for (path, catalog) in old where new[path] == nil && !carried.contains(path) { pairs.append((path, catalog, nil)) }
    return pairs.sorted { $0.path < $1.path }.flatMap { changes(from: $0.old, to: $0.new) }
  }
}

/// A text unit in one of the two compared catalogs.
private struct Side {
  let entry: CatalogEntry
  let sourceLanguage: LocaleIdentifier
  let key: UnitKey

  var isStale: Bool { entry.extractionState == .stale }
  var pin: SourcePin { SourcePin(key: key, entry: entry, sourceLanguage: sourceLanguage) }

  /// The source texts by path. The phrases of a string set are joined by newlines.
  var texts: [String: String] {
    let source = SourceForms(key: key, entry: entry, sourceLanguage: sourceLanguage).translation
    return Dictionary(
      source.leaves.map { ($0.path.text, $0.leaf.texts.joined(separator: "\n")) },
      uniquingKeysWith: { first, _ in first })
  }
}

private struct Comparison {
  let old: Side?
  let new: Side?
  let unread: Set<LocaleIdentifier>

  var kinds: [UnitChange.Kind] {
    // A unit that is not translatable counts as absent, except for changes of its translations.
    let before = old.flatMap { $0.entry.shouldTranslate ? $0 : nil }
    let after = new.flatMap { $0.entry.shouldTranslate ? $0 : nil }
    guard let after else { return (before == nil ? [] : [.removed]) + (new.map { translations(in: $0) } ?? []) }
    guard let before else { return [.added] + (old == nil ? [] : translations(in: after)) }
    var kinds: [UnitChange.Kind] = []
    if before.isStale != after.isStale { kinds.append(after.isStale ? .becameStale : .revived) }
    if before.pin != after.pin { kinds.append(.sourceChanged(old: before.texts, new: after.texts)) }
    if !before.entry.comment.isExactly(after.entry.comment) {
      kinds.append(.commentChanged(old: before.entry.comment, new: after.entry.comment))
    }
    return kinds + translations(in: after)
  }

  private func translations(in side: Side) -> [UnitChange.Kind] {
    guard let old, let new else { return [] }
    let languages = Set(old.entry.translations.keys).union(new.entry.translations.keys)
      .subtracting(unread.union([side.sourceLanguage]))
    return languages.sorted().compactMap { language in
      let (before, after) = (old.entry.translations[language], new.entry.translations[language])
      return before == after ? nil : .translationChanged(language: language, old: before, new: after)
    }
  }
}
