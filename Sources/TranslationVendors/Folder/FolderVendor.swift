package import Foundation
package import Localization
internal import Synchronization

/// Whose bundles a folder holds.
package struct FolderOwner: Hashable, Sendable {
  /// Tells this installation from others that may use the same folder: random, kept with the ledger.
  package var installation: String
  package var pipeline: String
  /// The pipeline's earlier names, which bundles that are still out begin with.
  package var formerly: [String]

  package init(installation: String, pipeline: String, formerly: [String] = []) {
    self.installation = installation
    self.pipeline = pipeline
    self.formerly = formerly
  }
}

/// A folder in which bundles are put and picked up (pipelines.md): `to-translate/`, `translated/`, `done/`, `held/`.
package struct FolderVendor: TranslationVendor {
  package let kind = "folder"
  package let name: String
  let storage: any DropStorage
  let settle: Duration
  let owner: FolderOwner?
  /// Whether bundles are out in the folder, by the books.
  let hasWorkOut: @Sendable () async throws -> Bool
  /// The most bundles that one look takes. The next look follows at once, after these are put away.
  let bundleLimit: Int
  let now: @Sendable () -> Date
  let looks = SettleTracker()
  let memory = FolderMemory()

  /// - Parameters:
  ///   - name: tells it from other vendors of the pipeline; default: kind and place.
  ///   - settle: how long a bundle in `translated/` must have been left alone; 0 takes it at once.
  ///   - owner: claims the folder, and leaves other pipelines' bundles alone; `nil` takes whatever is there.
  ///   - hasWorkOut: whether the books know of bundles that are out in the folder: an empty one is refused then.
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
      return VendorProbe(faults: ["\(storage.place) does not exist. Create the folder, or correct `path`."])
    }
    return VendorProbe(facts: ["\(storage.place) can be read; it has \(listing.entries.count) entries."])
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

/// What a folder vendor remembers between calls. All of it may be forgotten.
final class FolderMemory: Sendable {
  struct State {
    /// How names came into `translated/`, where that is watched.
    var arrivals: [String: DropArrival] = [:]
    /// Names that were told as not taken.
    var told: Set<String> = []
    var hasFolders = false
    var isPruned = false
    var claimChecked: Date?
  }

  let state = Mutex(State())
}
