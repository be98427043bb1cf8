package import Localization
import Pipeline
internal import Synchronization

/// A text that was sent to a vendor, in one language.
package struct SentText: Hashable, Sendable {
  package var unit: UnitID
  package var language: LocaleIdentifier
  package var source: String
  /// The translation that was sent with the text and that is shown to the translator.
  package var baseline: String?
}

/// A translation that a vendor returned.
package struct ReturnedText: Hashable, Sendable {
  package var vendor: String
  package var sent: SentText
  package var text: String
  /// Whether the text must arrive: it is a usable translation of a text that the vendor was asked for and that was not withdrawn. Corrections are
  /// checked separately.
  package var isExpected: Bool
  /// Whether the text answers the pipeline's request, correctly or not. A text that was answered must not be sent again.
  package var isAnswer: Bool
  /// Whether the text is a correction of a returned text. The vendor returns the correction when asked for corrections.
  package var isCorrection = false
}

/// The settings for a vendor's behaviour.
package struct VendorManner: Hashable, Sendable {
  /// Whether the vendor behaves like machine translation and translates all open texts whenever the daemon pulls.
  package var answersAtOnce = false
  /// Whether the vendor refuses some texts.
  package var refusesTexts = false
  package var refusedLanguages: Set<LocaleIdentifier> = []
  /// Whether people may correct texts at the vendor after they were returned.
  package var keepsTexts = false

  func refuses(_ text: SentText) -> Bool {
    refusesTexts && text.source.utf8.reduce(0) { $0 &+ Int($1) } % 4 == 0
  }
}

