import FoundationEssentials
import Localization

/// Reads a commit: its layout, its catalogs, and the strings in its code. If all catalogs could be read, also records the completion of the
/// branch's languages.
enum ExtractStage {
  static func run(_ job: Job, of head: Run, _ context: PipelineContext) async throws -> StageOutcome {
    let snapshot = try await snapshot(of: head.commit, context)
    // The next stage uses the index for planning.
    async let index = context.snapshots.index(of: snapshot)
    let parsed = snapshot.parsedFiles == 1 ? "1 file parsed" : "\(snapshot.parsedFiles) files parsed"
    let strings = snapshot.found.count == 1 ? "1 string" : "\(snapshot.found.count) strings"
    let catalogs = snapshot.committed.count == 1 ? "1 catalog" : "\(snapshot.committed.count) catalogs"
    // Without the catalogs that cannot be read, the figures would be wrong.
    if let people = context.people, snapshot.isComplete, snapshot.broken.isEmpty, !snapshot.lacksObjects {
      try await people.noteCompletion(
        snapshot.completion(context.definition.fallbacks).languages, of: context.name, branch: head.branch,
        commit: head.commit)
    }
    _ = try await index
    // The missing objects may appear at the remote later.
    let end =
      snapshot.lacksObjects ? StageOutcome.End.wait(for: .seconds(900)) : .done
    return StageOutcome(
      end, detail: "\(strings), \(catalogs), \(parsed)",
      diagnostics: snapshot.diagnostics, lasting: snapshot.diagnostics.filter { $0.severity == .error })
  }

  /// Reads the commit. If the mirror lacks objects of the commit, refreshes the mirror and reads the commit again. After that, only objects
  /// that the remote also lacks are missing.
  private static func snapshot(of commit: CommitID, _ context: PipelineContext) async throws -> Snapshot {
    let snapshot = try await context.snapshots.snapshot(of: commit)
    guard snapshot.lacksObjects else { return snapshot }
    _ = try await context.mirror.refresh()
    return try await context.snapshots.snapshot(of: commit)
  }
}
