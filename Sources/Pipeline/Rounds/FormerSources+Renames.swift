import Localization

extension FormerSources {
  /// A new unit, and a unit that was removed after the last comparison and had the same translation for another source text.
  private struct Rename {
    let change: ChangedTranslation
    let formerKey: UnitKey
    let formerPin: PinDigest

    /// Returns whether, in this version of the catalog, the former unit has the translation and the source text of the new unit.
    func stood(in catalog: Catalog) -> Bool {
      catalog.entries[formerKey]?.translations[change.language] == change.translation
        && catalog.pin(of: formerKey) == change.pin
    }
  }

  /// Finds units whose source text was changed by one commit and whose key was changed by a later commit, while the translation stayed the
  /// same.
  /// - Parameter range: the commits since the last comparison.
  func renamed(
    in comparison: HeadComparison, of snapshot: Snapshot, _ range: [CommitInfo]
  ) async throws -> [(change: ChangedTranslation, source: PinDigest)] {
    var found: [(change: ChangedTranslation, source: PinDigest)] = []
    for (path, renames) in Self.renames(in: comparison, of: snapshot).sorted(by: { $0.key < $1.key }) {
      try Task.checkCancellation()
      let versions = CatalogVersions(
        of: path, in: comparison.former, Set(renames.map(\.change.language)), self.renames, limit: limits.readings,
        context
      ) { catalog in renames.map { $0.stood(in: catalog) } }
      guard var versions else { continue }
      var stood: Set<Int> = []
      for info in range {
        guard case .read(let version) = try await versions.version(at: info.id) else { continue }
        stood.formUnion(renames.indices.filter { versions.contents[version][$0] })
      }
      found += stood.sorted().map { (renames[$0].change, renames[$0].formerPin) }
    }
    return found
  }

  /// Returns the possible renames, by the former path of the former unit's catalog.
  private static func renames(in comparison: HeadComparison, of snapshot: Snapshot) -> [TreePath: [Rename]] {
    let changes = comparison.ofNewUnits
    guard !changes.isEmpty else { return [:] }
    let new = byWords(changes.map { ($0, $0) })
    var renames: [TreePath: [Rename]] = [:]
    for (path, catalog) in comparison.former.committed {
      let present = snapshot.committed[path]?.entries
      for (key, entry) in catalog.entries where present?[key] == nil {
        for (language, translation) in entry.translations {
          guard let change = new[Words(language: language, translation: translation.digest)],
            let pin = catalog.pin(of: key), pin != change.pin
          else { continue }
          renames[path, default: []].append(Rename(change: change, formerKey: key, formerPin: pin))
        }
      }
    }
    return renames
  }
}
