import FoundationEssentials
import Localization

/// Receives bundles and refusals from a vendor. Each bundle is recorded in the ledger before it is acknowledged. Also updates the vendor's
/// other data about the strings, such as comments and screenshots. The outcome contains the time of the next poll.
enum PullStage {
  static func run(_ job: Job, _ context: PipelineContext) async throws -> StageOutcome {
    let vendor = try context.vendor(named: job.scope)
    let outstanding = OutstandingWork {
      try await context.outstandingParts(at: vendor).map(\.part) + context.heldParts(at: vendor)
    }
    // The review runs before the poll: it may send units again as other strings, and the poll must request the strings under which the
    // units were last sent.
    let review = try await StockReview.run(at: vendor, under: job, context)
    var result = try await vendor.vendor.pull(outstanding)
    var received = try await receive(result, from: vendor, under: job, context)
    var looks = 1
    while true {
      if result.hasMore, !result.bundles.isEmpty {
        // A pull returns a limited number of bundles. The next pull returns more after these are acknowledged.
        try Task.checkCancellation()
      } else if context.isOnce, let wait = result.settlesIn, looks < 10 {
        // Waits for a bundle that is still being written. A bundle that keeps changing is left for the next run.
        try await context.time.sleep(max(wait, .milliseconds(1)))
        looks += 1
      } else {
        break
      }
      result = try await vendor.vendor.pull(outstanding)
      received.add(try await receive(result, from: vendor, under: job, context))
    }
    received.refused += try await UnitRefusals(context).record(result.refusals, from: vendor.name, under: job)
    received.diagnostics += review
    received.diagnostics += try await UnitRetirement.run(at: vendor, under: job, context)
    received.diagnostics += try await VariantRetirement.run(at: vendor, context)
    received.diagnostics += try await StandingTextUpdate.run(at: vendor, under: job, context)
    received.diagnostics += try await CommentUpdate.run(at: vendor, context)
    received.diagnostics += try await ScreenshotUpdate.run(at: vendor, context)
    received.add(try await corrections(from: vendor, except: received.sentUnits, under: job, context))
    let work = try await context.store.pendingWork(of: context.name).vendors[vendor.name] ?? VendorWork()
    return StageOutcome(
      .wait(for: nextLook(after: job, settlesIn: result.settlesIn, work: work, now: try await context.store.now())),
      detail: "\(received.units) returned by \(vendor.name), \(work.outstanding) outstanding"
        + (result.partlyTranslated > 0 ? ", \(result.partlyTranslated) still without some plural forms" : "")
        + (received.refused > 0 ? ", \(received.refused) refused" : ""),
      diagnostics: received.diagnostics, lasting: result.lasting.map { placed($0, at: vendor) },
      hasChangedNothing: received.bundles + received.refused == 0,
      hasEffect: received.units + received.refused > 0)
  }

  /// Requests translations that people changed after they were returned, if the vendor is to be checked for them now (`CorrectionTurns`).
  /// - Parameter new: the sent units for which this poll received returns.
  private static func corrections(
    from vendor: ConfiguredVendor, except new: Set<SentUnitID>, under job: Job, _ context: PipelineContext
  ) async throws -> Received {
    var received = Received()
    guard vendor.vendor.isAskedAgain,
      context.corrections.begin(vendor.name, at: try await context.store.now())
    else { return received }
    var search = try await CorrectionSearch(at: vendor, except: new, context)
    for language in search.languages {
      for chunk in try await search.chunks(in: language) {
        try Task.checkCancellation()
        let parts = try await search.parts(of: chunk)
        guard !parts.isEmpty else { continue }
        let result: PullResult
        do {
          result = try await vendor.vendor.corrections(of: parts)
        } catch let error where !(error is CancellationError) {
          // The poll itself succeeded, and its bundles are recorded. The next poll requests corrections again.
          received.diagnostics.append(
            Diagnostic(
              path: vendor.name, severity: .warning,
              message: "corrected translations could not be requested: \(error)", hint: "the next poll tries again"))
          return received
        }
        received.add(try await receive(result, from: vendor, under: job, context))
        if let others = result.otherSources[language] {
          received.diagnostics += [search.left(others, language)].compactMap(\.self)
        }
      }
    }
    context.corrections.end(vendor.name, at: try await context.store.now())
    return received
  }

