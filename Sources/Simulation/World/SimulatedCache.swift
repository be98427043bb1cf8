package import Localization
import Pipeline
internal import Synchronization

/// The cache, kept in memory. It can be deleted at any moment.
package final class SimulatedCache: Cache {
  private let values = Mutex<[String: [UInt8]]>([:])

  package init() {}

  package func delete() { values.withLock { $0 = [:] } }

  package func value(for key: String) throws -> [UInt8]? { values.withLock { $0[key] } }
  package func setValue(_ value: [UInt8], for key: String) throws { values.withLock { $0[key] = value } }
  package func facts(for blobs: [BlobID], version: String) throws -> [BlobID: [UInt8]] { [:] }
  package func store(_ facts: [BlobID: [UInt8]], version: String) throws {}
}
