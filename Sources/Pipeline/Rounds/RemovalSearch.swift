import FoundationEssentials
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

  /// A returned unit that was on a branch, and whether it was removed is not known.
  struct Subject {
    var id: ReturnedUnitID
    /// Under its name in the head.
    var unit: UnitID
    var language: LocaleIdentifier
    /// Whether a translation is the one that was removed.
    var isOurs: (Translation) -> Bool
    /// When it was returned, if that is known. Older commits cannot have it.
    var received: Date?

    /// The time of the oldest commit to look at. The clocks of people may be an hour behind.
    fileprivate var oldest: Int64 { received.map { Int64($0.timeIntervalSince1970) - 3600 } ?? .min }
  }

  private let head: Run
  private let snapshot: Snapshot
  private let renames: [TreePath: TreePath]
  private let context: PipelineContext
  private let limits: Limits

  /// - Parameter snapshot: of the head.
  init(
    head: Run, snapshot: Snapshot, _ renames: [TreePath: TreePath], limits: Limits = Limits(),
    _ context: PipelineContext
  ) {
    self.head = head
    self.snapshot = snapshot
    self.renames = renames
    self.limits = limits
    self.context = context
  }

  /// Returns why removed units are to be held.
  func removed(among subjects: [Subject]) async throws -> [ReturnedUnitID: HoldReason] {
    // What has just been returned needs no search.
    let subjects = subjects.filter { $0.oldest <= snapshot.commit.committer.seconds }
    guard !subjects.isEmpty else { return [:] }
    var found: [ReturnedUnitID: HoldReason] = [:]
    let target = context.definition.deliver.target(for: head.branch)
    let own = try await context.store.ownCommits(of: context.name, target: target)
    let history = try await context.mirror.history(of: head.commit, excluding: nil, limit: limits.commits)
    let range = Dictionary(history.map { ($0.id, $0) }) { first, _ in first }
    for (path, subjects) in Dictionary(grouping: subjects, by: \.unit.catalog).sorted(by: { $0.key < $1.key }) {
      guard let catalog = snapshot.project.catalogs.first(where: { $0.path == path }),
        let format = context.formats(path)
      else { continue }
      var names = [catalog]
      if path.holdsAllLanguages {
        for former in renames.names(before: path) {
          names.append(catalog)
          names[names.count - 1].path = former
        }
      }
      var versions = CatalogVersions(names: names, format: format, limit: limits.readings)
      for subject in subjects {
        guard let commit = try await removal(of: subject, in: range, own, &versions) else { continue }
        found[subject.id] = .removed(HoldReason.Removal(commit: commit.id.rawValue, author: commit.author.name))
      }
    }
    return found
  }

  /// Walks back from the head while a parent has the same translation, and returns the commit that removed the settled one.
  private func removal(
    of subject: Subject, in range: [CommitID: CommitInfo], _ own: Set<CommitID>, _ versions: inout CatalogVersions
  ) async throws -> CommitInfo? {
    let (key, language) = (subject.unit.key, subject.language)
    guard let present = try await versions.value(of: key, language, at: head.commit, context) else { return nil }
    var (place, standing) = (head.commit, present)
    search: while let info = range[place], info.committer.seconds >= subject.oldest {
      for parent in info.parents {
        guard let value = try await versions.value(of: key, language, at: parent, context),
          value.translation == present.translation
        else { continue }
        (place, standing) = (parent, value)
        continue search
      }
      guard info.parents.count == 1, !own.contains(place),
        let before = try await versions.value(of: key, language, at: info.parents[0], context)
      else { return nil }
      return before.translation.map(subject.isOurs) == true && before.pin == standing.pin ? info : nil
    }
    return nil
  }
}

/// The contents of one catalog in several commits. Each version of its files is read once.
private struct CatalogVersions {
  struct Value {
    let catalog: Catalog
    let key: UnitKey
    let translation: Translation?

    var pin: PinDigest? { catalog.pin(of: key) }
  }

  /// The catalog, and the same under its former names.
  let names: [ProjectCatalog]
  let format: any CatalogFormat
  /// The number of versions to read.
  let limit: Int
  private var ofCommits: [CommitID: Catalog?] = [:]
  private var ofFiles: [[TreePath: BlobID]: Catalog?] = [:]

  init(names: [ProjectCatalog], format: any CatalogFormat, limit: Int) {
    self.names = names
    self.format = format
    self.limit = limit
  }

  /// - Returns: `nil` if the catalog is missing or cannot be read there, or if the limit is reached.
  mutating func value(
    of key: UnitKey, _ language: LocaleIdentifier, at commit: CommitID, _ context: PipelineContext
  ) async throws -> Value? {
    guard let version = try await version(at: commit, context), version.unread[language] == nil else { return nil }
    return Value(catalog: version, key: key, translation: version.entries[key]?.translations[language])
  }

  private mutating func version(at commit: CommitID, _ context: PipelineContext) async throws -> Catalog? {
    if let known = ofCommits[commit] { return known }
    let tree = try await context.mirror.tree(of: commit)
    guard var catalog = try names.first(where: { try tree.entry(at: $0.path) != nil }) else { return nil }
    var blobs: [TreePath: BlobID] = [:]
    for path in catalog.paths { blobs[path] = try tree.entry(at: path)?.blob }
    if let known = ofFiles[blobs] {
      ofCommits[commit] = known
      return known
    }
    guard ofFiles.count < limit else { return nil }
    catalog.localizations = catalog.localizations.filter { blobs[$0.value] != nil }
    let version = try? format.read(catalog.files(in: tree))
    ofFiles[blobs] = version
    ofCommits[commit] = version
    return version
  }
}