  /// Returns the time until the next poll. If a bundle is still being written, this is the time until it can count as complete. Otherwise,
  /// slower vendors are polled less often: the interval is a tenth of the time since the vendor's work last changed, between 1 min and 15
  /// min, or 15 min if nothing is outstanding. Some vendors, such as local folders, also report changes themselves (`VendorListener`).
  private static func nextLook(
    after job: Job, settlesIn: Duration?, work: VendorWork, now: Date
  ) -> Duration {
    if let settlesIn { return max(settlesIn, .milliseconds(1)) }
    guard work.outstanding > 0 else { return .seconds(900) }
    return .seconds(min(max(now.timeIntervalSince(job.armed) / 10, 60), 900))
  }

  private struct Received {
    var bundles = 0
    var units = 0
    var refused = 0
    var sentUnits: Set<SentUnitID> = []
    var diagnostics: [Diagnostic] = []

    mutating func add(_ other: Received) {
      bundles += other.bundles
      units += other.units
      refused += other.refused
      sentUnits.formUnion(other.sentUnits)
      diagnostics += other.diagnostics
    }
  }

  private static func receive(
    _ result: PullResult, from vendor: ConfiguredVendor, under job: Job, _ context: PipelineContext
  ) async throws -> Received {
    var received = Received(diagnostics: result.diagnostics.map { placed($0, at: vendor) })
    guard !result.bundles.isEmpty else { return received }
    let heads = try await WatchedHeads.load(context)
    // Vendors use their own language codes. The books and catalogs use the project's codes.
    let spellings = LanguageMatch([heads.languages, Set(context.definition.languages ?? [])])
    let renames = try await context.store.renames(of: context.name)
    let sourceLanguage = heads.lazy.compactMap(\.snapshot).first?.project.sourceLanguage ?? "en"
    let policy = ReturnPolicy(context, terms: try await context.terms(from: sourceLanguage))
    var failure: (any Error)?
    for bundle in result.bundles {
      try Task.checkCancellation()
      var bundle = bundle.withKeys(of: heads.compactMap(\.snapshot))
      for index in bundle.files.indices {
        let language = bundle.files[index].targetLanguage
        bundle.files[index].targetLanguage = spellings.find(language) ?? language
      }
      let keys = bundle.possibleKeys
      var sentUnits: [LocaleIdentifier: [SentUnitRecord]] = [:]
      for language in Set(bundle.files.map(\.targetLanguage)) {
        sentUnits[language] = try await context.store.sentUnits(
          of: context.name, vendor: vendor.name, language: language, keys: keys)
      }
      let sources = Set(sentUnits.values.joined().map(\.source))
      let returns = try await context.store.returns(of: context.name, for: sources.sorted())
      var reading = BundleMatcher(
        heads: heads, sentUnits: sentUnits, renames: renames, returns: returns, vendor: vendor.name,
        policy: policy
      ).read(bundle)
      if vendor.vendor.isAskedAgain {
        let news = try await RepeatedReturns.news(
          in: reading.returnedUnits, of: vendor.name, sent: sentUnits, context)
        if news.units.isEmpty, !reading.returnedUnits.isEmpty {
          // The bundle is already recorded, perhaps by a poll that ended before acknowledging it.
          try await vendor.vendor.acknowledge(bundle, verdict: .taken)
          let before = try await context.store.bundle(of: context.name, vendor: vendor.name, digest: bundle.digest)
          if before?.isAcknowledged == false {
            try await context.store.record([.acknowledged(vendor: vendor.name, digest: bundle.digest)], under: job)
          }
          continue
        }
        reading.returnedUnits = news.units
        bundle.digest = news.digest(of: bundle.digest)
      }
      let known = try await context.store.bundle(of: context.name, vendor: vendor.name, digest: bundle.digest)
      var isOlder = false
      if known?.isAcknowledged == true {
        isOlder = try await RepeatedReturns.news(
          in: reading.returnedUnits, of: vendor.name, sent: sentUnits, context
        ).hasReplaced
      }
      let new = NewBundle(
        vendor: vendor.name, reference: bundle.reference, digest: bundle.digest,
        received: try await context.store.now(),
        review: reading.review, returnedUnits: reading.returnedUnits)
      let isHandedOn = known == nil && Self.isHandedOn(new, renames, context)
      try await context.store.record([.receive(new)] + (isHandedOn ? [.planAgain] : []), under: job)
      received.bundles += 1
      received.sentUnits.formUnion(reading.returnedUnits.compactMap(\.sentUnit))
      if known == nil {
        received.units += reading.returnedUnits.count
        received.diagnostics += reading.findings.map { placed($0, at: vendor) }
      } else if isOlder {
        received.diagnostics.append(placed(older(bundle), at: vendor))
      }
      received.diagnostics += bundle.diagnostics.map { placed($0, at: vendor) }
      received.diagnostics +=
        [untranslated(bundle, vendor), language(bundle, vendor)].compactMap(\.self) + unchanged(bundle, vendor)
      do {
        try await vendor.vendor.acknowledge(bundle, verdict: reading.review.map { .held(review: $0) } ?? .taken)
      } catch let error where failure == nil && !(error is CancellationError) {
        // This bundle alone may cause the first failure, so the other bundles are still received before the error is thrown. A second
        // failure ends the poll, because the vendor is probably the cause.
        failure = error
        continue
      }
      try await context.store.record([.acknowledged(vendor: vendor.name, digest: bundle.digest)], under: job)
    }
    if let failure { throw failure }
    return received
  }

