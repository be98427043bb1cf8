import CatalogFormats
import Foundation
import LedgerStore
import Localization
import Logging
import SQLiteStore
import Simulation
import TestSupport
import Workspace

@testable import Pipeline

/// A pipeline with a simulated repository, a real ledger in a temporary folder and a vendor in memory.
final class TestPipeline: Sendable {
  static let name = "birds"
  static let strings = ProjectPlaces.strings(of: "App")
  static let catalog = ProjectPlaces.catalog("Localizable", of: "App")
  static let target = "l10n/main"

  let folder: TemporaryFolder
  let clock: TestClock
  let store: SQLiteStore
  let history: GitHistory
  let remote: RemoteRepository
  let mirrorFolder: MirrorFolder
  let mirror: SimulatedMirror
  let registry = PipelineRegistry()
  let vendor: TestVendor
  let memory: SnapshotMemory

  /// Creates a pipeline with an empty repository.
  /// - Parameter keepsStrings: whether the vendor keeps strings by key.
  convenience init(keepsStrings: Bool = false) throws {
    let history = GitHistory()
    try self.init(
      clock: TestClock(), history: history, remote: RemoteRepository(name: "birds", history: history),
      mirrorFolder: MirrorFolder(), vendor: TestVendor(name: "v", keepsStrings: keepsStrings))
  }

  /// Creates a pipeline on the same repository after its ledger was lost. The vendor has no outstanding units.
  convenience init(losingLedgerOf other: TestPipeline) throws {
    try self.init(
      clock: other.clock, history: other.history, remote: other.remote, mirrorFolder: other.mirrorFolder)
  }

  /// Creates a pipeline on the same repository with an earlier ledger.
  /// - Parameter backup: the path of a backup made by `backUp`.
  convenience init(restoring backup: String, of other: TestPipeline) throws {
    try self.init(
      clock: other.clock, history: other.history, remote: other.remote, mirrorFolder: other.mirrorFolder,
      backup: backup)
  }

  /// Backs up the ledger.
  /// - Returns: the path of the backup, in the pipeline's folder.
  func backUp() throws -> String {
    let path = folder.path + "/backup"
    _ = try LedgerCopies.back(up: folder.path, to: path)
    return path
  }

  private init(
    clock: TestClock, history: GitHistory, remote: RemoteRepository, mirrorFolder: MirrorFolder,
    vendor: TestVendor = TestVendor(name: "v"), backup: String? = nil
  ) throws {
    self.vendor = vendor
    self.clock = clock
    self.history = history
    self.remote = remote
    self.mirrorFolder = mirrorFolder
    folder = try TemporaryFolder("pipeline")
    if let backup { _ = try LedgerCopies.restore(backup, to: folder.path, suffix: "test") }
    store = try SQLiteStore(folder: folder.path, clock: { clock.now })
    let time = VirtualTime()
    mirror = SimulatedMirror(
      remote: remote, folder: mirrorFolder, pipeline: Self.name, life: Life(disk: SimulatedDisk(), time: time),
      time: time)
    memory = SnapshotMemory(now: { clock.now })
  }

  /// Returns the definition of the pipeline with a test's changes.
  static func definition(_ change: (inout PipelineDefinition) -> Void = { _ in }) -> PipelineDefinition {
    var definition = PipelineDefinition(
      name: name, repository: RepositorySettings(url: "/birds.git"), languages: ["de"],
      vendors: [VendorDefinition(kind: "memory")], rounds: RoundSettings(quiet: .zero, latest: .zero))
    change(&definition)
    return definition
  }

  func context(
    _ definition: PipelineDefinition = TestPipeline.definition(), store: (any Store)? = nil,
    mirror: (any RepositoryMirror)? = nil, time: TimeSource? = nil
  ) -> PipelineContext {
    let mirror = mirror ?? self.mirror
    return PipelineContext(
      definition: definition, mirror: mirror,
      snapshots: SnapshotLoader(
        definition: definition, mirror: mirror, tools: .simulated, extractorVersion: "1", cache: nil, threads: 1,
        memory: memory, pool: BlockingPool("commits", width: 1)),
      formats: ProjectTools.simulated.format, audit: CatalogAudit(), merger: LocalizationMerger(),
      vendors: definition.vendors.map { ConfiguredVendor(definition: $0, vendor: vendor) },
      store: store ?? self.store, time: time ?? clock.time, isOnce: false, signal: registry.signal,
      reconciler: registry.reconciler(of: definition.name))
  }

