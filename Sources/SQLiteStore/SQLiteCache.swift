import FoundationEssentials
internal import GRDB
package import LedgerStore
package import Localization
import Pipeline
import Synchronization

/// A cache of the facts of blobs, the strings of trees and other values, in a separate file that can be deleted at any time.
///
/// An error in the file never makes a run fail. Unreadable entries count as missing, failed writes are dropped, and a damaged file is deleted and
/// created again. Each error is passed to `report`. Calls block while they access the disk, so extraction makes these calls on its own threads.
package final class SQLiteCache: Cache {
  private let path: String
  private let limit: Int
  private let report: @Sendable (StoreError) -> Void
  private let state: Mutex<State>

  private struct State {
    var file: CacheFile?
    /// The number of bytes written since the last pruning.
    var written = 0
  }

  /// Opens the cache of a store folder. A damaged file, or a file of another version, is created again. The cache is pruned to the limit.
  /// - Parameters:
  ///   - limit: the maximum size in bytes. The most recently used entries are kept.
  ///   - report: receives each error of the cache's file.
  package init(
    folder: String, limit: Int = 512 << 20, report: @escaping @Sendable (StoreError) -> Void = { _ in }
  ) {
    path = folder + "/cache.sqlite"
    self.limit = max(0, limit)
    self.report = report
    state = Mutex(State())
    _ = openFile()
    prune()
  }

  package func facts(for blobs: [BlobID], version: String) -> [BlobID: [UInt8]] {
    guard !blobs.isEmpty else { return [:] }
    let found = access(opens: false) { try $0.read(.fact, names: blobs.map { "\(version) \($0.rawValue)" }) } ?? [:]
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
    access(opens: false) { try $0.read(kind, names: [name]) }?[name]
  }

  private func write(_ kind: CacheFile.Kind, _ entries: [(name: String, bytes: [UInt8])]) {
    guard !entries.isEmpty else { return }
    access(opens: true) { try $0.write(kind, entries) }
    let count = entries.reduce(0) { $0 + $1.bytes.count }
    let isDue = state.withLock { state in
      state.written += count
      return state.written > limit / 8
    }
    if isDue { prune() }
  }

  private func prune() {
    state.withLock { $0.written = 0 }
    access(opens: false) { try $0.prune(to: limit) }
  }

  // MARK: Faults

  /// Runs `body` on the cache's file. An error is reported, and a damaged file is replaced.
  /// - Parameter opens: whether to open the file again if an earlier attempt failed.
  /// - Returns: the result of `body`; `nil` after an error, or if the file is not open.
  @discardableResult
  private func access<Value>(opens: Bool, _ body: (CacheFile) throws -> Value) -> Value? {
    guard let file = state.withLock({ $0.file }) ?? (opens ? openFile() : nil) else { return nil }
    do {
      return try body(file)
    } catch {
      let operation = "use cache"
      let fault = StoreError(cache: error, operation: operation, path: path)
      switch fault.kind {
      case .busy, .full, .unwritable: report(fault)
      default:
        report(.recreatedCache(error, operation: operation, path: path))
        replace(file)
      }
      return nil
    }
  }

  private func openFile() -> CacheFile? {
    state.withLock { state in
      if state.file == nil { state.file = open() }
      return state.file
    }
  }

  private func open() -> CacheFile? {
    let operation = "open cache"
    do {
      return try CacheFile(path: path)
    } catch {
      let fault = StoreError(cache: error, operation: operation, path: path)
      guard fault.kind != .busy, fault.kind != .full else {
        report(fault)
        return nil
      }
      delete()
      do {
        let file = try CacheFile(path: path)
        // A file of another version is replaced without a report, because it is not an error.
        if !(error is CacheFile.OtherVersion) { report(.recreatedCache(error, operation: operation, path: path)) }
        return file
      } catch {
        report(StoreError(cache: error, operation: "create cache", path: path))
        return nil
      }
    }
  }

  /// Replaces a damaged file with a new file, unless another thread has already replaced it.
  private func replace(_ file: CacheFile) {
    state.withLock { state in
      guard state.file === file else { return }
      file.close()
      delete()
      state.file = open()
    }
  }

  private func delete() {
    for ending in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + ending) }
  }
}
