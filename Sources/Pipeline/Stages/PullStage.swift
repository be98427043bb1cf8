import FoundationEssentials
import Localization

/// Takes what a vendor returned: into the ledger first, then the vendor may put it away.
enum PullStage {
  static func run(_ job: Job, of run: Run, _ parts: PipelineParts) async throws -> StageOutcome {
    let scope = VendorScope(job.scope)
    let part = try parts.vendor(named: scope.vendor)
    let newer = try await parts.store.unfinishedJobs(of: parts.name).contains {
      $0.stage == .pull && $0.id > job.id && VendorScope($0.scope).vendor == part.name
    }
    guard !newer else { return StageOutcome(detail: "a newer look at \(part.name) takes its place") }

    var result = try await part.vendor.pull()
    var looks = 1
    // A bundle that is still being written is there in a moment; one that never rests is left for the next time.
    while parts.isOnce, let wait = result.settlesIn, looks < 10 {
      try await parts.time.sleep(max(wait, .milliseconds(1)))
      looks += 1
      let later = try await part.vendor.pull()
      let known = Set(result.bundles.map(\.reference))
      result.bundles += later.bundles.filter { !known.contains($0.reference) }
      result.settlesIn = later.settlesIn
    }
    let received = try await receive(result.bundles, from: part, parts)
    let now = parts.time.now()
    var next: [NewJob] = []
    // What came is merged whether it came just now or before a process died: the same job twice is one job.
    let last = try await parts.store.lastArrival(of: parts.name)
    if last > 0 {
      let cause =
        "arrivals \(last)"
        + (received.isAgain ? " again \(job.id.rawValue)" : "")
      next = try await parts.store.heads(of: parts.name).map {
        NewJob(run: $0.id, stage: .merge, scope: cause, lane: $0.lane, due: now)
      }
    }
    let outstanding = try await parts.store.outstanding(of: parts.name, vendor: part.name)
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
    _ bundles: [ReturnedBundle], from part: VendorPart, _ parts: PipelineParts
  ) async throws -> Received {
    var received = Received()
    guard !bundles.isEmpty else { return received }
    let heads = try await WatchedHeads.load(parts)
    let renames = try await parts.store.renames(of: parts.name)
    for bundle in bundles.sorted(by: { $0.reference < $1.reference }) {
      let known = try await parts.store.bundle(of: parts.name, vendor: part.name, digest: bundle.digest)
      var consignments: [LocaleIdentifier: [ConsignmentRecord]] = [:]
      for language in Set(bundle.files.map(\.targetLanguage)) {
        consignments[language] = try await parts.store.consignments(
          of: parts.name, vendor: part.name, language: language)
      }
      let keys = Set(bundle.files.flatMap { $0.units.map(\.key) })
      let sources = Set(consignments.values.joined().filter { keys.contains($0.unit.key) }.map(\.source))
      let returns = try await parts.store.returns(of: parts.name, for: sources.sorted())
      let reading = BundleMatcher(heads: heads, consignments: consignments, renames: renames, returns: returns)
        .read(bundle)
      let new = NewBundle(
        vendor: part.name, reference: bundle.reference, digest: bundle.digest, received: parts.time.now(),
        review: reading.review, arrivals: reading.arrivals)
      try await parts.store.record([.receive(new)], of: parts.name)
      if known == nil { received.units += reading.arrivals.count }
      // One that was put away before and is here again was brought back by a person, who wants it tried again.
      received.isAgain = received.isAgain || known != nil
      received.diagnostics += bundle.diagnostics
      try await part.vendor.acknowledge(bundle, verdict: reading.review.map { .held(review: $0) } ?? .taken)
      try await parts.store.record([.acknowledged(vendor: part.name, digest: bundle.digest)], of: parts.name)
    }
    return received
  }
}
