import Localization
import Synchronization

/// A fact cache in memory that tests can damage.
final class MemoryFactCache: FactCache {
  private struct State {
    var facts: [String: [BlobID: [UInt8]]] = [:]
    var recent: [String: [UInt8]] = [:]
  }

  private let held = Mutex(State())

  func facts(for blobs: [BlobID], version: String) -> [BlobID: [UInt8]] {
    held.withLock { held in held.facts[version, default: [:]].filter { blobs.contains($0.key) } }
  }

  func store(_ facts: [BlobID: [UInt8]], version: String) {
    held.withLock { $0.facts[version, default: [:]].merge(facts) { $1 } }
  }
  func recent(_ name: String) -> [UInt8]? { held.withLock { $0.recent[name] } }
  func keep(_ bytes: [UInt8], as name: String) { held.withLock { $0.recent[name] = bytes } }

  /// Damages all values by truncating them.
  func spoil() {
    held.withLock { held in
      held.facts = held.facts.mapValues { $0.mapValues { Array($0.dropLast(3)) } }
      held.recent = held.recent.mapValues { Array($0.dropLast(3)) }
    }
  }
}
