import Localization

/// Finds new translations that belonged to another source text in one of the commits since a branch was last compared. This happens if a
/// commit added the translation and a later commit changed the source text, or if the translation was added on another branch for the
/// former source text. It also happens if the source text changed, and later the key or the catalog's path changed.
///
/// Only the committed catalogs are read, not the code. The search is best effort: beyond its limits, or if a commit cannot be read, a
/// translation counts as made for the current source text.
struct FormerSources {
  let renames: [TreePath: TreePath]
  var limits = HistoryLimits()
  let context: PipelineContext

  /// The units that have a translation in one version of its catalog.
  private struct Standing {
    /// The source text of each unit that has the translation, by key. In addition to the changed unit, only units that the head does not
    /// have are included, because their keys may have been changed.
    var beside: [UnitKey: PinDigest] = [:]
    /// Whether the language's file cannot be read.
    var isUnread: Bool

    init(of change: ChangedTranslation, in catalog: Catalog) {
      let key = change.unit.key
      isUnread = catalog.unread[change.language] != nil
      if catalog.entries[key]?.translations[change.language] == change.translation {
        beside[key] = catalog.pin(of: key)
      }
    }

    /// Returns the key that the unit `key` of the later version had in this version: the key of the only unit with the same source text
    /// that the later version lacks; `nil` if there is no such unit.
    func key(before key: UnitKey, beside pin: PinDigest, goneIn later: Standing) -> UnitKey? {
      let candidates = beside.filter { $0.value == pin && later.beside[$0.key] == nil }
      return candidates.count == 1 ? candidates.first?.key : nil
    }

    /// Returns the standing of each change in a version of the catalog.
    /// - Parameters:
    ///   - new: the indexes of the changes of new units, by translation.
    ///   - head: the catalog that has the changes.
    static func all(
      of changes: [ChangedTranslation], _ new: [Words: Int], in catalog: Catalog, head: Catalog?
    ) -> [Standing] {
      var all = changes.map { Standing(of: $0, in: catalog) }
      guard let head, !new.isEmpty else { return all }
      for (key, entry) in catalog.entries where head.entries[key] == nil {
        for (language, translation) in entry.translations {
          guard let index = new[Words(language: language, translation: translation.digest)] else { continue }
          all[index].beside[key] = catalog.pin(of: key)
        }
      }
      return all
    }
  }

  /// A translation, regardless of its unit.
  struct Words: Hashable {
    var language: LocaleIdentifier
    var translation: String
  }

  /// Returns the values by translation. Translations that several units have are left out, because it is unknown which of these units had
  /// another key.
  static func byWords<Value>(
    _ changes: some Sequence<(change: ChangedTranslation, value: Value)>
  ) -> [Words: Value] {
    Dictionary(grouping: changes) { Words(language: $0.change.language, translation: $0.change.translation.digest) }
      .compactMapValues { $0.count == 1 ? $0[0].value : nil }
  }

  /// A unit in one version of its catalog.
  private struct Place: Hashable {
    var version: Int
    var key: UnitKey
  }

  private typealias Versions = CatalogVersions<[Standing]>

  /// Finds such translations in one comparison.
  /// - Parameter snapshot: the snapshot of the compared head.
  /// - Returns: the translations, each with the source text for which it was made.
  func found(
    in comparison: HeadComparison, of snapshot: Snapshot
  ) async throws -> [(change: ChangedTranslation, source: PinDigest)] {
    var changes = comparison.translations.filter { $0.former != $0.translation }
    guard !changes.isEmpty || !comparison.inNewCatalogs.isEmpty else { return [] }
    let range = try await context.mirror.history(
      of: snapshot.commit.id, excluding: comparison.former.commit.id, limit: limits.commits)
    // If there is only one commit, it changed the translation and the source text together.
    guard range.count > 1 else { return [] }
    // A translation that was added or changed while its source text stayed the same belongs to this text, unless a merge may have brought
    // the translation from a branch with a former source text.
    if range.allSatisfy({ $0.parents.count < 2 }) { changes.removeAll { $0.formerPin == $0.pin } }
    var found = try await renamed(in: comparison, of: snapshot, range)
    let renames = renames.merging(comparison.renamedCatalogs) { known, _ in known }
    for (path, changes) in Dictionary(grouping: changes, by: \.unit.catalog).sorted(by: { $0.key < $1.key }) {
      try Task.checkCancellation()
      found += try await search(changes, at: path, renames, snapshot, range)
    }
    return found
  }

  /// Finds such translations in the versions of one catalog.
  /// - Parameters:
  ///   - changes: the changes in the catalog.
  ///   - renames: the former names of catalogs.
  ///   - range: the commits since the last comparison, newest first.
  private func search(
    _ changes: [ChangedTranslation], at path: TreePath, _ renames: [TreePath: TreePath], _ snapshot: Snapshot,
    _ range: [CommitInfo]
  ) async throws -> [(ChangedTranslation, PinDigest)] {
    let new = Self.byWords(changes.enumerated().map { ($1, $0) }.filter { $0.change.formerPin == nil })
    let versions = Versions(
      of: path, in: snapshot, Set(changes.map(\.language)), renames, limit: limits.readings, context
    ) { catalog in Standing.all(of: changes, new, in: catalog, head: snapshot.committed[path]) }
    guard var versions, case .read(let head) = try await versions.version(at: snapshot.commit.id) else { return [] }
    // By version: for each commit with this version, the versions that the commit's parents have.
    var parents: [Int: Set<[Versions.Version]>] = [:]
    for info in range {
      guard case .read(let version) = try await versions.version(at: info.id) else { continue }
      var before: [Versions.Version] = []
      for parent in info.parents { before.append(try await versions.version(at: parent)) }
      if before != [.read(version)] { parents[version, default: []].insert(before) }
    }
    return changes.indices.compactMap { index in
      let place = Place(version: head, key: changes[index].unit.key)
      let source = Self.source(from: place, parents) { versions.contents[$0][index] }
      return source.map { (changes[index], $0) }
    }
  }

  /// Walks back from a version along all parents that have the translation with the same source text, even if the unit had another key.
  /// - Returns: the source text to which the translation belonged before; `nil` if a commit added the translation with the current source
  ///   text, or if no other source text is found.
  private static func source(
    from head: Place, _ parents: [Int: Set<[Versions.Version]>], _ standing: (Int) -> Standing
  ) -> PinDigest? {
    guard let present = standing(head.version).beside[head.key] else { return nil }
    var found: PinDigest?
    var open = [head]
    var met: Set<Place> = [head]
    while let place = open.popLast() {
      for before in parents[place.version] ?? [] {
        var isNew = true
        for parent in before where parent != .absent {
          guard case .read(let number) = parent else {
            isNew = false
            continue
          }
          let former = standing(number)
          if former.isUnread {
            isNew = false
          } else if let pin = former.beside[place.key], pin != present {
            found = found ?? pin
            isNew = false
          } else if let key = former.beside[place.key].map({ _ in place.key })
            ?? former.key(before: place.key, beside: present, goneIn: standing(place.version))
          {
            let place = Place(version: number, key: key)
            if met.insert(place).inserted { open.append(place) }
            isNew = false
          }
        }
        if isNew { return nil }
      }
    }
    return found
  }
}