/// The server of a vendor, with its requests and its data. It outlives all processes of the daemon.
package final class VendorServer: Sendable {
  /// An event that is reported to the world.
  package enum Event: Sendable {
    case sent(pipeline: String, vendor: String, [SentText])
    case withdrawn(pipeline: String, vendor: String, [SentText])
    case returned(pipeline: String, [ReturnedText])
  }

  struct JobName: Hashable, Comparable {
    var pipeline: String
    var round: String
    var language: LocaleIdentifier

    static func < (a: Self, b: Self) -> Bool {
      (a.pipeline, Int(a.round) ?? 0, a.language) < (b.pipeline, Int(b.round) ?? 0, b.language)
    }
  }

  struct Job {
    var texts: [SentText]
    var withdrawn: Set<UnitID> = []
    var returned: Set<UnitID> = []
    /// The units that the vendor refused.
    var refused: Set<UnitID> = []
    /// The texts that may have been answered by a bundle in which the catalog has another name.
    var doubtful: Set<UnitID> = []

    var open: [SentText] {
      texts.filter { !withdrawn.contains($0.unit) && !returned.contains($0.unit) && !refused.contains($0.unit) }
    }
  }

  struct Bundle {
    var pipeline: String
    var content: ReturnedBundle
    /// The time from which the files of the bundle no longer change.
    var ready: Duration
    /// The vendor job for which the bundle was made, and the texts that the bundle answers.
    var job: JobName
    var texts: [SentText] = []
    var isAcknowledged = false
  }

  struct State {
    var health = ServerHealth.healthy
    var fault: VendorFault?
    /// The number of requests since the fault began.
    var requests = 0
    var jobs: [JobName: Job] = [:]
    var bundles: [Bundle] = []
    var texts = 0
    /// The texts that people corrected after they were returned.
    var corrected: [TextAtVendor: String] = [:]
  }

  package let name: String
  let manner: VendorManner
  let state = Mutex(State())
  let time: VirtualTime
  private let observe: @Sendable (Event) -> Void

  package init(
    name: String, manner: VendorManner = VendorManner(), time: VirtualTime,
    observe: @escaping @Sendable (Event) -> Void
  ) {
    self.name = name
    self.manner = manner
    self.time = time
    self.observe = observe
  }

  package var health: ServerHealth {
    get { state.withLock { $0.health } }
    set { state.withLock { $0.health = newValue } }
  }

  package var fault: VendorFault? {
    get { state.withLock { $0.fault } }
    set {
      state.withLock { state in
        state.fault = newValue
        state.requests = 0
      }
    }
  }

  /// Counts a request if the server has a fault.
  /// - Returns: the fault with which the request fails, and the number of the request; `nil` if it does not fail.
  func nextFault() -> (VendorFault, Int)? {
    state.withLock { state in
      guard let fault = state.fault, fault != .shiftsPages else { return nil }
      state.requests += 1
      return state.requests.isMultiple(of: 2) ? nil : (fault, state.requests)
    }
  }

  // MARK: Requests of the daemon

  func take(_ shipment: Shipment) -> ShipmentReceipt {
    let name = JobName(pipeline: shipment.pipeline, round: shipment.round, language: shipment.language)
    var texts: [SentText] = []
    for file in shipment.files {
      for unit in file.units where unit.isTranslatable && unit.path.isRoot {
        guard let path = TreePath(checking: file.original), case .text(let source)? = unit.source else { continue }
        var baseline: String?
        if case .text(let text)? = unit.target?.text { baseline = text }
        texts.append(
          SentText(
            unit: UnitID(catalog: path, key: unit.key), language: shipment.language, source: source,
            baseline: baseline))
      }
    }
    let new = state.withLock { state in
      let known = Set(state.jobs[name]?.texts ?? [])
      let new = texts.filter { !known.contains($0) }
      state.jobs[name, default: Job(texts: [])].texts += new
      return new
    }
    if !new.isEmpty { observe(.sent(pipeline: shipment.pipeline, vendor: self.name, new)) }
    return ShipmentReceipt(
      reference: Self.reference(name), units: texts.count, wasThere: new.isEmpty)
  }

  func find(_ shipment: Shipment) -> ShipmentReceipt? {
    let name = JobName(pipeline: shipment.pipeline, round: shipment.round, language: shipment.language)
    return state.withLock { $0.jobs[name] }.map {
      ShipmentReceipt(
        reference: Self.reference(name), units: $0.texts.count, wasThere: true)
    }
  }

  func withdraw(_ units: [UnitID], of receipt: ShipmentReceipt, language: LocaleIdentifier) {
    let parts = receipt.reference.split(separator: "/").map(String.init)
    guard parts.count == 3 else { return }
    let name = JobName(pipeline: parts[0], round: parts[1], language: language)
    let texts: [SentText] = state.withLock { state in
      guard var job = state.jobs[name] else { return [] }
      let texts = job.texts.filter { units.contains($0.unit) }
      job.withdrawn.formUnion(texts.map(\.unit))
      state.jobs[name] = job
      return texts
    }
    observe(.withdrawn(pipeline: name.pipeline, vendor: self.name, texts))
  }

  func look(for pipeline: String) -> PullResult {
    refuse(of: pipeline)
    if manner.answersAtOnce {
      var random = SeededRandom(seed: UInt64(state.withLock { $0.texts }))
      while makeReturn(.all, to: pipeline, foreign: [], random: &random) != nil {}
    }
    let now = time.elapsed
    return state.withLock { state in
      var waiting = state.bundles.filter { $0.pipeline == pipeline && !$0.isAcknowledged }
      if state.fault == .shiftsPages {
        state.requests += 1
        if !state.requests.isMultiple(of: 2) {
          waiting = waiting.enumerated().filter { $0.offset.isMultiple(of: 2) == (state.requests % 4 == 1) }
            .map(\.element).reversed()
        }
      }
      let settles = waiting.filter { $0.ready > now }.map { $0.ready - now }.min()
      return PullResult(
        bundles: waiting.filter { $0.ready <= now }.map(\.content), settlesIn: settles,
        refusals: state.jobs.filter { $0.key.pipeline == pipeline && !$0.value.refused.isEmpty }
          .sorted { $0.key < $1.key }.map { name, job in
            VendorRefusal(
              reference: Self.reference(name),
              units: Dictionary(uniqueKeysWithValues: job.refused.map { ($0, "it will not translate this") }))
          })
    }
  }

  private func refuse(of pipeline: String) {
    guard manner.refusesTexts else { return }
    state.withLock { state in
      for (name, job) in state.jobs where name.pipeline == pipeline {
        state.jobs[name]?.refused.formUnion(job.open.filter(manner.refuses).map(\.unit))
      }
    }
  }

  private static func reference(_ name: JobName) -> String { "\(name.pipeline)/\(name.round)/\(name.language)" }

  func acknowledge(_ reference: String) {
    state.withLock { state in
      for place in state.bundles.indices where state.bundles[place].content.reference == reference {
        state.bundles[place].isAcknowledged = true
        Self.settle(state.bundles[place], in: &state)
      }
    }
  }

  /// Marks open texts of other vendor jobs as returned, or as doubtful, if the bundle answers them.
  ///
  /// A bundle may contain texts that were withdrawn or never requested. If they were accepted, they also answer the same text in a later vendor job,
  /// because a bundle does not show for which vendor job it was made, and the text is not translated again. If a catalog was renamed between the two
  /// vendor jobs, only the books show that it is the same catalog. The text is then doubtful.
  private static func settle(_ bundle: Bundle, in state: inout State) {
    let withdrawn = state.jobs[bundle.job]?.withdrawn ?? []
    let others = bundle.texts.filter { withdrawn.contains($0.unit) || $0.language != bundle.job.language }
    for (name, job) in state.jobs where name.pipeline == bundle.pipeline {
      for open in job.open {
        let same = others.filter {
          $0.unit.key == open.unit.key && $0.language == open.language && $0.source == open.source
        }
        if same.contains(where: { $0.unit == open.unit }) {
          state.jobs[name]?.returned.insert(open.unit)
        } else if !same.isEmpty {
          state.jobs[name]?.doubtful.insert(open.unit)
        }
      }
    }
  }

  // MARK: Queries of the model

  /// Returns the texts that a pipeline has sent and that were neither returned, withdrawn nor refused.
  package func open(of pipeline: String) -> [SentText] {
    state.withLock { state in
      state.jobs.filter { $0.key.pipeline == pipeline }.sorted { $0.key < $1.key }.flatMap { $0.value.open }
    }
  }

  /// Returns the open texts that the books may count as returned.
  package func doubtful(of pipeline: String) -> [SentText] {
    state.withLock { state in
      state.jobs.filter { $0.key.pipeline == pipeline }.flatMap { _, job in
        job.open.filter { job.doubtful.contains($0.unit) }
      }
    }
  }

  /// Returns the references of bundles that were not acknowledged.
  package func unacknowledged(of pipeline: String) -> [String] {
    state.withLock { $0.bundles.filter { $0.pipeline == pipeline && !$0.isAcknowledged }.map(\.content.reference) }
  }

  func report(_ event: Event) { observe(event) }
}
