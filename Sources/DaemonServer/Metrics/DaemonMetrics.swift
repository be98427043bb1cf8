internal import Daemon
internal import Foundation
internal import Localization
internal import Pipeline

/// The metrics of a running daemon. docs/operating.md documents the names; a test compares them with this code.
struct DaemonMetrics: Sendable {
  typealias Label = MetricsText.Label

  let daemon: RunningDaemon

  /// Returns the metrics in the Prometheus text format.
  /// - Throws: `StoreError` if the store cannot be read.
  func text() async throws -> String {
    var text = MetricsText()
    let names = daemon.pipelines
    text.metric(
      "dragoman_pipelines", .gauge, "Pipelines that run in this process.", [([], Double(names.count))])
    text.metric(
      "dragoman_pipeline_files_faulty", .gauge, "Pipeline files that are not in force because of a fault.",
      [([], Double(daemon.fileFaults.count))])
    let paused = Set(try await daemon.paused())
    text.metric(
      "dragoman_pipeline_paused", .gauge, "Whether the pipeline is paused.",
      names.map { ([Label("pipeline", $0)], paused.contains($0) ? 1 : 0) })
    try await addJobs(of: names, to: &text)
    try await addLedger(of: names, to: &text)
    try await addCompletion(of: names, to: &text)
    addWork(to: &text)
    addWebhooks(of: names, to: &text)
    addSharedFacts(to: &text)
    try await addMirrors(to: &text)
    addProcess(to: &text)
    return text.text
  }

  private func addJobs(of names: [String], to text: inout MetricsText) async throws {
    let now = try await daemon.store.now()
    var states: [(labels: [Label], value: Double)] = []
    var ages: [(labels: [Label], value: Double)] = []
    for name in names {
      let jobs = try await daemon.store.jobs(of: name)
      for state in JobState.Name.allCases {
        let count = jobs.count { $0.state.name == state }
        states.append(([Label("pipeline", name), Label("state", state.rawValue)], Double(count)))
      }
      let due = jobs.compactMap { if case .queued(let due) = $0.state { due } else { nil } }.min()
      ages.append(([Label("pipeline", name)], due.map { max(0, now.timeIntervalSince($0)) } ?? 0))
    }
    text.metric("dragoman_jobs", .gauge, "Jobs by state.", states)
    text.metric(
      "dragoman_queue_age_seconds", .gauge, "Time for which the most overdue queued job has been due.", ages)
  }

