package import Localization
import Synchronization

/// A worker's cache, backed by the values that all workers share. A value that the worker does not have is looked up in the shared values
/// before sources are parsed. A separate thread later adds the values that the worker computes to the shared values.
///
/// If the shared values cannot be used, this is reported once, sources are parsed as if nothing were shared, and the cache retries after a
/// pause. Somebody could have tampered with a shared value, so it is used only if its seal is valid. The seal includes the value's name,
/// which identifies the parsed content and the extractor's version. Calls block; extraction makes them on its own threads.
package final class SharedCache: Cache {
  /// Limits on the shared values. Sizes are in bytes.
  package struct Limits: Sendable {
    /// The limit on all values together.
    package var total = 4 << 30
    /// The limit on one value. Larger values are not shared.
    package var value = 16 << 20
    /// The limit on values that are stored together.
    package var batch = 8 << 20
    /// The limit on values that are waiting to be stored. Further values are not shared.
    package var waiting = 64 << 20
    /// The time after a failure during which the shared values are not used.
    package var pause = Duration.seconds(30)

    package init() {}
  }

  /// Counts of values since the start of the process.
  package struct Counts: Hashable, Sendable {
    /// Values that were found in the shared values: another worker computed them, or this worker's own cache no longer has them.
    package var found = 0
    /// Values that were looked up, but were not among the shared values.
    package var missing = 0
    /// Values with an invalid seal.
    package var damaged = 0
    package var stored = 0
    /// Values that were not stored, because they were too large, too many were waiting, storing failed, or the shared values could not be
    /// used.
    package var dropped = 0

    package init() {}
  }

  private struct State {
    var seal: SharedValueSeal?
    var counts = Counts()
    /// The time from which the shared values may be used again; `nil` if the last call succeeded.
    var retry: ContinuousClock.Instant?
    var waiting: [String: [UInt8]] = [:]
    var waitingBytes = 0
    var isWriting = false
    /// The number of bytes stored since the last pruning; `nil` before the first pruning.
    var written: Int?
  }

  private let local: any Cache
  private let shared: any SharedValues
  private let limits: Limits
  private let now: @Sendable () -> ContinuousClock.Instant
  private let report: @Sendable (String) -> Void
  private let writer = BlockingPool("shared facts", width: 1)
  private let state = Mutex(State())

  /// - Parameters:
  ///   - local: the worker's own cache. It is read first, and values from other workers are added to it.
  ///   - report: called with a message when the shared values cannot be used, and when they can be used again.
  package init(
    _ local: any Cache, sharing shared: any SharedValues, limits: Limits = Limits(),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, report: @escaping @Sendable (String) -> Void
  ) {
    self.local = local
    self.shared = shared
    self.limits = limits
    self.now = now
    self.report = report
  }

  package var counts: Counts { state.withLock { $0.counts } }

  package func facts(for blobs: [BlobID], version: String) throws -> [BlobID: [UInt8]] {
    var found = try local.facts(for: blobs, version: version)
    let missing = blobs.filter { found[$0] == nil }
    guard !missing.isEmpty else { return found }
    let names = missing.map { SharedName.facts(of: $0, version: version) }
    let values = read(names)
    var fresh: [BlobID: [UInt8]] = [:]
    for (blob, name) in zip(missing, names) { fresh[blob] = values[name] }
    guard !fresh.isEmpty else { return found }
    try local.store(fresh, version: version)
    found.merge(fresh) { own, _ in own }
    return found
  }

  package func store(_ facts: [BlobID: [UInt8]], version: String) throws {
    try local.store(facts, version: version)
    share(facts.map { SharedValue(name: SharedName.facts(of: $0.key, version: version), bytes: $0.value) })
  }

  package func value(for key: String) throws -> [UInt8]? {
    if let own = try local.value(for: key) { return own }
    let name = SharedName.value(for: key)
    guard let value = read([name])[name] else { return nil }
    try local.setValue(value, for: key)
    return value
  }

  package func setValue(_ value: [UInt8], for key: String) throws {
    try local.setValue(value, for: key)
    share([SharedValue(name: SharedName.value(for: key), bytes: value)])
  }

  /// Returns local data. Data for comparing the next commit is only useful to the worker that has the mirror.
  package func recent(_ name: String) throws -> [UInt8]? { try local.recent(name) }

  package func keep(_ bytes: [UInt8], as name: String) throws { try local.keep(bytes, as: name) }

  /// Waits until all queued values are stored or dropped.
  package func finish() async { _ = try? await writer.run {} }

  // MARK: Reading

  private func read(_ names: [String]) -> [String: [UInt8]] {
    guard isUsable else { return [:] }
    let found: [String: [UInt8]]
    do {
      let seal = try seal()
      let stored = try shared.values(named: names)
      found = Dictionary(
        uniqueKeysWithValues: stored.compactMap { name, bytes in seal.opened(bytes, named: name).map { (name, $0) } })
      state.withLock { state in
        state.counts.found += found.count
        state.counts.damaged += stored.count - found.count
        state.counts.missing += names.count - stored.count
      }
    } catch {
      noteFailure(error)
      return [:]
    }
    noteSuccess()
    return found
  }

  private func seal() throws -> SharedValueSeal {
    if let known = state.withLock({ $0.seal }) { return known }
    let seal = SharedValueSeal(key: try shared.key())
    state.withLock { $0.seal = seal }
    return seal
  }

  // MARK: Storing

  private func share(_ values: [SharedValue]) {
    guard isUsable else { return state.withLock { $0.counts.dropped += values.count } }
    let starts = state.withLock { state in
      for value in values {
        guard value.bytes.count <= limits.value, state.waitingBytes + value.bytes.count <= limits.waiting else {
          state.counts.dropped += 1
          continue
        }
        state.waitingBytes +=
          value.bytes.count - (state.waiting.updateValue(value.bytes, forKey: value.name)?.count ?? 0)
      }
      guard !state.isWriting, !state.waiting.isEmpty else { return false }
      state.isWriting = true
      return true
    }
    if starts { writer.submit { self.write() } }
  }

  /// Stores the waiting values, on the writer's thread.
  private func write() {
    while let batch = nextBatch() {
      do {
        let seal = try seal()
        try shared.add(batch.map { SharedValue(name: $0.name, bytes: seal.sealed($0.bytes, as: $0.name)) })
        state.withLock { $0.counts.stored += batch.count }
        noteSuccess()
      } catch {
        state.withLock { state in
          state.counts.dropped += batch.count + state.waiting.count
          (state.waiting, state.waitingBytes) = ([:], 0)
        }
        noteFailure(error)
        continue
      }
      pruneIfDue(batch.reduce(0) { $0 + $1.bytes.count })
    }
  }

  /// Prunes the shared values if enough bytes were stored since the last pruning.
  /// - Parameter size: the number of bytes that were just stored.
  private func pruneIfDue(_ size: Int) {
    let isDue = state.withLock { state in
      let written = state.written.map { $0 + size }
      let isDue = written.map { $0 > limits.total / 16 } ?? true
      state.written = isDue ? 0 : written
      return isDue
    }
    guard isDue else { return }
    do { try shared.prune(to: limits.total) } catch { noteFailure(error) }
  }

  /// Takes the next values to store together.
  /// - Returns: `nil` if no more values are waiting.
  private func nextBatch() -> [SharedValue]? {
    state.withLock { state in
      var batch: [SharedValue] = []
      var size = 0
      for (name, bytes) in state.waiting {
        if !batch.isEmpty, size + bytes.count > limits.batch { break }
        batch.append(SharedValue(name: name, bytes: bytes))
        size += bytes.count
      }
      for value in batch { state.waiting[value.name] = nil }
      state.waitingBytes -= size
      state.isWriting = !batch.isEmpty
      return batch.isEmpty ? nil : batch
    }
  }

  // MARK: Faults

  private var isUsable: Bool { state.withLock { state in state.retry.map { now() >= $0 } ?? true } }

  private func noteFailure(_ error: any Error) {
    let end = now() + limits.pause
    let isFirst = state.withLock { state in
      defer { state.retry = end }
      return state.retry == nil
    }
    if isFirst {
      report("facts cannot be shared with other workers: \(error). Until they can, this worker parses sources itself")
    }
  }

  private func noteSuccess() {
    guard state.withLock({ $0.retry.take() }) != nil else { return }
    report("facts are shared with other workers again, at \(shared.place)")
  }
}
