import Localization

/// Finds the returned translations that a person removed from a watched branch, or marked as needing review.
///
/// A translation can also disappear without anybody wanting it: in a merge that took the other side's file, by a force-push, or together
/// with its source text. So only a commit of somebody else with a single parent counts, in which the source text stays as it was.
struct RemovalSearch {
  /// How many commits of a branch to look at, and how many versions of a catalog to read. What was removed before that is merged again.
  struct Limits {
    var commits = 500
    var readings = 32
  }

  private let heads: [WatchedHead]
  private let context: PipelineContext
  private let limits: Limits

  init(heads: [WatchedHead], limits: Limits = Limits(), _ context: PipelineContext) {
    self.heads = heads
    self.limits = limits
    self.context = context
  }

  /// Returns the units that were removed, held with the reason.
  func removed(among dropped: [AnsweredUnits.Dropped]) async throws -> [AnsweredUnits.Dropped: BranchOutcome] {
    var found: [AnsweredUnits.Dropped: BranchOutcome] = [:]
    let settled = dropped.filter { $0.settled != nil }
    for (number, units) in Dictionary(grouping: settled, by: \.candidate.head).sorted(by: { $0.key < $1.key }) {
      let head = heads[number]
      guard let snapshot = head.snapshot else { continue }
      let target = context.definition.deliver.target(for: head.run.branch)
      let own = try await context.store.ownCommits(of: context.name, target: target)
      let history = try await context.mirror.history(of: head.run.commit, excluding: nil, limit: limits.commits)
      for (path, units) in Dictionary(grouping: units, by: \.candidate.unit.catalog).sorted(by: { $0.key < $1.key }) {
        guard let catalog = snapshot.project.catalogs.first(where: { $0.path == path }),
          let format = context.formats(path)
        else { continue }
        var versions = CatalogVersions(catalog: catalog, format: format, limit: limits.readings)
        for unit in units {
          guard let commit = try await removal(of: unit, from: head.run.commit, history, own, &versions) else {
            continue
          }
          let removal = HoldReason.Removal(commit: commit.id.rawValue, author: commit.author.name)
          found[unit] = BranchOutcome(
            returnedUnit: unit.id, state: .held, reviewed: head.run.commit, reason: .removed(removal),
            translation: unit.settled)
        }
      }
    }
    return found
  }

  /// Walks back from the head while a parent has the same translation, and returns the commit that removed the settled one.
  private func removal(
    of unit: AnsweredUnits.Dropped, from head: CommitID, _ history: [CommitInfo], _ own: Set<CommitID>,
    _ versions: inout CatalogVersions
  ) async throws -> CommitInfo? {
    let range = Dictionary(history.map { ($0.id, $0) }) { first, _ in first }
    let (key, language) = (unit.candidate.unit.key, unit.candidate.language)
    guard let present = try await versions.value(of: key, language, at: head, context) else { return nil }
    var (place, pin) = (head, present.pin)
    search: while let info = range[place] {
      for parent in info.parents {
        guard let value = try await versions.value(of: key, language, at: parent, context),
          value.translation == present.translation
        else { continue }
        (place, pin) = (parent, value.pin)
        continue search
      }
      guard info.parents.count == 1, !own.contains(place),
        let before = try await versions.value(of: key, language, at: info.parents[0], context)
      else { return nil }
      return before.translation == unit.settled && before.pin == pin ? info : nil
    }
    return nil
  }
}

/// The contents of one catalog in several commits. Each version of its files is read once.
private struct CatalogVersions {
  struct Value {
    var translation: String?
    var pin: PinDigest?
  }

  let catalog: ProjectCatalog
  let format: any CatalogFormat
  /// The number of versions to read.
  let limit: Int
  private var ofCommits: [CommitID: Catalog?] = [:]
  private var ofFiles: [[TreePath: BlobID]: Catalog?] = [:]

  init(catalog: ProjectCatalog, format: any CatalogFormat, limit: Int) {
    self.catalog = catalog
    self.format = format
    self.limit = limit
  }

  /// - Returns: `nil` if the catalog is missing or cannot be read there, or if the limit is reached.
  mutating func value(
    of key: UnitKey, _ language: LocaleIdentifier, at commit: CommitID, _ context: PipelineContext
  ) async throws -> Value? {
    guard let version = try await version(at: commit, context), version.unread[language] == nil else { return nil }
    return Value(
      translation: version.entries[key]?.translations[language]?.digest, pin: version.pin(of: key))
  }

  private mutating func version(at commit: CommitID, _ context: PipelineContext) async throws -> Catalog? {
    if let known = ofCommits[commit] { return known }
    let tree = try await context.mirror.tree(of: commit)
    var blobs: [TreePath: BlobID] = [:]
    for path in catalog.paths { blobs[path] = try tree.entry(at: path)?.blob }
    if let known = ofFiles[blobs] {
      ofCommits[commit] = known
      return known
    }
    guard ofFiles.count < limit else { return nil }
    var present = catalog
    present.localizations = catalog.localizations.filter { blobs[$0.value] != nil }
    let version = blobs[catalog.path] == nil ? nil : try? format.read(present.files(in: tree))
    ofFiles[blobs] = version
    ofCommits[commit] = version
    return version
  }
}
