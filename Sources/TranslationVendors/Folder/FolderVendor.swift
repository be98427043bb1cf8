package import Foundation
package import Localization
internal import Synchronization

/// The owner of a drop folder: a pipeline of an installation.
package struct FolderOwner: Hashable, Sendable {
  /// The identity of this installation, which shows whether another installation uses the same folder. Empty if this installation has none yet.
  package var installation: String
  package var pipeline: String
  /// Former names of the pipeline. Names of outstanding bundles may begin with these names.
  package var formerly: [String]

  package init(installation: String, pipeline: String, formerly: [String] = []) {
    self.installation = installation
    self.pipeline = pipeline
    self.formerly = formerly
  }
}

/// A vendor that exchanges bundles through a drop folder with the folders `to-translate/`, `translated/`, `done/` and `held/` (pipelines.md).
package struct FolderVendor: TranslationVendor {
  package let kind = "folder"
  package let name: String
  let storage: any DropStorage
  let settle: Duration
  let owner: FolderOwner?
  /// Returns whether bundles are outstanding in this folder, according to the ledger.
  let hasWorkOut: @Sendable () async throws -> Bool
  /// The maximum number of bundles that one pull returns. If there are more bundles, the next pull follows after these bundles have been
  /// acknowledged.
  let bundleLimit: Int
  let now: @Sendable () -> Date
  let looks = SettleTracker()
  let memory = FolderMemory()

  /// - Parameters:
  ///   - name: the vendor's name, unique in the pipeline; default: kind and location.
  ///   - settle: the time for which a bundle in `translated/` must stay unchanged before it is read; with 0, it is read at once.
  ///   - owner: the pipeline that claims the folder. Bundles of other pipelines are skipped. With `nil`, the folder is not claimed, and all bundles
  ///     are read.
  ///   - hasWorkOut: returns whether bundles are outstanding in the folder, according to the ledger. If bundles are outstanding, an unclaimed folder
  ///     without `to-translate/` is refused.
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
          "\(storage.place) does not exist, although bundles in it are outstanding. \(stepForMissingWork)."
        ])
      }
      return try await storage.probeMissingRoot()
    }
    let folders = DropNames.folders.sorted() + [DropNames.markers.text]
    if let obstacle = await storage.obstacle(in: folders) { return VendorProbe(faults: [obstacle]) }
    try await checkClaim()
    return VendorProbe(facts: ["\(storage.place) can be read; it has \(listing.entries.count) entries."])
  }

  /// Advice for a missing folder, or a missing `to-translate/`, although bundles are outstanding.
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

/// State that a vendor keeps between calls. The loss of this state has no effect on correctness.
final class FolderMemory: Sendable {
  struct State {
    /// The ways in which entries arrived in `translated/`, by name. Empty unless the folder is watched.
    var arrivals: [String: DropArrival] = [:]
    /// The names of the skipped entries that the last pull found. They are not reported again.
    var told: Set<String> = []
    var hasFolders = false
    var isPruned = false
    var claimChecked: Date?
  }

  let state = Mutex(State())
}
