import FoundationEssentials
import HTTPTransport
import Localization
package import Logging
package import Pipeline
import PostgreSQLStore

/// The operation of `dragoman reconcile`. The operation compares the books with the units that vendors have. It changes neither the books nor
/// anything at the vendors, so it can run while a daemon is running.
package struct BooksReview: Sendable {
  private let store: any Store
  private let composition: Composition
  private let registry = PipelineRegistry()

  /// - Throws: `PipelineError` or `StoreError` if the store does not exist or cannot be read.
  package init(store location: StoreLocation, settings: Settings, environment: [String: String], logger: Logger) throws
  {
    store = try OpenLedger.reading(location, Credentials(environment: environment))
    // A review writes nothing, not even an identity.
    let own = Installation.known(for: location.folder)
    composition = Composition(
      location: location, settings: settings, credentials: Credentials(environment: environment), time: .system,
      isOnce: true, logger: logger, transport: HTTPTransport(),
      installation: try (store as? PostgreSQLStore)?.knownInstallation() ?? own,
      memory: SnapshotMemory(now: TimeSource.system.now),
      readers: BlockingPool("commit readers", width: settings.readers), registry: registry)
  }

  /// Compares the books of a pipeline with the units that its vendors have.
  /// - Parameter vendor: a vendor's name or kind; `nil` for all vendors.
  /// - Returns: the result for each matching vendor, in the order of the pipeline file: the differences, or the reason why the vendor could not be
  ///   queried.
  package func comparisons(
    of definition: PipelineDefinition, vendor: String? = nil
  ) async throws -> [(vendor: String, result: Result<BooksComparison, any Error>)] {
    let context = try composition.context(of: definition, store: store, cache: NoCache())
    var found: [(vendor: String, result: Result<BooksComparison, any Error>)] = []
    for configured in context.vendors
    where vendor == nil || vendor == configured.name || vendor == configured.definition.kind {
      do {
        found.append((configured.name, .success(try await BooksComparison.of(configured, context))))
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        found.append((configured.name, .failure(error)))
      }
    }
    return found
  }
}

/// A cache that stores nothing, because only the process that runs the pipelines may use the real cache.
private struct NoCache: Cache {
  func value(for key: String) throws -> [UInt8]? { nil }
  func setValue(_ value: [UInt8], for key: String) throws {}
  func facts(for blobs: [BlobID], version: String) throws -> [BlobID: [UInt8]] { [:] }
  func store(_ facts: [BlobID: [UInt8]], version: String) throws {}
}
