import FoundationEssentials
import Localization

/// Pushes the commits of planned deliveries. A branch that already has the commits counts as pushed. Deliveries that can no longer be pushed
/// are abandoned, and their units are merged again. Nothing is pushed if a person closed the pull request with the same content and the
/// delivery branch was deleted.
enum DeliverStage {
  static func run(_ job: Job, of head: Run, _ context: PipelineContext) async throws -> StageOutcome {
    let planned = try await context.store.openDeliveries(of: context.name, branch: head.branch)
      .filter { $0.state == .planned }
    if let closed = try await ProposeStage.closed(with: planned, of: head, context) {
      let target = planned[0].target
      let detail = "pull request \(closed.number) was closed with the same content, so \(target) is not created again"
      let finding = Diagnostic(
        path: context.name, severity: .note, message: detail,
        hint: "to deliver its translations, restore \(target) and reopen the pull request. New translations open a new "
          + "pull request with all of them")
      return StageOutcome(detail: detail, diagnostics: [finding], lasting: [finding])
    }
    var delivered: [Delivery] = []
    for (place, delivery) in planned.enumerated() {
      guard !delivery.bringsCatalogs || context.definition.catalogs == .commit else {
        return abandoning(planned[place...], "catalogs are no longer committed; merging again without them")
      }
      guard try await context.mirror.holds(delivery.tip) else {
        // The mirror was deleted after the commits were made. The units are delivered again, from the ledger.
        return abandoning(planned[place...], "the mirror lost the commits for \(delivery.target); merging again")
      }
      let result = try await context.mirror.push(delivery.tip, to: delivery.target, expecting: delivery.expected)
      switch result {
      case .pushed, .upToDate, .leaseLost(remote: delivery.tip):
        try await context.store.record([.delivery(delivery.id, .pushed)], under: job)
        delivered.append(delivery)
      case .leaseLost:
        _ = try await context.mirror.refresh()
        return abandoning(planned[place...], "\(delivery.target) has new commits; merging again on top of them")
      case .refused(let words):
        throw PipelineError(
          .refused, operation: "push to \(delivery.target)",
          detail: "the server refused: \(words). Allow \(context.definition.deliver.waysToPush)",
          disposition: .askPerson)
      }
    }
    guard let last = delivered.last else { return StageOutcome(detail: "nothing to push") }
    // With pull requests, people are asked to delete the former branch only when the new pull request is open (`ProposeStage`).
    let former =
      context.definition.deliver.mode == .pullRequest
      ? [] : try await FormerTargets.findings(of: head, after: delivered, context)
    return StageOutcome(
      changes: try await DiffStage.warns(ofPushingTo: last.target, context) ? [.planAgain] : [],
      detail: "\(last.target) at \(last.tip.short)", diagnostics: former, hasEffect: true)
  }

  /// Abandons a delivery and all later deliveries, which are based on the first.
  private static func abandoning(_ deliveries: ArraySlice<Delivery>, _ detail: String) -> StageOutcome {
    StageOutcome(changes: deliveries.map { .delivery($0.id, .abandoned) }, detail: detail, hasEffect: true)
  }
}
