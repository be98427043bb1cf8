import Pipeline
import Synchronization

/// A search for the pipeline files in a fleet's database that cannot be used. The files are parsed only if one has changed since the last call.
final class StoredFileFaults: Sendable {
  private let disk = BlockingPool("stored pipeline files", width: 1)
  private let last = Mutex<(files: [StoredPipelineFile], faulty: [PipelineReading])>(([], []))

  /// - Parameter files: all files in the database, sorted by name.
  func faulty(among files: [StoredPipelineFile]) async throws -> [PipelineReading] {
    if let known = last.withLock({ $0.files == files ? $0.faulty : nil }) { return known }
    let faulty = try await disk.run { PipelineReading.all(of: files).filter { $0.definition == nil } }
    last.withLock { $0 = (files, faulty) }
    return faulty
  }
}
