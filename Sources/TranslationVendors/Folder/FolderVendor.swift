package import Foundation
package import Localization
internal import Synchronization

/// The owner of a folder's bundles.
package struct FolderOwner: Hashable, Sendable {
  /// Identifies this installation among others that may use the same folder: random, stored with the ledger.
  package var installation: String
  package var pipeline: String
  /// Former names of the pipeline. Names of outstanding bundles may begin with them.
  package var formerly: [String]

  package init(installation: String, pipeline: String, formerly: [String] = []) {
    self.installation = installation
    self.pipeline = pipeline
    self.formerly = formerly
  }
}

/// Exchanges bundles through a folder (pipelines.md): `to-translate/`, `translated/`, `done/`, `held/`.
package struct FolderVendor: TranslationVendor {
  package let kind = "folder"
  package let name: String
  let storage: any DropStorage
  let settle: Duration
  let owner: FolderOwner?
  /// Whether bundles are outstanding in this folder, by the books.
  let hasWorkOut: @Sendable () async throws -> Bool
  /// The maximum number of bundles of one pull. After these are put away, the next pull follows at once.
  let bundleLimit: Int
  let now: @Sendable () -> Date
  let looks = SettleTracker()
  let memory = FolderMemory()

  /// - Parameters:
  /// - name: distinguishes it from other vendors of the pipeline; default: kind and location.
  /// - settle: the time for which a bundle in `translated/` must not have changed; 0 takes it at once.
  /// - owner: claims the folder and skips other pipelines' bundles; `nil` takes all bundles.
  /// - hasWorkOut: whether bundles are outstanding in the folder, by the books. An empty folder is then refused.
  package init(
    storage: any DropStorage, name: String? = nil, settle: Duration = .seconds(2), owner: FolderOwner? = nil,
    hasWorkOut: @escaping @Sendable () async throws -> Bool = { false }, bundleLimit: Int = 500,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.storage = storage
    self.name = name ?? "folder:\(storage.place)"
    self.settle = settle
    self.owner = owner
    self.hasWorkOut = hasWorkOut
    self.bundleLimit = bundleLimit
    self.now = now
  }

  package func probe(_ languages: [LocaleIdentifier]) async throws -> VendorProbe {
    guard let listing = try await storage.list(.root) else {
      guard try await !hasWorkOut() else {
        return VendorProbe(faults: [
          "\(storage.place) does not exist, although bundles are out for translation in it. \(stepForMissingWork)."
        ])
      }
      return try await storage.probeMissingRoot()
    }
    let folders = DropNames.folders.sorted() + [DropNames.markers.text]
    if let obstacle = await storage.obstacle(in: folders) { return VendorProbe(faults: [obstacle]) }
    try await checkClaim()
    return VendorProbe(facts: ["\(storage.place) can be read; it has \(listing.entries.count) entries."])
  }

  /// Advice for a folder that is missing or empty although bundles in it are outstanding.
  var stepForMissingWork: String {
    "Is the disk mounted? To use this folder from now on, create \(storage.place(of: DropNames.toTranslate))"
  }

  package func changes() -> AsyncStream<Void>? {
    storage.changes(in: DropNames.translated) { [memory] name, arrival in
      memory.state.withLock { $0.arrivals[name] = arrival }
    }
  }

  func unlessMissing<Result>(_ body: () async throws -> Result) async throws -> Result? {
    do { return try await body() } catch let error as VendorError where error.kind == .missing { return nil }
  }

  func isPlainName(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }
}

/// State between calls. It may be lost at any time.
final class FolderMemory: Sendable {
  struct State {
    /// How entries came into `translated/`, if the folder is watched.
    var arrivals: [String: DropArrival] = [:]
    /// Names that were reported as not taken.
    var told: Set<String> = []
    var hasFolders = false
    var isPruned = false
    var claimChecked: Date?
  }

  let state = Mutex(State())
}
