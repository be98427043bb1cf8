import FoundationEssentials
import Localization
import Pipeline

/// A worker's membership in a fleet. It extends the worker's lease, takes pipelines, recovers the jobs of dead workers, and reports changes that
/// other workers make.
struct FleetMembership: Sendable {
  let store: any FleetStore
  let worker: FleetWorker
  let lease: Duration
  let time: TimeSource
  /// The faults of this worker's files, for commands on other machines.
  let faults: FileFaults

  /// The interval between searches for jobs of dead workers.
  private static let recovery = Duration.seconds(30)

  /// Extends the worker's lease, takes free pipelines up to the worker's share, and gives up pipelines that are not wanted or exceed the share.
  /// - Returns: the pipelines that this worker runs now, with the versions of their files.
  func turn(wanted: Set<String>?) async throws -> [String: Int64] {
    var worker = worker
    worker.fileFaults = faults.shared
    return try await store.attend(worker, wanted: wanted, lease: lease)
  }

  /// Extends the lease, recovers the jobs of dead workers, and reports changes by other workers, until the task is cancelled. Then the worker leaves
  /// the fleet.
  /// - Parameters:
  ///   - jobs: called when jobs may have been queued.
  ///   - pipelines: called when pipelines, or decisions about them, may have changed.
  ///   - differences: called every 30 seconds with one fault for each pipeline whose file on this worker differs from that on other workers or in the
  ///     database.
  func run(
    _ ledger: any Store, jobs: @escaping @Sendable () -> Void, pipelines: @escaping @Sendable () async -> Void,
    differences: @escaping @Sendable ([FileFault]) -> Void = { _ in }
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        while !Task.isCancelled {
          // A lease that cannot be extended expires, and other workers take over the pipelines.
          try? await store.prolong(worker, lease: lease)
          do { try await time.sleep(lease / 4) } catch { return }
        }
      }
      group.addTask { [self] in
        while !Task.isCancelled {
          try? await ledger.recoverJobs(except: worker.id)
          if let found = try? await self.differences() { differences(found) }
          do { try await time.sleep(Self.recovery) } catch { return }
        }
      }
      group.addTask { [self] in
        for await change in store.changes() {
          switch change {
          case .jobs: jobs()
          case .pipelines: await pipelines()
          }
        }
      }
    }
    // If this fails because the database is unreachable, the lease expires.
    try? await Task.detached { [self] in try await store.leave(worker) }.value
  }

  /// Returns one fault for each pipeline whose file on this worker differs from that on other workers or in the database; empty if this worker reads
  /// its files from the database.
  private func differences() async throws -> [FileFault] {
    guard let own = faults.shared.map(SharedFiles.init), !own.digests.isEmpty else { return [] }
    return SharedFiles.differences(
      of: try await store.workers(), try await store.pipelineFiles(of: nil), since: time.now()
    ).filter { own.digests[$0.path] != nil }
  }

  /// Returns the name of the worker that uses a folder. The name stays the same when a worker is started again in this folder.
  static func name(of folder: String, installation: String) -> String {
    "\(ProcessInfo.processInfo.hostName):\(folder)#\(installation.prefix(8))"
  }
}
