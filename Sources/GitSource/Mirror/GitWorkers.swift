private import Glibc
import Pipeline
private import Synchronization

/// The resources that all mirrors of a process share: threads for local work, slots for network operations, persistent connections, and
/// the thread that waits for network children.
package final class GitWorkers: Sendable {
  package static let shared = GitWorkers()

  let pool: BlockingPool
  let network: NetworkResources
  private let openLimit: Int
  private let state = Mutex(State())

  private struct State {
    var stores: [String: WeakStore] = [:]
    /// When there are this many stores, the unused ones are removed.
    var nextRemoval = 64
    /// The folders of mirrors that this process has opened before.
    var prepared: Set<String> = []
    /// The mirrors with an open repository, and the value of `uses` at each mirror's last use.
    var open: [ObjectIdentifier: (store: WeakStore, use: UInt64)] = [:]
    var uses: UInt64 = 0
  }

  private struct WeakStore {
    weak var store: MirrorStore?
  }

  /// - Parameters:
  ///   - localThreads: the number of mirrors that can work at the same time.
  ///   - openMirrors: the number of repositories that stay open. Beyond this number, the least recently used repository is closed.
  ///   - requests: the limits for HTTP requests in this process.
  ///   - children: the limits for network children.
  package init(
    localThreads: Int = 4, openMirrors: Int = 64, requests: NetworkWidths = .requests,
    children: NetworkWidths = .children
  ) {
    pool = BlockingPool("git", width: localThreads)
    openLimit = max(1, openMirrors)
    network = NetworkResources(pool: pool, requests: requests, children: children)
  }

  /// Returns the store of a folder. All callers share it, so the operations of one mirror do not overlap.
  func store(folder: String) -> MirrorStore {
    state.withLock { state in
      if let known = state.stores[folder]?.store { return known }
      let made = MirrorStore(folder: folder, workers: self)
      state.stores[folder] = WeakStore(store: made)
      if state.stores.count >= state.nextRemoval {
        state.stores = state.stores.filter { $0.value.store != nil }
        // The next removal is later the more stores there are, so all removals together take time in proportion to the number of stores made.
        state.nextRemoval = max(64, 2 * state.stores.count)
      }
      return made
    }
  }

  /// The number of stores in memory, with the unused ones that are not removed yet.
  var storeCount: Int { state.withLock { $0.stores.count } }

  /// Returns whether this is the first call for the mirror in this process.
  func isFirstOpening(of folder: String) -> Bool { state.withLock { $0.prepared.insert(folder).inserted } }

  /// Records that a mirror's repository is open and in use. Closes the least recently used repositories if too many are open.
  func noteUse(of store: MirrorStore) {
    let closing: [MirrorStore] = state.withLock { state in
      state.uses += 1
      state.open[ObjectIdentifier(store)] = (WeakStore(store: store), state.uses)
      guard state.open.count > openLimit else { return [] }
      state.open = state.open.filter { $0.value.store.store != nil }
      let surplus = state.open.count - openLimit
      guard surplus > 0 else { return [] }
      let oldest = state.open.sorted { $0.value.use < $1.value.use }.prefix(surplus)
      for (id, _) in oldest { state.open[id] = nil }
      return oldest.compactMap { $0.value.store.store }
    }
    for store in closing { Task { await store.close() } }
  }
}

/// Raises this process's limit of open files to the maximum that the system allows. Call this function when a daemon starts.
/// - Returns: the new limit; 0 if the limit cannot be read.
@discardableResult
package func raiseOpenFileLimit() -> Int {
  var limit = rlimit()
  let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  guard unsafe getrlimit(resource, &limit) == 0 else { return 0 }
  if limit.rlim_cur < limit.rlim_max {
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(resource, &limit)
    _ = unsafe getrlimit(resource, &limit)
  }
  return Int(clamping: limit.rlim_cur)
}
