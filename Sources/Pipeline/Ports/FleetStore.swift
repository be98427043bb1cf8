package import FoundationEssentials

/// A ledger that several workers share: which worker runs which pipeline, and the pipeline files. `PostgreSQLStore` implements it.
///
/// A pipeline is held by at most one worker at a time, the one that has its mirror. The worker keeps the pipeline until the worker's lease
/// ends, the pipeline is removed, or the worker has more than its share of pipelines while others have less. Only the holder claims the
/// pipeline's jobs.
package protocol FleetStore: Sendable {
  /// Extends the lease of a worker, frees the pipelines of workers whose leases have ended, and takes free pipelines up to the worker's
  /// share. Running jobs of a pipeline that is taken go back to the queue.
  /// - Parameter wanted: the pipelines that the worker could run; `nil` for all whose files are in the ledger.
  /// - Returns: the pipelines that the worker holds, with the versions of their files; 0 for those without one.
  func attend(_ worker: FleetWorker, wanted: Set<String>?, lease: Duration) async throws -> [String: Int64]

  /// Removes earlier workers with the same name, whose processes used the worker's folder before, and frees their pipelines. The caller
  /// holds the lock of the folder, so these processes have ended. Called once, before the first `attend`.
  func succeed(_ worker: FleetWorker) async throws

  /// Gives up all pipelines of a worker that is stopping.
  func leave(_ worker: FleetWorker) async throws

  /// Returns the workers whose leases have not ended, sorted by name.
  func workers() async throws -> [FleetMember]

  /// Extends the lease of a worker that is stopping, until its running jobs have ended.
  func prolong(_ worker: FleetWorker, lease: Duration) async throws

  /// Returns the identity that distinguishes this installation from others at vendors. The first call by any worker sets it. The call waits
  /// for the database, so make it at startup.
  func installation(orElse identity: String) throws -> String

  // MARK: Pipeline files

  /// Stores pipeline files under the names of their pipelines. A file that is already stored with the same text is left unchanged.
  /// - Parameters:
  ///   - former: the former names of these pipelines. Files stored under them are removed.
  ///   - prunes: whether to remove all other pipelines' files. Their ledger entries are kept.
  func apply(
    _ files: [StoredPipelineFile], replacing former: Set<String>, prunes: Bool
  ) async throws -> AppliedPipelines

  /// - Parameter names: `nil` for all.
  /// - Returns: sorted by name.
  func pipelineFiles(of names: Set<String>?) async throws -> [StoredPipelineFile]

  /// Reports changes by other processes. After a lost connection, it reports a change because it may have missed one.
  func changes() -> AsyncStream<FleetChange>
}

package struct FleetWorker: Hashable, Sendable {
  /// The owner of the worker's leases, unique to one run of the process.
  package var id: String
  /// The location of its mirrors, such as `host:/var/lib/dragoman`. A worker that is restarted there gets its pipelines back.
  package var name: String
  /// The faults in its pipeline files, encoded. Commands on other machines show them. `nil` if there are none.
  package var fileFaults: String?

  package init(id: String, name: String, fileFaults: String? = nil) {
    self.id = id
    self.name = name
    self.fileFaults = fileFaults
  }
}

package struct FleetMember: Hashable, Sendable, Codable {
  package var name: String
  package var started: Date
  /// When its lease ends.
  package var until: Date
  package var pipelines: Int
  /// See ``FleetWorker/fileFaults``.
  package var fileFaults: String?

  package init(name: String, started: Date, until: Date, pipelines: Int, fileFaults: String? = nil) {
    self.name = name
    self.started = started
    self.until = until
    self.pipelines = pipelines
    self.fileFaults = fileFaults
  }
}

package struct StoredPipelineFile: Hashable, Sendable {
  package var name: String
  /// The path it was read from, for messages.
  package var path: String
  package var text: String
  package var version: Int64

  package init(name: String, path: String, text: String, version: Int64 = 0) {
    self.name = name
    self.path = path
    self.text = text
    self.version = version
  }
}

package struct AppliedPipelines: Hashable, Sendable {
  package var added: [String] = []
  package var changed: [String] = []
  package var unchanged: [String] = []
  package var removed: [String] = []

  package init() {}
}

package enum FleetChange: Hashable, Sendable {
  /// Jobs were queued.
  case jobs
  /// Pipelines became free, their files changed, or people made decisions about rounds.
  case pipelines
}
