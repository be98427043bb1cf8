import FoundationEssentials
internal import GRDB
package import LedgerStore
package import Localization
import Pipeline
import Synchronization

/// A cache of the facts of blobs, the strings of trees and other values, in a separate file that can be deleted at any time.
///
/// An error in the file never makes a run fail. Unreadable entries count as missing, failed writes are dropped, and a damaged file is deleted and
/// created again. If another program has locked the file, or the file cannot be read or written, or the disk is full, the file is not used for a
/// while, because each attempt could wait for the lock. Calls block while they access the disk, so extraction makes these calls on its own threads.
package final class SQLiteCache: Cache {
  /// The time after a fault during which the file is not used.
  private static let pause = Duration.seconds(30)

  private let path: String
  private let limit: Int
  private let busyTimeout: Double
  private let report: @Sendable (StoreError) -> Void
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state: Mutex<State>

  private struct State {
    var file: CacheFile?
    /// The number of bytes written since the last pruning.
    var written = 0
    /// The last fault; `nil` if a later write succeeded.
    var fault: Fault?
  }

  private struct Fault {
    let kind: StoreError.Kind
    /// The time from which the file may be used again.
    let retry: ContinuousClock.Instant
  }

  /// Opens the cache of a store folder. A damaged file, or a file of another version, is created again. The cache is pruned to the limit.
  /// - Parameters:
  ///   - limit: the maximum size in bytes. The most recently used entries are kept.
  ///   - busyTimeout: the number of seconds to wait for other programs. Only one process of Dragoman uses a cache, one call at a time.
  ///   - report: receives the errors of the cache's file. A fault that lasts is reported once until a write succeeds. It must not use the cache.
  package init(
    folder: String, limit: Int = 512 << 20, busyTimeout: Double = 1,
    report: @escaping @Sendable (StoreError) -> Void = { _ in },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    path = folder + "/cache.sqlite"
    self.limit = max(0, limit)
    self.busyTimeout = busyTimeout
    self.report = report
    self.now = now
    state = Mutex(State())
    // Pruning opens the file.
    prune()
  }

  package func facts(for blobs: [BlobID], version: String) -> [BlobID: [UInt8]] {
    guard !blobs.isEmpty else { return [:] }
    let found = access { try $0.read(.fact, names: blobs.map { "\(version) \($0.rawValue)" }) } ?? [:]
    var facts: [BlobID: [UInt8]] = [:]
    for blob in blobs { facts[blob] = found["\(version) \(blob.rawValue)"] }
    return facts
  }

  package func store(_ facts: [BlobID: [UInt8]], version: String) {
    write(.fact, facts.map { (name: "\(version) \($0.key.rawValue)", bytes: $0.value) })
  }

  package func recent(_ name: String) -> [UInt8]? { read(.recent, name) }

  package func keep(_ bytes: [UInt8], as name: String) { write(.recent, [(name: name, bytes: bytes)]) }

  package func value(for key: String) -> [UInt8]? { read(.value, key) }

  package func setValue(_ value: [UInt8], for key: String) { write(.value, [(name: key, bytes: value)]) }

  private func read(_ kind: CacheFile.Kind, _ name: String) -> [UInt8]? {
    access { try $0.read(kind, names: [name]) }?[name]
  }

  private func write(_ kind: CacheFile.Kind, _ entries: [(name: String, bytes: [UInt8])]) {
    guard !entries.isEmpty else { return }
    access(writes: true) { try $0.write(kind, entries) }
    let count = entries.reduce(0) { $0 + $1.bytes.count }
    let isDue = state.withLock { state in
      state.written += count
      return state.written > limit / 8
    }
    if isDue { prune() }
  }

  private func prune() {
    state.withLock { $0.written = 0 }
    access(writes: true) { try $0.prune(to: limit) }
  }

  // MARK: Faults

  /// Runs `body` on the cache's file. An error is reported, and a damaged file is created again.
  /// - Parameter writes: whether `body` always writes. Only such a call shows that a fault is over: while another program has locked the file, or the
  ///   disk is full, many reads succeed.
  /// - Returns: the result of `body`; `nil` after an error, or if the file cannot be used at the moment.
  @discardableResult
  private func access<Value: Sendable>(writes: Bool = false, _ body: (CacheFile) throws -> Value) -> Value? {
    // Calls wait here, so only one of them waits for the lock of another program, and the others see the fault.
    state.withLock { attempt(writes: writes, &$0, body) }
  }

  private func attempt<Value: Sendable>(
    writes: Bool, _ state: inout State, _ body: (CacheFile) throws -> Value
  ) -> Value? {
    if let fault = state.fault, now() < fault.retry { return nil }
    if state.file == nil { openFile(&state) }
    guard let file = state.file else { return nil }
    do {
      let value = try body(file)
      if writes { state.fault = nil }
      return value
    } catch {
      let operation = "use cache"
      let fault = StoreError(cache: error, operation: operation, path: path)
      switch fault.kind {
      case .busy, .full, .unwritable: pause(after: fault, &state)
      default:
        report(.recreatedCache(error, operation: operation, path: path))
        file.close()
        delete()
        openFile(&state)
      }
      return nil
    }
  }

  /// Opens the file. A damaged file, a file of another version, or anything else that is not a private file is created again.
  private func openFile(_ state: inout State) {
    state.file = nil
    let operation = "open cache"
    do {
      state.file = try CacheFile(path: path, busyTimeout: busyTimeout)
    } catch {
      let fault = StoreError(cache: error, operation: operation, path: path)
      // A file that SQLite cannot open at the moment may be valid. A file that is not usable as a database throws another error.
      let isTemporary = [.busy, .full].contains(fault.kind) || fault.kind == .unwritable && error is DatabaseError
      guard !isTemporary else { return pause(after: fault, &state) }
      delete()
      do {
        state.file = try CacheFile(path: path, busyTimeout: busyTimeout)
        // A file of another version is replaced without a report, because it is not an error.
        if !(error is CacheFile.OtherVersion) { report(.recreatedCache(error, operation: operation, path: path)) }
      } catch {
        pause(after: StoreError(cache: error, operation: "create cache", path: path), &state)
      }
    }
  }

  /// Stops using the file for a while. The fault is reported unless it is the same as the last one.
  private func pause(after fault: StoreError, _ state: inout State) {
    if state.fault?.kind != fault.kind { report(fault) }
    state.fault = Fault(kind: fault.kind, retry: now() + Self.pause)
  }

  private func delete() {
    for ending in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + ending) }
  }
}
