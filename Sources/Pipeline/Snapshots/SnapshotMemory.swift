package import FoundationEssentials
import Localization
private import Synchronization

/// The snapshots that a process keeps in memory, for all its pipelines. Their total size is limited: the least recently used snapshots are
/// removed first. Snapshots that have not been used for some time are also removed.
package final class SnapshotMemory: Sendable {
  private struct Key: Hashable {
    var pipeline: String
    var commit: CommitID
  }

  private struct Entry {
    var snapshot: Snapshot
    /// Computed on first use.
    var index: CommitIndex?
    var weight: Int
    var used: Date
    var order: Int
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var weight = 0
    var order = 0
  }

  private let state = Mutex(State())
  private let limit: Int
  private let idle: Duration
  private let now: @Sendable () -> Date

  /// - Parameters:
  ///   - limit: the maximum number of translations and strings to keep for all pipelines together. One snapshot is kept even if it is
  ///     larger.
  ///   - idle: the time after which an unused snapshot is removed, by `prune` or when another snapshot is stored.
  package init(limit: Int = 600_000, idle: Duration = .seconds(300), now: @escaping @Sendable () -> Date) {
    self.limit = limit
    self.idle = idle
    self.now = now
  }

  subscript(pipeline: String, commit: CommitID) -> Snapshot? {
    let now = now()
    return state.withLock { state in
      state.order += 1
      guard var entry = state.entries[Key(pipeline: pipeline, commit: commit)] else { return nil }
      (entry.used, entry.order) = (now, state.order)
      state.entries[Key(pipeline: pipeline, commit: commit)] = entry
      return entry.snapshot
    }
  }

  func index(_ pipeline: String, _ commit: CommitID) -> CommitIndex? {
    state.withLock { $0.entries[Key(pipeline: pipeline, commit: commit)]?.index }
  }

  /// Keeps an index for as long as its snapshot is kept.
  func keep(_ index: CommitIndex, _ pipeline: String, _ commit: CommitID) {
    state.withLock { $0.entries[Key(pipeline: pipeline, commit: commit)]?.index = index }
  }

  func keep(_ snapshot: Snapshot, of pipeline: String) {
    let now = now()
    let key = Key(pipeline: pipeline, commit: snapshot.commit.id)
    state.withLock { state in
      state.order += 1
      let entry = Entry(snapshot: snapshot, weight: snapshot.weight, used: now, order: state.order)
      state.weight += entry.weight - (state.entries[key]?.weight ?? 0)
      state.entries[key] = entry
      forgetIdle(in: &state, now)
      while state.weight > limit, state.entries.count > 1,
        let oldest = state.entries.min(by: { $0.value.order < $1.value.order })
      {
        state.entries[oldest.key] = nil
        state.weight -= oldest.value.weight
      }
    }
  }

  /// Removes snapshots that were not used recently.
  package func prune() {
    let now = now()
    state.withLock { forgetIdle(in: &$0, now) }
  }

  private func forgetIdle(in state: inout State, _ now: Date) {
    for (old, entry) in state.entries where abs(now.timeIntervalSince(entry.used)) > idle.seconds {
      state.entries[old] = nil
      state.weight -= entry.weight
    }
  }
}

extension Snapshot {
  /// The approximate size: the number of translations plus the number of strings in code. Snapshots of one history share most of their
  /// memory.
  fileprivate var weight: Int {
    synced.values.lazy.map(\.entries).joined().reduce(100 + found.count) {
      $0 + 1 + $1.value.translations.approximateCount
    }
  }
}