  private func addLedger(of names: [String], to text: inout MetricsText) async throws {
    let now = daemon.now()
    let names = Set(names)
    let rounds = try await daemon.store.rounds(of: nil).filter { names.contains($0.pipeline) }
    var outstanding: [[String]: Int] = [:]
    var oldest: [String: Date] = [:]
    for round in rounds {
      for book in round.books {
        outstanding[[round.pipeline, book.vendor, book.language.rawValue], default: 0] += book.outstanding
        guard book.outstanding > 0 else { continue }
        oldest[round.pipeline] = min(oldest[round.pipeline] ?? round.created, round.created)
      }
    }
    text.metric(
      "dragoman_units_outstanding", .gauge, "Units that are outstanding at a vendor.",
      outstanding.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, count in
        ([Label("pipeline", key[0]), Label("vendor", key[1]), Label("language", key[2])], Double(count))
      })
    text.metric(
      "dragoman_round_age_seconds", .gauge, "Age of the oldest round with outstanding units; 0 if there is none.",
      names.sorted().map { name in
        ([Label("pipeline", name)], oldest[name].map { max(0, now.timeIntervalSince($0)) } ?? 0)
      })
    var held: [String: Int] = [:]
    for unit in try await daemon.store.heldUnits(of: nil) { held[unit.pipeline, default: 0] += 1 }
    text.metric(
      "dragoman_units_held", .gauge, "Returned units that could not be delivered.",
      names.sorted().map { ([Label("pipeline", $0)], Double(held[$0, default: 0])) })
    let faults = Dictionary(
      try await daemon.store.pipelines().map { ($0.name, $0.watchFault != nil) },
      uniquingKeysWith: { first, _ in first })
    text.metric(
      "dragoman_pipeline_up", .gauge, "Whether the repository could be read at the last poll.",
      names.sorted().map { ([Label("pipeline", $0)], faults[$0] == false ? 1 : 0) })
  }

  /// Adds the completion and the number of missing translations of each language that has at least one unit to translate.
  private func addCompletion(of names: [String], to text: inout MetricsText) async throws {
    let names = Set(names)
    var ratios: [(labels: [Label], value: Double)] = []
    var missing: [(labels: [Label], value: Double)] = []
    for branch in try await daemon.people.completions(of: nil) where names.contains(branch.pipeline) {
      for language in branch.languages where language.total > 0 {
        let labels = [
          Label("pipeline", branch.pipeline), Label("branch", branch.branch),
          Label("language", language.language.rawValue),
        ]
        ratios.append((labels, Double(language.translated) / Double(language.total)))
        missing.append((labels, Double(language.total - language.translated)))
      }
    }
    text.metric(
      "dragoman_completion_ratio", .gauge, "Translated share of a watched branch, by language, 0 to 1.", ratios
    )
    text.metric(
      "dragoman_units_missing", .gauge, "Units of a watched branch that are not translated into a language.", missing)
  }

  private func addWork(to text: inout MetricsText) {
    let figures = daemon.measurements.figures
    text.histogram(
      "dragoman_stage_duration_seconds", "Durations of stages.", limits: RunMeasurements.Durations.limits,
      figures.durations.sorted { $0.key.rawValue < $1.key.rawValue }.map {
        ([Label("stage", $0.key.rawValue)], $0.value.counts, $0.value.sum)
      })
    func ends(_ include: (RunMeasurements.StageEnd) -> Bool) -> [(labels: [Label], value: Double)] {
      figures.ends.filter { include($0.key) }.map { end, count in
        var labels = [Label("pipeline", end.pipeline)]
        if end.stage != .watch { labels.append(Label("stage", end.stage.rawValue)) }
        if let vendor = end.vendor { labels.append(Label("vendor", vendor)) }
        return (labels + [Label("outcome", end.outcome)], Double(count))
      }.sorted { $0.labels.map(\.value).lexicographicallyPrecedes($1.labels.map(\.value)) }
    }
    text.metric("dragoman_polls_total", .counter, "Polls of repositories.", ends { $0.stage == .watch })
    text.metric(
      "dragoman_stages_total", .counter, "Stages that ended, except those that use a vendor.",
      ends { $0.stage != .watch && $0.vendor == nil })
    text.metric(
      "dragoman_vendor_stages_total", .counter, "Stages that sent units to a vendor or requested translations from it.",
      ends { $0.vendor != nil })
    let requests = figures.requests.sorted { ($0.key.host, $0.key.status ?? 0) < ($1.key.host, $1.key.status ?? 0) }
    text.metric(
      "dragoman_vendor_requests_total", .counter,
      "HTTP requests to vendors and forges, by status; none: there was no response.",
      requests.map { request, count in
        ([Label("host", request.host), Label("status", request.status.map(String.init) ?? "none")], Double(count))
      })
    var errors: [String: Int] = [:]
    for (request, count) in requests {
      errors[request.host, default: 0] += request.status.map { $0 < 400 } == true ? 0 : count
    }
    text.metric(
      "dragoman_vendor_errors_total", .counter,
      "HTTP requests to vendors and forges without a response or with a status of 400 or higher.",
      errors.sorted { $0.key < $1.key }.map { ([Label("host", $0.key)], Double($0.value)) })
  }

  private func addWebhooks(of names: [String], to text: inout MetricsText) {
    let results = daemon.measurements.figures.webhooks
    text.metric(
      "dragoman_webhook_requests_total", .counter, "Requests to the webhooks of pipelines, by result.",
      results.sorted { ($0.key.pipeline, $0.key.result) < ($1.key.pipeline, $1.key.result) }.map {
        ([Label("pipeline", $0.key.pipeline), Label("result", $0.key.result)], Double($0.value))
      })
    text.metric(
      "dragoman_webhook_last_event_timestamp_seconds", .gauge, "Time at which the last verified event arrived.",
      names.compactMap { name in
        daemon.lastEvent(of: name).map { ([Label("pipeline", name)], $0.timeIntervalSince1970) }
      })
  }

  private func addSharedFacts(to text: inout MetricsText) {
    let counts = daemon.sharedFacts?.counts ?? SharedCache.Counts()
    let results = [
      ("damaged", counts.damaged), ("dropped", counts.dropped), ("found", counts.found), ("missing", counts.missing),
      ("stored", counts.stored),
    ]
    text.metric(
      "dragoman_shared_facts_total", .counter, "Facts that workers share, by result.",
      results.map { ([Label("result", $0.0)], Double($0.1)) })
  }

  private func addMirrors(to text: inout MetricsText) async throws {
    let mirrors = try await daemon.mirrors()
    text.metric("dragoman_mirrors", .gauge, "Mirrors of repositories on disk.", [([], Double(mirrors.count))])
    text.metric(
      "dragoman_mirror_pack_bytes", .gauge, "Size of the mirrors' pack files.", [([], Double(mirrors.packBytes))])
  }

  private func addProcess(to text: inout MetricsText) {
    guard let process = ProcessFigures() else { return }
    text.metric(
      "process_resident_memory_bytes", .gauge, "Resident memory size.", [([], Double(process.residentBytes))])
    text.metric("process_open_fds", .gauge, "Number of open file descriptors.", [([], Double(process.descriptors))])
  }
}