  /// Returns a worker for the pipeline. Each wait of its time source lasts until it is cancelled. Otherwise, heartbeats would run in a busy
  /// loop.
  func worker(
    store: (any Store)? = nil, width: Int = 4, executor: PooledTaskExecutor? = nil,
    policy: RetryPolicy = RetryPolicy(), observer: WorkerObserver = WorkerObserver()
  ) -> Worker {
    Worker(
      pipelines: registry, store: store ?? self.store, owner: "me", width: width, executor: executor,
      time: waitingTime, policy: policy,
      observer: observer, logger: .silent)
  }

  /// A time source with the test's clock, in which each wait lasts until it is cancelled.
  var waitingTime: TimeSource {
    TimeSource(now: { [clock] in clock.now }, sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
  }

  /// Runs the pipeline once.
  /// - Returns: the findings.
  func findings(_ context: PipelineContext, isThorough: Bool = false) async throws -> [String] {
    let found = Log<String>()
    try await run(
      context, isThorough: isThorough,
      observer: WorkerObserver(found: { for diagnostic in $1 { found.add(diagnostic.message) } }))
    return found.elements
  }

  // MARK: Commits

  /// Commits a project with “Feed” and “Fly”, and delivers a translation of “Feed”.
  /// - Returns: the commit.
  func deliverFeed() async throws -> CommitID {
    let main = commit(Self.tree(["Feed", "Fly"]))
    try await run(context())
    vendor.give(["Feed": "Füttern"])
    try await run(context())
    return main
  }

  /// Returns the project with these strings in code and these German translations by key. The source text of each string is its key.
  static func tree(_ keys: [String], de: [String: String] = [:], other: [TreePath: [UInt8]] = [:]) -> FileTree {
    var tree = FileTree(other)
    tree.setLines(keys.map { SourceLine(table: "Localizable", key: $0) }, of: "App")
    var catalog = Catalog(path: Self.catalog, sourceLanguage: "en")
    for key in Set(keys).union(de.keys) { catalog.entries[UnitKey(key)] = CatalogEntry() }
    for (key, text) in de { catalog.entries[UnitKey(key)]?.translations["de"] = Translation(text) }
    tree[Self.catalog] = FileTree.emptyCatalog
    tree.write(catalog)
    return tree
  }

  /// Makes a person's commit and moves the branch to this commit. The commit's parent is the head of the branch unless other parents are given.
  @discardableResult
  func commit(
    _ tree: FileTree, to branch: String = "main", on parents: [CommitID]? = nil, message: String = "Change"
  ) -> CommitID {
    let person = CommitSignature(name: "Person", email: "person@example.com", seconds: 1_700_000_000)
    let commit = history.commit(
      tree, parents: parents ?? remote.head(of: branch).map { [$0] } ?? [], message: message, author: person,
      committer: person)
    remote.move(branch, to: commit.id)
    return commit.id
  }

  /// Polls the repository and stores the commits that it finds as heads.
  @discardableResult
  func heads(_ context: PipelineContext) async throws -> [Run] {
    let branches = try await mirror.refresh().filter { context.definition.watches($0.name, defaultBranch: "main") }
    return try await store.adopt(branches, of: Self.name)
  }

  func head(_ context: PipelineContext) async throws -> Run {
    guard let run = try await heads(context).first(where: { $0.branch == "main" }) else { throw NoHead() }
    return run
  }

  struct NoHead: Error {}

  // MARK: Running

  /// Polls once, makes all waiting jobs due, and runs all due jobs.
  func run(_ context: PipelineContext, isThorough: Bool = false, observer: WorkerObserver = WorkerObserver())
    async throws
  {
    registry.set(context)
    _ = try await Watcher(context: context, observer: observer).look(isThorough: isThorough)
    try await store.wake(Self.name, stage: nil, scope: nil)
    try await worker(observer: observer).drain()
  }

  /// Returns the German text of a key on a branch of the remote.
  func german(_ key: String, on branch: String = TestPipeline.target) -> String? {
    remote.tree(of: branch)?.translation(of: UnitID(catalog: Self.catalog, key: UnitKey(key)), in: "de")?.value
  }

  func deliveries() async throws -> [Delivery] {
    try await store.deliveries(of: Self.name, since: Date(timeIntervalSince1970: 0))
  }
}

extension Logger {
  static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
