import FoundationEssentials
import Localization

/// Looks at the repository: each watched branch that stands at another commit than before begins a run.
package enum WatchStage {
  package struct Look: Sendable {
    /// Branches that have a new commit.
    package var moved: [Run]
    package var heads: [Run]
  }

  /// - Throws: where the repository cannot be reached, is empty, or has no branch that the pipeline watches.
  package static func look(_ context: PipelineContext) async throws -> Look {
    let definition = context.definition
    let branches = try await context.mirror.refresh()
    let standard = try await context.mirror.defaultBranch()
    let watched = branches.filter { definition.watches($0.name, defaultBranch: standard) }
    guard !watched.isEmpty else { throw nothingToWatch(definition, branches: branches) }
    let now = context.time.now()
    let known = Dictionary(
      try await context.store.heads(of: context.name).map { ($0.branch, $0.commit) },
      uniquingKeysWith: { first, _ in first })
    try await context.store.keepBranches(Set(watched.map(\.name)), of: context.name)
    var look = Look(moved: [], heads: [])
    for branch in watched {
      let run = try await context.store.startRun(
        pipeline: context.name, branch: branch.name, commit: branch.commit, now: now)
      look.heads.append(run)
      if known[branch.name] != branch.commit { look.moved.append(run) }
    }
    return look
  }

  /// Puts into the queue what should be there and is not: a look at each vendor, shipments and deliveries that are written down but were
  /// given up, stages that failed. Harmless where nothing is missing.
  /// - Parameter isThorough: whether vendors are looked at too, and what failed for good is tried again.
  package static func repair(_ context: PipelineContext, heads: [Run], isThorough: Bool) async throws {
    let store = context.store
    let now = context.time.now()
    let again = "again \(Int64(now.timeIntervalSince1970))"
    let active = try await store.unfinishedJobs(of: context.name)
    var jobs: [NewJob] = []
    guard let first = heads.first else { return }
    for vendor in context.vendors {
      func isActive(_ stage: Stage) -> Bool {
        active.contains { $0.stage == stage && VendorScope($0.scope).vendor == vendor.name }
      }
      let scope = VendorScope(vendor: vendor.name, cause: again)
      let owed = try await isOwed(to: vendor.name, context)
      if isThorough, owed, !isActive(.push) {
        jobs.append(NewJob(run: first.id, stage: .push, scope: scope.text, lane: scope.lane, due: now))
      }
      if isThorough, !isActive(.pull) {
        jobs.append(NewJob(run: first.id, stage: .pull, scope: scope.text, lane: scope.lane, due: now))
      }
    }
    for head in heads {
      let failed = isThorough ? Set(try await store.failedJobs(of: head.id).map(\.stage)) : []
      let own = Set(active.filter { $0.run == head.id }.map(\.stage))
      let isPlanned = try await store.openDeliveries(of: context.name, branch: head.branch).contains {
        $0.state == .planned
      }
      if !failed.isDisjoint(with: [.extract, .diff]), own.isDisjoint(with: [.extract, .diff]) {
        jobs.append(NewJob(run: head.id, stage: .extract, scope: again, lane: head.lane, due: now))
      } else if failed.contains(.merge), !own.contains(.merge) {
        jobs.append(NewJob(run: head.id, stage: .merge, scope: again, lane: head.lane, due: now))
      }
      if isThorough, isPlanned, !own.contains(.deliver) {
        jobs.append(NewJob(run: head.id, stage: .deliver, scope: again, lane: head.lane, due: now))
      }
    }
    if !jobs.isEmpty { try await store.enqueue(jobs) }
  }

  private static func isOwed(to vendor: String, _ context: PipelineContext) async throws -> Bool {
    guard try await context.store.unsentShipments(of: context.name, vendor: vendor).isEmpty else { return true }
    return try await !context.store.withdrawalNotices(of: context.name, vendor: vendor).isEmpty
  }

  private static func nothingToWatch(_ definition: PipelineDefinition, branches: [BranchHead]) -> PipelineError {
    let operation = "watch \(definition.repository.url)"
    guard !branches.isEmpty else {
      return PipelineError(
        .notFound, operation: operation, detail: "the repository has no branch yet; push a commit first",
        disposition: .askPerson)
    }
    let patterns = definition.repository.branches.map(\.text).joined(separator: ", ")
    let names = branches.prefix(5).map(\.name).joined(separator: ", ")
    let what = patterns.isEmpty ? "its default branch does not exist" : "no branch matches \(patterns)"
    return PipelineError(
      .notFound, operation: operation, detail: "\(what); it has \(names)\(branches.count > 5 ? ", …" : "")",
      disposition: .askPerson)
  }
}
