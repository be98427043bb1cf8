import FoundationEssentials
import HTTPTransport
import Localization
import Logging
import Pipeline
import PostgreSQLStore
import TranslationVendors

/// Functions that set up sharing of facts between the workers of a database.
enum SharedFactsComposition {
  /// Returns a cache that shares facts with the other workers of the database; `nil` if facts are not shared.
  /// - Throws: `PipelineError` if the bucket's address is invalid. The bucket is not contacted yet.
  static func cache(
    _ local: any Cache, of store: PostgreSQLStore, _ settings: Settings, _ credentials: Credentials, logger: Logger
  ) throws -> SharedCache? {
    let bucket: (any PackBucket)?
    switch settings.sharedFacts {
    case .nowhere: return nil
    case .database: bucket = nil
    case .bucket(let place): bucket = try Self.bucket(place, credentials, patience: settings.sharedFactsPatience)
    }
    var limits = SharedCache.Limits()
    limits.total = settings.sharedFactsLimit
    return SharedCache(
      local, sharing: store.sharedPacks(in: bucket, limit: settings.sharedFactsPatience), limits: limits
    ) { logger.warning("\($0)") }
  }

  static func bucket(
    _ place: SharedFactsBucket, _ credentials: Credentials, patience: Duration
  ) throws -> StoragePackBucket {
    do {
      return StoragePackBucket(
        storage: try S3Storage(
          address: place.address, endpoint: place.endpoint, region: place.region,
          credentials: {
            guard let secret = try credentials.secret(place.credentials, for: place.address) else {
              throw VendorError(
                kind: .configuration, operation: "use \(place.address)",
                detail: "it needs credentials: a reference to ACCESS_KEY:SECRET")
            }
            return try S3Credentials(secret)
          }, transport: HTTPTransport(),
          deadlines: Deadlines(connect: patience / 2, stall: patience, whole: patience * 12)))
    } catch {
      throw PipelineError(
        .refused, operation: "share facts", detail: "DRAGOMAN_SHARED_FACTS: \(error)", disposition: .askPerson)
    }
  }
}

/// A bucket that stores packs of shared facts as files in a `DropStorage`.
struct StoragePackBucket: PackBucket {
  /// The maximum number of concurrent requests.
  private static let width = 8

  let storage: any DropStorage

  var place: String { storage.place }

  func read(_ names: [String], limit: Int) throws -> [String: [UInt8]] {
    try forEach(names) { path throws -> [UInt8]? in
      do { return try await storage.read(path, limit: limit) } catch let error as VendorError
        where error.kind == .missing || error.kind == .tooLarge
      { return nil }
    }.compactMapValues { $0 }
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    _ = try forEach([name]) { try await storage.replace($0, with: bytes) }
  }

  func remove(_ names: [String]) throws { _ = try forEach(names) { try await storage.remove($0) } }

  /// Runs a closure for each name, and blocks until all calls have returned. The first error stops the remaining calls.
  private func forEach<Value: Sendable>(
    _ names: [String], _ body: @escaping @Sendable (TreePath) async throws -> Value
  ) throws -> [String: Value] {
    try BlockingWait.value {
      try await withThrowingTaskGroup(of: (String, Value).self) { group in
        var values: [String: Value] = [:]
        var rest = names[...]
        while let name = rest.popFirst() {
          if names.count - rest.count > Self.width, let (done, value) = try await group.next() { values[done] = value }
          group.addTask { (name, try await body(TreePath(trusted: name))) }
        }
        for try await (done, value) in group { values[done] = value }
        return values
      }
    }
  }
}
