import Localization

/// Finds new translations that stood beside another source text in one of the commits since a branch was compared last: a commit brought the
/// translation, and a later one changed the source text; or the translation came on another branch, beside the former source text; or the
/// source text changed, and then the key.
///
/// Only the catalogs as committed are read, not the code. The search is best effort: beyond its limits, and where a commit cannot be read, a
/// translation counts for the present source text.
struct FormerSources {
  let renames: [TreePath: TreePath]
  var limits = HistoryLimits()
  let context: PipelineContext

  /// A translation in one version of its catalog.
  private enum Standing {
    case absent
    case beside(PinDigest)
    /// The file of its language cannot be read.
    case unknown

    init(of change: ChangedTranslation, in catalog: Catalog) {
      let key = change.unit.key
      if catalog.unread[change.language] != nil {
        self = .unknown
      } else if catalog.entries[key]?.translations[change.language] == change.translation,
        let pin = catalog.pin(of: key)
      {
        self = .beside(pin)
      } else {
        self = .absent
      }
    }
  }

  private typealias Versions = CatalogVersions<[Standing]>

  /// - Parameter snapshot: of the head that was compared.
  /// - Returns: the translations, each with the source text that it was made for.
  func found(
    in comparison: HeadComparison, of snapshot: Snapshot
  ) async throws -> [(change: ChangedTranslation, source: PinDigest)] {
    var changes = comparison.translations.filter { $0.former != $0.translation }
    guard !changes.isEmpty || !comparison.inNewCatalogs.isEmpty else { return [] }
    let range = try await context.mirror.history(
      of: snapshot.commit.id, excluding: comparison.former.commit.id, limit: limits.commits)
    // A single commit brought both.
    guard range.count > 1 else { return [] }
    // What came to an unchanged source text is for that, but another branch may have had a former one.
    if range.allSatisfy({ $0.parents.count < 2 }) { changes.removeAll { $0.formerPin == $0.pin } }
    var found = try await renamed(in: comparison, of: snapshot, range)
    for (path, changes) in Dictionary(grouping: changes, by: \.unit.catalog).sorted(by: { $0.key < $1.key }) {
      try Task.checkCancellation()
      found += try await search(changes, at: path, snapshot, range)
    }
    return found
  }

  /// - Parameters:
  ///   - changes: of one catalog.
  ///   - range: the commits since the last comparison, the newest first.
  private func search(
    _ changes: [ChangedTranslation], at path: TreePath, _ snapshot: Snapshot, _ range: [CommitInfo]
  ) async throws -> [(ChangedTranslation, PinDigest)] {
    let versions = Versions(
      of: path, in: snapshot, Set(changes.map(\.language)), renames, limit: limits.readings, context
    ) { catalog in changes.map { Standing(of: $0, in: catalog) } }
    guard var versions, case .read(let head) = try await versions.version(at: snapshot.commit.id) else { return [] }
    // The versions that the parents of a commit have, by that of the commit.
    var parents: [Int: Set<[Versions.Version]>] = [:]
    for info in range {
      guard case .read(let version) = try await versions.version(at: info.id) else { continue }
      var before: [Versions.Version] = []
      for parent in info.parents { before.append(try await versions.version(at: parent)) }
      if before != [.read(version)] { parents[version, default: []].insert(before) }
    }
    return changes.indices.compactMap { index in
      let source = Self.source(from: head, parents) { versions.contents[$0][index] }
      return source.map { (changes[index], $0) }
    }
  }

  /// Walks back from a version along all parents with the translation beside the same source text.
  /// - Returns: the source text that it stood beside before; `nil` if a commit brought it beside the present one.
  private static func source(
    from head: Int, _ parents: [Int: Set<[Versions.Version]>], _ standing: (Int) -> Standing
  ) -> PinDigest? {
    guard case .beside(let present) = standing(head) else { return nil }
    var found: PinDigest?
    var open = [head]
    var met: Set<Int> = [head]
    while let version = open.popLast() {
      for before in parents[version] ?? [] {
        var isNew = true
        for parent in before where parent != .absent {
          guard case .read(let number) = parent else {
            isNew = false
            continue
          }
          switch standing(number) {
          case .absent: continue
          case .unknown: break
          case .beside(present): if met.insert(number).inserted { open.append(number) }
          case .beside(let other): found = found ?? other
          }
          isNew = false
        }
        if isNew { return nil }
      }
    }
    return found
  }
}
