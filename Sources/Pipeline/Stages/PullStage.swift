import FoundationEssentials
import Localization

/// Takes what a vendor returned: into the ledger first, then the vendor may put it away.
enum PullStage {
  static func run(_ job: Job, of run: Run, _ context: PipelineContext) async throws -> StageOutcome {
    let scope = VendorScope(job.scope)
    let part = try context.vendor(named: scope.vendor)
    let newer = try await context.store.unfinishedJobs(of: context.name).contains {
      $0.stage == .pull && $0.id > job.id && VendorScope($0.scope).vendor == part.name
    }
    guard !newer else { return StageOutcome(detail: "a newer look at \(part.name) takes its place") }

    var result = try await part.vendor.pull()
    var looks = 1
    // A bundle that is still being written is there in a moment; one that never rests is left for the next time.
    while context.isOnce, let wait = result.settlesIn, looks < 10 {
      try await context.time.sleep(max(wait, .milliseconds(1)))
      looks += 1
      let later = try await part.vendor.pull()
      let known = Set(result.bundles.map(\.reference))
      result.bundles += later.bundles.filter { !known.contains($0.reference) }
      result.settlesIn = later.settlesIn
    }
    let received = try await receive(result.bundles, from: part, context)
    let now = context.time.now()
    var next: [NewJob] = []
    // What came is merged whether it came just now or before a process died: the same job twice is one job.
    let last = try await context.store.lastReturnedUnit(of: context.name)
    if last > 0 {
      let cause =
        "returnedUnits \(last)"
        + (received.isAgain ? " again \(job.id.rawValue)" : "")
      next = try await context.store.heads(of: context.name).map {
        NewJob(run: $0.id, stage: .merge, scope: cause, lane: $0.lane, due: now)
      }
    }
    let outstanding = try await context.store.outstanding(of: context.name, vendor: part.name)
    let detail = "\(received.units) returned by \(part.name), \(outstanding) outstanding"
    var end = StageOutcome.End.done
    if let settles = result.settlesIn {
      end = .wait(until: now.addingTimeInterval(max(settles.seconds, 0.001)))
    } else if outstanding > 0 {
      // The longer a vendor takes, the rarer it is asked: a tenth of the time that passed, between 5 s and 15 min.
      let passed = now.timeIntervalSince(job.created)
      end = .wait(until: now.addingTimeInterval(min(max(passed / 10, 5), 900)))
    }
    return StageOutcome(end, next: next, detail: detail, diagnostics: received.diagnostics)
  }

  private struct Received {
    var units = 0
    var isAgain = false
    var diagnostics: [Diagnostic] = []
  }

  private static func receive(
    _ bundles: [ReturnedBundle], from part: ConfiguredVendor, _ context: PipelineContext
  ) async throws -> Received {
    var received = Received()
    guard !bundles.isEmpty else { return received }
    let heads = try await WatchedHeads.load(context)
    let renames = try await context.store.renames(of: context.name)
    for bundle in bundles.sorted(by: { $0.reference < $1.reference }) {
      let known = try await context.store.bundle(of: context.name, vendor: part.name, digest: bundle.digest)
      let keys = Set(bundle.files.flatMap { $0.units.map(\.key) })
      var sentUnits: [LocaleIdentifier: [SentUnitRecord]] = [:]
      for language in Set(bundle.files.map(\.targetLanguage)) {
        sentUnits[language] = try await context.store.sentUnits(
          of: context.name, vendor: part.name, language: language, keys: keys)
      }
      let sources = Set(sentUnits.values.joined().map(\.source))
      let returns = try await context.store.returns(of: context.name, for: sources.sorted())
      let reading = BundleMatcher(heads: heads, sentUnits: sentUnits, renames: renames, returns: returns)
        .read(bundle)
      let new = NewBundle(
        vendor: part.name, reference: bundle.reference, digest: bundle.digest, received: context.time.now(),
        review: reading.review, returnedUnits: reading.returnedUnits)
      try await context.store.record([.receive(new)], of: context.name)
      if known == nil { received.units += reading.returnedUnits.count }
      // One that was put away before and is here again was brought back by a person, who wants it tried again.
      received.isAgain = received.isAgain || known != nil
      received.diagnostics += bundle.diagnostics
      try await part.vendor.acknowledge(bundle, verdict: reading.review.map { .held(review: $0) } ?? .taken)
      try await context.store.record([.acknowledged(vendor: part.name, digest: bundle.digest)], of: context.name)
    }
    return received
  }
}
