import Localization
import Pipeline

/// Functions that end the problems of pipelines whose files were removed.
extension PipelineSupervisor {
  /// Adds to `removed` the pipelines whose files were removed while no daemon was running.
  func noteRemovedWhileStopped() async {
    guard let files, source.hasPaths else { return }
    for name in (try? await disk.run { files.removed() }) ?? [] { removed[name] = .some(nil) }
  }

  /// Deletes the entries in `removed` of pipelines that still have a file. The file may give the pipeline a new name, to which its ledger data moves.
  func keepRemoved(among readings: [PipelineReading]) {
    for name in removed.keys where readings.have(name) { removed[name] = nil }
  }

  func endProblemsOfRemoved() async {
    for (name, definition) in removed.sorted(by: { $0.key < $1.key }) {
      // If the store cannot be used, the worker reports the error, and the next check tries again.
      guard let isElsewhere = try? await isElsewhere(name) else { continue }
      if !isElsewhere {
        guard (try? await actions.endProblems(name, definition)) == true else { continue }
      }
      removed[name] = nil
      if let files { try? await disk.run { files.forget(name) } }
    }
  }

  /// Returns whether another worker may run the pipeline.
  private func isElsewhere(_ name: String) async throws -> Bool {
    guard let fleet else { return false }
    if PipelineReading.all(of: try await fleet.store.pipelineFiles(of: nil)).have(name) { return true }
    // Another worker may still have the file that was removed on this machine.
    return source.hasPaths ? try await fleet.store.workers().count > 1 : false
  }
}

extension [PipelineReading] {
  /// Returns whether one of the files defines a pipeline, under this name or under a new name with this name in `formerly`.
  func have(_ pipeline: String) -> Bool {
    contains { $0.name == pipeline || $0.definition?.formerly.contains(pipeline) == true }
  }
}
