import FoundationEssentials
import Localization

/// Finds the returned translations that a person removed, replaced or marked as needing review on a watched branch.
///
/// A translation can also disappear unintentionally: in a merge that took the other side's file, by a force-push, or together with its
/// source text. Therefore a removal counts only if the commit is not ours and the source text is still the same. In a merge, the result
/// must also differ from all parents. The search is best effort: commits that cannot be read are skipped.
struct RemovalSearch {
  /// A returned unit that was on a branch and may have been removed.
  struct Subject {
    var id: ReturnedUnitID
    /// The unit under its name in the head.
    var unit: UnitID
    var language: LocaleIdentifier
    /// Returns whether a translation has the returned texts, in any state.
    var isOurs: (Translation) -> Bool
    /// The time of the return, if known. Older commits cannot contain the returned texts.
    var received: Date?

    /// The time of the oldest commit to read. It is an hour before the return, because committers' clocks may be slow.
    fileprivate var oldest: Int64 { received.map { Int64($0.timeIntervalSince1970) - 3600 } ?? .min }
  }

  private let head: Run
  private let snapshot: Snapshot
  private let renames: [TreePath: TreePath]
  private let context: PipelineContext
  private let limits: HistoryLimits

  /// - Parameter snapshot: the snapshot of the head.
  init(
    head: Run, snapshot: Snapshot, _ renames: [TreePath: TreePath], limits: HistoryLimits = HistoryLimits(),
    _ context: PipelineContext
  ) {
    self.head = head
    self.snapshot = snapshot
    self.renames = renames
    self.limits = limits
    self.context = context
  }

  /// Returns the units that were removed, with the reasons for holding them.
  func removed(among subjects: [Subject]) async throws -> [ReturnedUnitID: HoldReason] {
    guard !subjects.isEmpty else { return [:] }
    let range = CommitRange(
      try await context.mirror.history(of: head.commit, excluding: nil, limit: limits.commits))
    // No search is needed for units that have just been returned.
    let subjects = subjects.filter { $0.oldest <= range.seconds(of: head.commit) }
    guard !subjects.isEmpty else { return [:] }
    var found: [ReturnedUnitID: CommitInfo] = [:]
    for (path, subjects) in Dictionary(grouping: subjects, by: \.unit.catalog).sorted(by: { $0.key < $1.key }) {
      let keys = Set(subjects.map(\.unit.key))
      guard
        var versions = CatalogVersions(
          of: path, in: snapshot, Set(subjects.map(\.language)), keys, renames, limit: limits.readings, context)
      else { continue }
      for subject in subjects {
        found[subject.id] = try await removal(of: subject, in: range, &versions)
      }
    }
    guard !found.isEmpty else { return [:] }
    let own = try await context.store.deliveredCommits(of: context.name)
    return found.filter { !own.contains($0.value.id) }.mapValues { commit in
      .removed(HoldReason.Removal(commit: commit.id.rawValue, author: String(commit.author.name.prefix(100))))
    }
  }

  /// Walks back from the head along all parents without our translation, and returns the first commit found that replaced or removed it for the
  /// same source text; `nil` if there is none. After that commit, the string may have been deleted and added again, or may have had another
  /// source text temporarily.
  private func removal(
    of subject: Subject, in range: CommitRange, _ versions: inout CatalogVersions<Catalog>
  ) async throws -> CommitInfo? {
    let (key, language) = (subject.unit.key, subject.language)
    guard let present = try await versions.value(of: key, language, at: head.commit) else { return nil }
    var places = [head.commit]
    var met = Set(places)
    while let place = places.popLast() {
      guard let info = range.commits[place], range.seconds(of: place) >= subject.oldest,
        let after = try await versions.value(of: key, language, at: place)
      else { continue }
      for parent in info.parents where !met.contains(parent) {
        guard let value = try await versions.value(of: key, language, at: parent) else { continue }
        if value.translation == present.translation || value.translation.map(subject.isOurs) != true {
          met.insert(parent)
          places.append(parent)
        } else if value.pin == after.pin, value.pin == present.pin,
          try await isOwnWork(of: info, after.translation, key, language, &versions)
        {
          return info
        }
      }
    }
    return nil
  }
}

extension RemovalSearch {
  /// Returns whether a commit itself made a translation. A merge can have the translation from one of its parents.
  private func isOwnWork(
    of info: CommitInfo, _ translation: Translation?, _ key: UnitKey, _ language: LocaleIdentifier,
    _ versions: inout CatalogVersions<Catalog>
  ) async throws -> Bool {
    guard info.parents.count > 1 else { return true }
    for parent in info.parents {
      guard let value = try await versions.value(of: key, language, at: parent), value.translation != translation else {
        return false
      }
    }
    return true
  }
}

/// The newest commits of a branch.
private struct CommitRange {
  let commits: [CommitID: CommitInfo]
  private var times: [CommitID: Int64] = [:]

  init(_ history: [CommitInfo]) {
    commits = Dictionary(history.map { ($0.id, $0) }) { first, _ in first }
    var children: [CommitID: [CommitID]] = [:]
    for info in history { for parent in info.parents { children[parent, default: []].append(info.id) } }
    for info in history.sorted(by: { $0.committer.seconds > $1.committer.seconds }) {
      var open = [info.id]
      while let id = open.popLast() {
        guard times[id] == nil else { continue }
        times[id] = info.committer.seconds
        open += children[id] ?? []
      }
    }
  }

  /// Returns the time of a commit, or the time of its newest ancestor if that time is later, because a clock may have been set back between
  /// the two commits.
  func seconds(of commit: CommitID) -> Int64 { times[commit] ?? .min }
}

extension CatalogVersions<Catalog> {
  fileprivate struct Value {
    let catalog: Catalog
    let key: UnitKey
    let translation: Translation?

    var pin: PinDigest? { catalog.pin(of: key) }
  }

  /// Returns the catalog and one of its translations in a commit.
  /// - Returns: `nil` if the commit does not have the catalog, if the catalog or the language's file cannot be read, or if the limit is
  ///   reached. If only the language's file is missing, the value has no translation.
  fileprivate mutating func value(
    of key: UnitKey, _ language: LocaleIdentifier, at commit: CommitID
  ) async throws -> Value? {
    guard case .read(let version) = try await version(at: commit) else { return nil }
    let catalog = contents[version]
    guard catalog.unread[language] == nil else { return nil }
    return Value(catalog: catalog, key: key, translation: catalog.entries[key]?.translations[language])
  }
}
