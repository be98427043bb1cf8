import FoundationEssentials
import Localization

/// Pushes the commits that are written down. A branch that has them already is as good as pushed.
enum DeliverStage {
  static func run(_ job: Job, of run: Run, _ context: PipelineContext) async throws -> StageOutcome {
    let planned = try await context.store.openDeliveries(of: context.name, branch: run.branch)
      .filter { $0.state == .planned }
    var delivered: [Delivery] = []
    for (place, delivery) in planned.enumerated() {
      let result = try await context.mirror.push(delivery.tip, to: delivery.target, expecting: delivery.expected)
      switch result {
      case .pushed, .upToDate, .leaseLost(remote: delivery.tip):
        try await context.store.record([.delivery(delivery.id, .pushed)], of: context.name)
        delivered.append(delivery)
      case .leaseLost(let remote):
        // Those after it stand on it.
        let lost = planned[place...].map { LedgerChange.delivery($0.id, .abandoned) }
        _ = try await context.mirror.refresh()
        let again = NewJob(
          run: run.id, stage: .merge, scope: "\(job.scope) lost to \(remote?.short ?? "nothing")", lane: run.lane,
          due: context.time.now())
        return StageOutcome(
          next: [again], changes: lost, detail: "\(delivery.target) moved meanwhile; merging again on top of it")
      case .refused(let words):
        throw PipelineError(
          .refused, operation: "push \(delivery.target)",
          detail: "the remote refused: \(words); give Dragoman the right to push there, or name another deliver.branch",
          disposition: .askPerson)
      }
    }
    guard let last = delivered.last else { return StageOutcome(detail: "nothing to push") }
    return StageOutcome(detail: "\(last.target) at \(last.tip.short)")
  }
}
