import FoundationEssentials
import Localization
import Pipeline

/// Functions that collect the results of a single run.
extension PipelineRuntime {
  struct Standing {
    var rounds: [RoundID: Round] = [:]
    var delivered: Set<DeliveryID> = []
  }

  func standing(of part: PipelineContext) async throws -> Standing {
    var standing = Standing()
    for round in try await store.rounds(of: part.name) { standing.rounds[round.id] = round }
    standing.delivered = Set(try await delivered(part).map(\.id))
    return standing
  }

  private func delivered(_ part: PipelineContext) async throws -> [Delivery] {
    try await store.deliveries(of: part.name, since: .distantPast).filter {
      $0.state == .pushed || $0.state == .settled
    }
  }

  func report(_ part: PipelineContext, since before: Standing, _ journal: RunJournal) async throws
    -> PipelineReport
  {
    var report = PipelineReport(name: part.name)
    report.rounds = try await store.rounds(of: part.name).filter { round in
      before.rounds[round.id] != round || round.books.contains { $0.outstanding > 0 }
    }
    for delivery in try await delivered(part) where !before.delivered.contains(delivery.id) {
      report.commits += try await commits(of: delivery, part)
    }
    report.held = try await store.heldUnits(of: part.name)
    report.diagnostics = journal.diagnostics(of: part.name)
    // The findings of earlier runs stay valid until the stage runs again. If a job failed or waits for a retry, the failure already reports the
    // problem.
    for job in try await store.jobs(of: part.name) where [.succeeded, .waiting].contains(job.state.name) {
      report.diagnostics += job.findings.filter { !report.diagnostics.contains($0) }
    }
    report.failures = journal.failures(of: part.name)
    report.verdicts = try await part.verdicts()
    report.dryRun = dryRun?.record.report(of: part.name)
    return report
  }

  private func commits(of delivery: Delivery, _ part: PipelineContext) async throws -> [DeliveredCommit] {
    var commits: [DeliveredCommit] = []
    var parent = delivery.base
    for id in delivery.commits {
      let info = try await part.mirror.commit(id)
      let files = try await part.mirror.statistics(from: parent, to: id)
      commits.append(
        DeliveredCommit(
          branch: delivery.branch, target: delivery.target, id: id,
          subject: info.message.split(separator: "\n").first.map(String.init) ?? "",
          time: Date(timeIntervalSince1970: Double(info.committer.seconds)),
          units: CommitTrailers(message: info.message)?.units ?? 0,
          files: files.map { DeliveredCommit.DeliveredFile(path: $0.path, added: $0.added, removed: $0.removed) }))
      parent = id
    }
    return commits
  }
}
