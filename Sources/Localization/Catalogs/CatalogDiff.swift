/// What changed about one text unit between two states, as far as a translator is concerned.
package struct UnitChange: Hashable, Sendable, Codable {
  package enum Kind: Hashable, Sendable, Codable {
    /// New, or to be translated now where it was not before.
    case added
    /// Gone, or no longer to be translated.
    case removed
    /// The source texts by path (`""` is the text itself) before and after; what is different is told by `SourcePin`.
    case sourceChanged(old: [String: String], new: [String: String])
    case commentChanged(old: String?, new: String?)
    case becameStale
    case revived
    /// What the unit says in a language other than the source language; `nil`: no translation.
    case translationChanged(language: LocaleIdentifier, old: Translation?, new: Translation?)
  }

  /// Where the unit is now; for one that was removed, where it was.
  package var unit: UnitID
  package var kind: Kind

  package init(unit: UnitID, kind: Kind) {
    self.unit = unit
    self.kind = kind
  }
}

/// Compares two states of catalogs as far as translators are concerned.
package enum CatalogDiff {
  /// What changed in one catalog, sorted by key; `nil`: there is none. The two may have different paths.
  package static func changes(from old: Catalog?, to new: Catalog?) -> [UnitChange] {
    guard let catalog = new ?? old else { return [] }
    let before = old?.entries ?? [:]
    let after = new?.entries ?? [:]
    // Of a file that cannot be read nothing is known: that is no change.
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

  /// What changed in a tree, sorted by catalog and key.
  /// - Parameter renames: new path → old path. Such a catalog is compared with what it was, so that its units are
  ///   carried over.
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

/// A text unit in one state.
private struct Side {
  let entry: CatalogEntry
  let sourceLanguage: LocaleIdentifier
  let key: UnitKey

  var isStale: Bool { entry.extractionState == .stale }
  var pin: SourcePin { SourcePin(key: key, entry: entry, sourceLanguage: sourceLanguage) }

  /// Texts by path; several phrases are joined by newlines.
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
    // What is not to be translated is, for a translator, not there.
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
