package import FoundationEssentials

/// Reads a commit: its layout, its catalogs, and the strings of its code.
enum ExtractStage {
  static func run(_ job: Job, of run: Run, _ context: PipelineContext) async throws -> StageOutcome {
    let snapshot = try await context.snapshots.snapshot(of: run.commit)
    let now = context.time.now()
    let due = context.isOnce ? now : context.definition.rounds.due(for: run, now: now)
    // A second reading, after objects were missing, is followed by a second comparison.
    let scope = job.version > 1 ? "\(job.scope) reading \(job.version)" : job.scope
    let next = NewJob(run: run.id, stage: .diff, scope: scope, lane: "round", due: due)
    let parsed = snapshot.parsedFiles == 1 ? "1 file parsed" : "\(snapshot.parsedFiles) files parsed"
    let end = snapshot.lacksObjects ? StageOutcome.End.wait(until: now.addingTimeInterval(900)) : .done
    return StageOutcome(
      end, next: [next], detail: "\(snapshot.found.count) strings, \(snapshot.committed.count) catalogs, \(parsed)",
      diagnostics: snapshot.diagnostics)
  }
}

extension RoundSettings {
  /// When a branch's round may go out: when no commit came for `quiet`, at the latest after `latest`. A branch that is seen for the
  /// first time waits for nothing.
  package func due(for run: Run, now: Date) -> Date {
    guard let since = run.pendingSince else { return now }
    let quietEnd = run.created.addingTimeInterval(quiet.seconds)
    return max(now, min(quietEnd, since.addingTimeInterval(latest.seconds)))
  }
}
