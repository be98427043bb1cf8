package import FoundationEssentials

/// The part of a ledger that several workers share. It assigns pipelines to workers, and stores the pipeline files. `PostgreSQLStore`
/// implements it.
///
/// At most one worker at a time holds a pipeline and updates the pipeline's mirror. The worker keeps the pipeline until the worker stops, the
/// worker's lease ends, the pipeline is removed, or the worker has more than its share of pipelines while others have less. Only the holder claims
/// the pipeline's jobs.
package protocol FleetStore: Sendable {
  /// Extends the lease of a worker, frees the pipelines of workers whose leases have ended, and takes free pipelines up to the worker's
  /// share. Gives up pipelines that are not wanted, and gradually those beyond the share. The running jobs of a pipeline that the worker
  /// takes go back to the queue.
  /// - Parameter wanted: the pipelines that the worker could run; `nil` for all whose files are in the ledger.
  /// - Returns: the pipelines that the worker holds, with the versions of their files; the version is 0 for pipelines without a file.
  func attend(_ worker: FleetWorker, wanted: Set<String>?, lease: Duration) async throws -> [String: Int64]

  /// Removes earlier workers with the same name, whose processes used the worker's folder before, and frees their pipelines. The caller
  /// holds the lock of the folder, so these processes have ended. Must be called once, before the first `attend`.
  func succeed(_ worker: FleetWorker) async throws

  /// Removes a worker that is stopping, and gives up all its pipelines.
  func leave(_ worker: FleetWorker) async throws

  /// Returns the workers whose leases have not ended, sorted by name.
  func workers() async throws -> [FleetMember]

  /// Extends the lease of a worker that is stopping, until its running jobs have ended.
  func prolong(_ worker: FleetWorker, lease: Duration) async throws

  /// Returns the identity that distinguishes this installation from others at vendors. If none is stored yet, `identity` is stored and returned;
  /// otherwise, the stored identity is returned. The call blocks until the database responds, so make this call at startup.
  func installation(orElse identity: String) throws -> String

  // MARK: Pipeline files

  /// Stores pipeline files under the names of their pipelines. A file that is already stored with the same text is left unchanged.
  /// - Parameters:
  ///   - former: the former names of these pipelines. Files stored under them are removed.
  ///   - prunes: whether to remove all other pipelines' files. The ledger entries of these pipelines are kept.
  func apply(
    _ files: [StoredPipelineFile], replacing former: Set<String>, prunes: Bool
  ) async throws -> AppliedPipelines

  /// Returns stored pipeline files, sorted by name.
  /// - Parameter names: the names of the pipelines; `nil` for all pipelines.
  func pipelineFiles(of names: Set<String>?) async throws -> [StoredPipelineFile]

  /// Reports changes by other processes. A change is also reported after a lost connection, because a change may have been missed during
  /// that time.
  func changes() -> AsyncStream<FleetChange>
}

package struct FleetWorker: Hashable, Sendable {
  /// The owner of the worker's leases, unique to one run of the process.
  package var id: String
  /// The location of the worker's mirrors, such as `host:/var/lib/dragoman`. A worker that is restarted there gets its pipelines back.
  package var name: String
  /// The faults in the worker's pipeline files, encoded. Commands on other machines show them. `nil` if there are no faults.
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
  /// The time when the worker's lease ends.
  package var until: Date
  package var pipelines: Int
  /// The faults in the worker's pipeline files, as in ``FleetWorker/fileFaults``.
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
  /// The path from which the file was read, for messages.
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
  /// Pipelines became free, pipeline files changed, or planning must run again (`PendingWork.decisions`), for example after a person's decision.
  case pipelines
}