  /// Returns whether any unit of the bundle goes to another vendor next.
  private static func isHandedOn(
    _ bundle: NewBundle, _ renames: [TreePath: TreePath], _ context: PipelineContext
  ) -> Bool {
    let routes = context.routes
    return routes.haveSteps
      && bundle.returnedUnits.contains { unit in
        routes.route(for: unit.language, of: renames.newest(of: unit.unit.catalog))?.isDraft(from: bundle.vendor)
          == true
      }
  }

  /// Returns a finding whose path begins with the vendor's address or name, because a pipeline can have several vendors, and a daemon
  /// several pipelines.
  private static func placed(_ diagnostic: Diagnostic, at vendor: ConfiguredVendor) -> Diagnostic {
    // A finding that is not about a bundle has the vendor's name as its path.
    guard diagnostic.path != vendor.name else { return diagnostic }
    return Diagnostic(
      path: (vendor.place.map { $0 + "/" } ?? vendor.name + ": ") + diagnostic.path, line: diagnostic.line,
      column: diagnostic.column, severity: diagnostic.severity, message: diagnostic.message, hint: diagnostic.hint)
  }

  /// Returns a warning about a bundle that is returned a second time, after a later bundle with other texts was read. The repeated texts
  /// are used for held and newly sent units, but do not replace the later texts, because somebody may only have copied the file.
  private static func older(_ bundle: ReturnedBundle) -> Diagnostic {
    Diagnostic(
      path: bundle.reference, severity: .warning,
      message: "the same bundle was read before, so its texts do not replace those that were returned later",
      hint: "to replace them, change the bundle and save it again")
  }

  /// Returns a warning for the first language of a bundle in which most translations are in another language; `nil` if there is none, or if
  /// the vendor's texts in other languages are accepted.
  private static func language(_ bundle: ReturnedBundle, _ vendor: ConfiguredVendor) -> Diagnostic? {
    guard vendor.definition.otherLanguage != .take else { return nil }
    return ReturnPolicy.languageWarning(
      bundle.files, in: (vendor.place.map { $0 + "/" } ?? "") + bundle.reference,
      hint: vendor.definition.otherLanguage == .hold
        ? "these units are held; to accept such bundles, set `other_language: report` for \(vendor.name)"
        : "to hold the units of such bundles, set `other_language: hold` for \(vendor.name)")
  }

  /// Returns a warning if a translator's bundle has no translation. Bundles of vendors without a place contain only existing translations.
  private static func untranslated(_ bundle: ReturnedBundle, _ vendor: ConfiguredVendor) -> Diagnostic? {
    guard let place = vendor.place else { return nil }
    return ReturnPolicy.untranslatedWarning(
      bundle.files, in: place + "/" + bundle.reference,
      hint: "check whether the right file was returned; if not, return the translated file")
  }

  /// Returns warnings about languages in which most translations of a bundle equal their source texts.
  private static func unchanged(_ bundle: ReturnedBundle, _ vendor: ConfiguredVendor) -> [Diagnostic] {
    ReturnPolicy.unchangedWarnings(
      bundle.files, in: (vendor.place.map { $0 + "/" } ?? "") + bundle.reference,
      hint: vendor.definition.unchanged == .hold
        ? "these units are held; to accept such bundles, set `unchanged: report` for \(vendor.name)"
        : "to hold the units of such bundles, set `unchanged: hold` for \(vendor.name)")
  }
}
