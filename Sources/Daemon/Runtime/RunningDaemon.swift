package import Foundation
package import Localization
package import Pipeline
package import ReadModel
package import TranslationVendors

/// The parts of a running daemon that its HTTP server can use.
package struct RunningDaemon: Sendable {
  /// The number and the size of the mirrors of all repositories. The mirrors of their submodules are not counted.
  package struct Mirrors: Hashable, Sendable {
    package var count = 0
    /// The total size of the mirrors' pack files, in bytes. Loose objects are not counted.
    package var packBytes = 0
  }

  package let store: any Store
  package let people: any PeopleStore
  package let history: any CommitHistoryStore
  /// The queries of the dashboard and the API.
  package var model: ReadModel { ReadModel(store: store, people: people, history: history) }
  /// The progress of the stages, as it happens.
  package let events: ProgressFeed
  package let measurements: RunMeasurements
  private let faults: FileFaults?
  private let fleet: (any FleetStore)?
  private let storedFaults = StoredFileFaults()
  /// The facts that workers share; `nil` if the workers share no facts.
  package let sharedFacts: SharedCache?
  package let now: @Sendable () -> Date
  /// The log; `nil` if the daemon has no log, as in tests.
  package let log: ServiceLog?
  private let registry: PipelineRegistry
  private let credentials: Credentials
  private let folder: String
  private let disk = BlockingPool("server files", width: 1)
  private let pictures = ScreenshotIndex()

  package init(
    store: any Store, people: any PeopleStore, history: any CommitHistoryStore, events: ProgressFeed,
    registry: PipelineRegistry,
    credentials: Credentials, folder: String,
    measurements: RunMeasurements, faults: FileFaults? = nil, fleet: (any FleetStore)? = nil,
    sharedFacts: SharedCache? = nil, log: ServiceLog? = nil,
    now: @escaping @Sendable () -> Date
  ) {
    self.store = store
    self.people = people
    self.history = history
    self.events = events
    self.registry = registry
    self.credentials = credentials
    self.folder = folder
    self.measurements = measurements
    self.faults = faults
    self.fleet = fleet
    self.sharedFacts = sharedFacts
    self.log = log
    self.now = now
  }

  /// The names of the running pipelines, sorted.
  package var pipelines: [String] { registry.names.sorted() }

  /// The faults that this process found in its pipeline files.
  package var fileFaults: [FileFault] { faults?.all ?? [] }

  /// Returns the faults of pipeline files; in a fleet, also those of the other workers and of the database, and the pipelines whose files differ.
  package func fileProblems() async throws -> [PipelineProblem] {
    guard let fleet else { return fileFaults.map(\.problem) }
    return try await FileFaults.all(fileFaults, and: fleet, storedFaults, now: now()).map(\.problem)
  }

  /// Returns the names of the paused pipelines, sorted.
  package func paused() async throws -> [String] {
    try await people.controls(of: nil).filter { $0.value.pause != nil }.keys.sorted()
  }

  /// Returns the current problems: faults of pipeline files, and then the problems in the ledger.
  /// - Parameter pipeline: the name of the pipeline; `nil` for all pipelines.
  package func problems(of pipeline: String?) async throws -> [PipelineProblem] {
    try await fileProblems().filter { pipeline == nil || $0.pipeline == pipeline }
      + (try await model.problems(of: pipeline))
  }

  /// Returns the current definition of a running pipeline.
  package func definition(of pipeline: String) -> PipelineDefinition? { registry[pipeline]?.definition }

  /// Returns the content of the newest commit of a watched branch. The commit is read if its content is not in memory.
  /// - Returns: `nil` if the pipeline does not run, or does not watch the branch.
  package func snapshot(of pipeline: String, branch: String) async throws -> Snapshot? {
    guard let context = registry[pipeline],
      let head = try await store.heads(of: pipeline).first(where: { $0.branch == branch })
    else { return nil }
    return try await context.snapshots.snapshot(of: head.commit)
  }

  /// Reads lines of a source file in a commit, from the mirror.
  /// - Parameters:
  ///   - line: the number of the line in the middle, from 1.
  ///   - context: the number of lines before and after the line in the middle.
  /// - Returns: the number of the first line, and the lines, each with at most 400 bytes; `nil` if the file cannot be read or has no such line.
  package func excerpt(
    of path: TreePath, line: Int, context: Int, in snapshot: Snapshot
  ) async throws -> (first: Int, lines: [String])? {
    try await disk.run {
      // A file that is missing in the mirror only makes its excerpt unavailable, so the error is ignored.
      guard let bytes = try? snapshot.tree.read(path) else { return nil }
      let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      guard lines.indices.contains(line - 1) else { return nil }
      let shown = lines[max(0, line - 1 - context)..<min(lines.count, line + context)]
      return (shown.startIndex + 1, shown.map { String(decoding: $0.prefix(400), as: UTF8.self) })
    }
  }

  /// Returns the screenshots that show a string of a commit.
  /// - Throws: errors from the mirror if it cannot be read.
  package func screenshots(
    of unit: UnitID, of pipeline: String, in snapshot: Snapshot
  ) async throws -> [FoundScreenshot] {
    guard let context = registry[pipeline], let catalog = snapshot.synced[unit.catalog] else { return [] }
    // Any language can be used, because a picture shows the same strings in all languages.
    let language = snapshot.languages.first ?? catalog.sourceLanguage
    let file = ExchangeFile(
      original: unit.catalog.text, sourceLanguage: catalog.sourceLanguage, targetLanguage: language,
      units: catalog.units([unit.key], for: language))
    return try await pictures.screenshots(
      of: [file], in: context, at: snapshot.commit.id, seconds: now().timeIntervalSince1970)
  }

  /// Reads a screenshot of a pipeline.
  /// - Returns: `nil` if the pipeline does not run or has no screenshots, the branch is not watched, or there is no such picture.
  /// - Throws: errors from the mirror if it cannot be read.
  package func screenshot(
    _ place: FoundScreenshot, of pipeline: String, branch: String
  ) async throws -> (format: Screenshot.Format, bytes: [UInt8])? {
    guard let read = registry[pipeline]?.readPicture,
      let head = try await store.heads(of: pipeline).first(where: { $0.branch == branch })
    else { return nil }
    return try await read(head.commit, place.folder, place.path)
  }

  /// Returns the decisions that a person can make. The decisions take effect immediately. Decisions made in other processes take effect within two
  /// seconds.
  package func decisions(of actor: Actor) -> Decisions {
    Decisions(model: model, actor: actor, made: { [log] in log?.note($0) }) { [self] effect in
      switch effect {
      case .pauses:
        registry.setPaused(Set(try await people.controls(of: nil).filter { $0.value.pause != nil }.keys))
      case .jobs(let pipeline):
        guard let context = registry[pipeline] else { return }
        try await context.reconciler.reconcile(context)
      }
    }
  }

  /// Returns whether a pipeline is running and has a webhook.
  package func hasWebhook(_ pipeline: String) -> Bool {
    registry[pipeline].map { $0.definition.repository.webhook != .none } ?? false
  }

  /// Reads the secret of a pipeline's webhook. The secret is read at each use, so a changed file needs no restart.
  /// - Returns: `nil` if the pipeline is not running or has no webhook.
  /// - Throws: `PipelineError` with the location of the secret if the secret cannot be read.
  package func webhookSecret(of pipeline: String) async throws -> Secret? {
    guard let reference = registry[pipeline]?.definition.repository.webhook else { return nil }
    return try await disk.run { [credentials] in
      try credentials.secret(reference, for: "the webhook of \(pipeline)")
    }
  }

  /// Returns how requests to the webhook of a vendor are authenticated.
  /// - Parameter vendor: the vendor's name, or its kind if the pipeline has only one vendor of this kind.
  /// - Returns: `nil` if the pipeline is not running, has no such vendor, or the vendor has no webhook.
  package func vendorWebhook(of pipeline: String, _ vendor: String) -> VendorWebhook? {
    guard let found = self.vendor(of: pipeline, vendor), found.definition.webhook != .none else { return nil }
    return VendorRegistry.kind(named: found.definition.kind)?.webhook
  }

  /// Reads the secret of a vendor's webhook. The secret is read at each use, so a changed file needs no restart.
  /// - Returns: `nil` if the pipeline is not running, has no such vendor, or the vendor has no webhook.
  /// - Throws: `PipelineError` with the location of the secret if the secret cannot be read.
  package func vendorWebhookSecret(of pipeline: String, _ vendor: String) async throws -> Secret? {
    guard let reference = self.vendor(of: pipeline, vendor)?.definition.webhook else { return nil }
    return try await disk.run { [credentials] in
      try credentials.secret(reference, for: "the webhook of vendor \(vendor) of \(pipeline)")
    }
  }

  /// Makes a pipeline check a vendor soon, because a verified webhook request reported a change at the vendor.
  package func noteEvent(of pipeline: String, vendor: String) {
    guard let found = self.vendor(of: pipeline, vendor) else { return }
    registry[pipeline]?.vendorLooks.request(found.name)
  }

  private func vendor(of pipeline: String, _ name: String) -> ConfiguredVendor? {
    let all = registry[pipeline]?.vendors ?? []
    if let found = all.first(where: { $0.name == name }) { return found }
    let kind = all.filter { $0.definition.kind == name }
    return kind.count == 1 ? kind[0] : nil
  }

  /// Makes a pipeline check its repository soon, because a verified webhook event reported a change.
  package func noteEvent(of pipeline: String) { registry.looks(of: pipeline).noteEvent(at: now()) }

  /// Returns the time of the last event of a pipeline's webhook; `nil` if none has arrived since the start.
  package func lastEvent(of pipeline: String) -> Date? { registry.looks(of: pipeline).lastEvent }

  /// Returns the number of the mirrors on disk, and the size of their pack files.
  package func mirrors() async throws -> Mirrors {
    try await disk.run { [folder] in
      var mirrors = Mirrors()
      let files = FileManager.default
      // The folder may not exist yet, and then it has no mirrors.
      for name in (try? files.contentsOfDirectory(atPath: folder + "/mirrors")) ?? [] where name.hasSuffix(".git") {
        mirrors.count += 1
        let packs = "\(folder)/mirrors/\(name)/objects/pack"
        for pack in (try? files.contentsOfDirectory(atPath: packs)) ?? [] where pack.hasSuffix(".pack") {
          let size = try? files.attributesOfItem(atPath: "\(packs)/\(pack)")[.size] as? UInt64
          mirrors.packBytes += Int(clamping: size ?? 0)
        }
      }
      return mirrors
    }
  }
}
