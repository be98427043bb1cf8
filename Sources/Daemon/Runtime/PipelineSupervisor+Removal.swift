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
    guard !removed.isEmpty else { return }
    let defined = readings.definedPipelines
    for name in removed.keys where defined.contains(name) { removed[name] = nil }
  }

  func endProblemsOfRemoved() async {
    // If the store cannot be used, the worker reports the error, and the next check tries again.
    guard !removed.isEmpty, let elsewhere = try? await removedButElsewhere() else { return }
    for (name, definition) in removed.sorted(by: { $0.key < $1.key }) {
      if !elsewhere.contains(name) {
        guard (try? await actions.endProblems(name, definition)) == true else { continue }
      }
      removed[name] = nil
      if let files { try? await disk.run { files.forget(name) } }
    }
  }

  /// Returns the removed pipelines that another worker may run.
  private func removedButElsewhere() async throws -> Set<String> {
    guard let fleet else { return [] }
    let names = Set(removed.keys)
    // Another worker may still have the files that were removed on this machine.
    if source.hasPaths, try await fleet.store.workers().count > 1 { return names }
    let stored = Set(try await fleet.store.pipelineFiles(of: names).map(\.name))
    guard stored != names else { return stored }
    let files = try await fleet.store.pipelineFiles(of: nil)
    let defined = try await disk.run { PipelineReading.all(of: files).definedPipelines }
    return stored.union(names.intersection(defined))
  }
}

extension [PipelineReading] {
  /// The names of the pipelines that the files define, and their former names in `formerly`.
  var definedPipelines: Set<String> {
    var names = Set(compactMap(\.name))
    for reading in self { names.formUnion(reading.definition?.formerly ?? []) }
    return names
  }
}
