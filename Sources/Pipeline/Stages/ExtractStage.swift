import FoundationEssentials

/// Reads a commit: its layout, its catalogs, and the strings of its code.
enum ExtractStage {
  static func run(_ job: Job, of run: Run, _ parts: PipelineParts) async throws -> StageOutcome {
    let snapshot = try await parts.snapshots.snapshot(of: run.commit)
    let scope = job.scope
    let next = NewJob(run: run.id, stage: .diff, scope: scope, lane: "round", due: due(run, parts))
    let parsed = snapshot.parsedFiles == 1 ? "1 file parsed" : "\(snapshot.parsedFiles) files parsed"
    return StageOutcome(
      next: [next], detail: "\(snapshot.strings) strings, \(snapshot.committed.count) catalogs, \(parsed)",
      diagnostics: snapshot.diagnostics)
  }

  /// A round goes out when no commit came for `quiet`, at the latest after `latest`; a branch that is seen for the first time waits for
  /// nothing.
  private static func due(_ run: Run, _ parts: PipelineParts) -> Date {
    let now = parts.time.now()
    guard !parts.isOnce, let since = run.pendingSince else { return now }
    let rounds = parts.definition.rounds
    return max(
      now,
      min(run.created.addingTimeInterval(rounds.quiet.seconds), since.addingTimeInterval(rounds.latest.seconds)))
  }
}
