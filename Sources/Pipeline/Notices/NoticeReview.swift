package import FoundationEssentials
import Localization

/// A comparison of a pipeline's state with its notices. Each new problem, each end of a problem and each delivery is returned once.
package struct NoticeReview: Sendable {
  /// The time for which a repository can be unreachable before people are notified. A restart of a server should not cause a notice.
  package static let patience = Duration.seconds(600)
  /// The age from which deliveries are not reported. Sent notices are kept for longer (`NoticeStore.pruneNotices`).
  package static let memory = Duration.seconds(30 * 24 * 3600)

  package var now: Date
  package var overdue: Duration
  package var watchFault: FailureRecord?
  package var jobs: [Job]
  package var held: [HeldUnit]
  package var rounds: [Round]
  /// The deliveries since `NoticeBook.since`, but at most as old as `memory`.
  package var deliveries: [Delivery]

  /// - Parameter overdue: the pipeline's `rounds.overdue`.
  package init(
    now: Date, overdue: Duration, watchFault: FailureRecord? = nil, jobs: [Job] = [], held: [HeldUnit] = [],
    rounds: [Round] = [], deliveries: [Delivery] = []
  ) {
    self.now = now
    self.overdue = overdue
    self.watchFault = watchFault
    self.jobs = jobs
    self.held = held
    self.rounds = rounds
    self.deliveries = deliveries
  }

  /// Reads a pipeline's state.
  package init(of pipeline: String, overdue: Duration, since: Date, in store: any Store) async throws {
    let now = try await store.now()
    let since = max(since, now.addingTimeInterval(-Self.memory.seconds))
    self.init(
      now: now, overdue: overdue,
      watchFault: try await store.pipelines().first { $0.name == pipeline }?.watchFault,
      jobs: try await store.jobs(of: pipeline), held: try await store.heldUnits(of: pipeline),
      rounds: try await store.rounds(of: pipeline), deliveries: try await store.deliveries(of: pipeline, since: since))
  }

  /// A current problem.
  private struct Problem {
    var topic: NoticeTopic
    var text: String
    /// Whether the problem is certain enough to be reported, for example because it has lasted long enough. Until then, it only prevents an
    /// earlier notice from ending.
    var isSure: Bool
  }

  package func changes(_ book: NoticeBook) -> [NoticeChange] {
    let problems = watchProblems() + jobProblems() + heldProblems() + overdueProblems()
    let current = Set(problems.map(\.topic))
    let open = Set(book.open.map(\.topic))
    var changes: [NoticeChange] = []
    for notice in book.open where !current.contains(notice.topic) {
      changes.append(.end(notice, text: endText(of: notice), at: now))
    }
    for problem in problems where problem.isSure && !open.contains(problem.topic) {
      changes.append(.begin(problem.topic, text: problem.text.oneLine, at: now))
    }
    for delivery in deliveries where delivery.state == .pushed || delivery.state == .settled {
      let topic = NoticeTopic(.roundDelivered, String(delivery.id.rawValue))
      guard !book.happened.contains(topic) else { continue }
      let told = told(before: delivery, book)
      changes.append(
        told.map { $0 >= delivery.units } ?? false
          ? .skip(topic, at: now)
          : .happen(topic, text: text(of: delivery, without: told ?? 0).oneLine, at: now))
    }
    return changes
  }

  /// Returns the changes for a pipeline that was removed: all its problems end.
  package static func changesAfterRemoval(_ book: NoticeBook, at now: Date) -> [NoticeChange] {
    book.open.map { .end($0, text: "the pipeline was removed (\(words($0.topic)))".oneLine, at: now) }
  }

  /// Returns the number of translations that were already reported: the largest number in any reported delivery that this delivery
  /// replaces. A delivery is made again, for example, on a newer commit, or after its branch was deleted without a merge.
  /// - Returns: `nil` if this delivery replaces no reported delivery.
  private func told(before delivery: Delivery, _ book: NoticeBook) -> Int? {
    let earlier = deliveries.filter {
      $0.id < delivery.id && $0.branch == delivery.branch && $0.target == delivery.target
    }
    let settled = earlier.last { $0.state == .settled }?.id
    let replaced = earlier.filter { other in
      other.state == .abandoned && settled.map { other.id > $0 } ?? true
        && book.happened.contains(NoticeTopic(.roundDelivered, String(other.id.rawValue)))
    }
    return replaced.map(\.units).max()
  }

  // MARK: Failures

  private func watchProblems() -> [Problem] {
    guard let fault = watchFault else { return [] }
    return [
      Problem(
        topic: NoticeTopic(.repositoryFailing, Stage.watch.rawValue),
        text: "the repository has been unreadable since \(Self.time(fault.at)): \(fault.message)",
        isSure: now.timeIntervalSince(fault.at) >= Self.patience.seconds)
    ]
  }

  /// Returns the problems of failed jobs. A queued or running job also has a problem, but one that is not sure: while a failed job is tried
  /// again, its problem neither ends nor begins again.
  private func jobProblems() -> [Problem] {
    jobs.compactMap { job in
      let failure: FailureRecord?
      switch job.state {
      case .failed(let record): failure = record
      case .queued, .running: failure = nil
      case .waiting, .succeeded: return nil
      }
      return Problem(
        topic: Self.topic(of: job), text: "\(Self.about(job)) fails: \(failure?.message ?? "")", isSure: failure != nil)
    }
  }

  private static func topic(of job: Job) -> NoticeTopic {
    job.stage.hasVendor
      ? NoticeTopic(.vendorFailing, job.stage.rawValue, vendor: job.scope) : NoticeTopic(.repositoryFailing, about(job))
  }

  private static func about(_ job: Job) -> String {
    [job.stage.rawValue, job.scope].filter { !$0.isEmpty }.joined(separator: " ")
  }

  // MARK: Rounds

  private func heldProblems() -> [Problem] {
    let numbers = Dictionary(rounds.map { ($0.id, $0.number) }, uniquingKeysWith: { first, _ in first })
    var groups: [NoticeTopic: [HeldUnit]] = [:]
    // A translation that is not finished yet is not a problem.
    for unit in held where unit.reason?.isOutstanding != true {
      let round = unit.round.flatMap { numbers[$0] }.map { "round \($0)" } ?? "no round"
      groups[NoticeTopic(.unitsHeld, "\(round), \(unit.language)", vendor: unit.vendor), default: []].append(unit)
    }
    return groups.sorted { ($0.key.about, $0.key.vendor) < ($1.key.about, $1.key.vendor) }.compactMap { topic, units in
      guard let first = units.first else { return nil }
      // A unit may be held on several branches.
      let count = Set(units.map(\.unit)).count
      let reason = first.reason.map { ": " + $0.sentence } ?? ""
      return Problem(
        topic: topic,
        text: """
          \(count) \(count == 1 ? "unit is" : "units are") held (\(Self.words(topic))), for example \(first.unit.key.text)\(reason)
          """, isSure: true)
    }
  }

  private func overdueProblems() -> [Problem] {
    rounds.flatMap { round -> [Problem] in
      guard now.timeIntervalSince(round.created) >= overdue.seconds else { return [] }
      let out = round.books.filter { $0.outstanding > 0 }
      return Dictionary(grouping: out, by: \.vendor).sorted { $0.key < $1.key }.map { vendor, books in
        let count = books.map(\.outstanding).reduce(0, +)
        let languages = books.map { "\($0.language) \($0.outstanding)" }.joined(separator: ", ")
        return Problem(
          topic: NoticeTopic(.roundOverdue, "round \(round.number)", vendor: vendor),
          text: """
            \(count) \(count == 1 ? "translation" : "translations") of round \(round.number) \
            \(count == 1 ? "has" : "have") been at \(vendor) since \(Self.time(round.created)): \(languages)
            """, isSure: true)
      }
    }
  }

  // MARK: Texts

  private func endText(of notice: Notice) -> String {
    let words = Self.words(notice.topic)
    let text =
      switch notice.topic.event {
      case .repositoryFailing where notice.topic.about == Stage.watch.rawValue:
        "the repository can be read again"
      case .repositoryFailing, .vendorFailing:
        jobs.contains { Self.topic(of: $0) == notice.topic } ? "\(words) works again" : "\(words) is no longer needed"
      case .unitsHeld: "no unit is held any more (\(words))"
      case .roundOverdue: "nothing is outstanding any more (\(words))"
      case .roundDelivered: words
      }
    return text.oneLine
  }

  private static func words(_ topic: NoticeTopic) -> String {
    topic.vendor.isEmpty
      ? topic.about
      : topic.event == .vendorFailing ? "\(topic.about) \(topic.vendor)" : "\(topic.about), \(topic.vendor)"
  }

  /// Describes a delivery in one line.
  /// - Parameter told: the number of translations that were reported before.
  private func text(of delivery: Delivery, without told: Int) -> String {
    let count = delivery.units - told
    let number = told > 0 ? "\(count) more" : "\(count)"
    let what =
      delivery.units == 0
      ? "catalogs in step with the code" : "\(number) \(count == 1 ? "translation" : "translations")"
    let commits = delivery.commits.count == 1 ? "1 commit" : "\(delivery.commits.count) commits"
    return "\(what) for \(delivery.branch) delivered to \(delivery.target) (\(commits), \(delivery.tip.short))"
  }

  private static func time(_ date: Date) -> String { date.formatted(.iso8601) }
}

extension Stage {
  /// Whether the stage has one job for each vendor.
  fileprivate var hasVendor: Bool { self == .push || self == .pull }
}

extension String {
  /// The text as one line of at most 400 scalars, without control characters, because it may come from a repository or a vendor.
  fileprivate var oneLine: String {
    let limit = 400
    let line = split { $0.isNewline || $0 == "\t" }.joined(separator: " ").withVisibleControls.unicodeScalars
    // Scalars, not characters, because one character may have any number of combining marks.
    return line.count > limit ? String(String.UnicodeScalarView(line.prefix(limit))) + "…" : String(line)
  }
}
