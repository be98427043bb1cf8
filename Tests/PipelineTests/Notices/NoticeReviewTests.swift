import Foundation
import Localization
import Pipeline
import Testing

struct NoticeReviewTests {
  private let now = Date(timeIntervalSince1970: 1_700_000_000)
  private let week = Duration.seconds(7 * 24 * 3600)

  private func review() -> NoticeReview { NoticeReview(now: now, overdue: week) }

  private func job(_ stage: Stage, _ scope: String, _ state: JobState) -> Job {
    Job(
      id: JobID(rawValue: 1), pipeline: "birds", stage: stage, scope: scope, state: state, attempts: 1, version: 1,
      armed: now, inputs: "")
  }

  private func open(_ event: NoticeEvent, _ about: String, vendor: String = "") -> NoticeBook {
    NoticeBook(
      since: now,
      open: [Notice(id: NoticeID(rawValue: 1), topic: NoticeTopic(event, about, vendor: vendor), text: "", began: now)])
  }

  /// Returns the changes that a review makes, such as `began vendor-failing: push weblate fails: …`.
  private func texts(_ review: NoticeReview, _ book: NoticeBook? = nil) -> [String] {
    review.changes(book ?? NoticeBook(since: now)).map { change in
      switch change {
      case .begin(_, let text, _): "began \(change.event.rawValue): \(text)"
      case .end(_, let text, _): "ended \(change.event.rawValue): \(text)"
      case .happen(_, let text, _): "happened \(change.event.rawValue): \(text)"
      case .skip(let topic, _): "skipped \(change.event.rawValue): \(topic.about)"
      }
    }
  }

  @Test("an unreachable repository is reported once after ten minutes, and so is its recovery")
  func watchFault() {
    var review = review()
    review.watchFault = FailureRecord(message: "no route to host", at: now - 599)
    #expect(texts(review) == [])
    review.watchFault?.at = now - 600
    let text = "the repository has been unreadable since 2023-11-14T22:03:20Z: no route to host"
    #expect(texts(review) == ["began repository-failing: " + text])
    let told = open(.repositoryFailing, "watch")
    #expect(texts(review, told) == [])
    review.watchFault?.at = now
    #expect(texts(review, told) == [], "a new failure soon after the old one is the same problem")
    review.watchFault = nil
    #expect(texts(review, told) == ["ended repository-failing: the repository can be read again"])
  }

  @Test("a failed job is a problem until it succeeds or waits, and attempts in between are not reported")
  func jobs() {
    var review = review()
    let told = open(.vendorFailing, "push", vendor: "weblate")
    review.jobs = [job(.push, "weblate", .failed(FailureRecord(message: "403\nforbidden", at: now)))]
    #expect(texts(review) == ["began vendor-failing: push weblate fails: 403 forbidden"])
    #expect(texts(review, told) == [])
    let running = Lease(owner: "a", until: now)
    for state in [JobState.queued(due: now), .running(running)] {
      review.jobs = [job(.push, "weblate", state)]
      #expect(texts(review) == [])
      #expect(texts(review, told) == [])
    }
    for state in [JobState.succeeded, .waiting(until: now)] {
      review.jobs = [job(.push, "weblate", state)]
      #expect(texts(review, told) == ["ended vendor-failing: push weblate works again"])
    }
    review.jobs = []
    #expect(texts(review, told) == ["ended vendor-failing: push weblate is no longer needed"])
    review.jobs = [job(.deliver, "main", .failed(FailureRecord(message: "a hook declined", at: now)))]
    #expect(texts(review) == ["began repository-failing: deliver main fails: a hook declined"])
  }

  private func held(_ key: String, branch: String = "main", _ reason: HoldReason) -> HeldUnit {
    HeldUnit(
      id: ReturnedUnitID(rawValue: 1), pipeline: "birds", branch: branch, round: RoundID(rawValue: 9),
      unit: UnitID(catalog: "L.xcstrings", key: UnitKey(key)), language: "de", vendor: "agency", bundle: "b",
      received: now, reason: reason, text: "")
  }

  private func round(created: Date, outstanding: Int) -> Round {
    Round(
      id: RoundID(rawValue: 9), pipeline: "birds", number: 4, created: created, isCancelled: false,
      books: [
        Books(vendor: "agency", language: "de", sent: 5, returned: 5 - outstanding, outstanding: outstanding),
        Books(vendor: "agency", language: "fr", sent: 5, returned: 5 - outstanding, outstanding: outstanding),
        Books(vendor: "weblate", language: "uk", sent: 5, returned: 5),
      ])
  }

  @Test("held units are counted once for all branches, and unfinished translations are not a problem")
  func heldUnits() {
    var review = review()
    review.rounds = [round(created: now, outstanding: 0)]
    review.held = [
      held("a\u{1B}[31m", .unknownKey), held("a\u{1B}[31m", branch: "next", .unknownKey), held("b", .emptyTarget),
    ]
    let told = open(.unitsHeld, "round 4, de", vendor: "agency")
    let about = "round 4, de, agency"
    let text = "2 units are held (\(about)), for example a\\u{1B}[31m: the catalog does not have this key"
    #expect(texts(review) == ["began units-held: " + text])
    #expect(texts(review, told) == [])
    review.held = [held("c", .noTarget), held("d", .unfinishedState("needs-translation"))]
    #expect(texts(review) == [])
    #expect(
      texts(review, told) == ["ended units-held: no unit is held any more (\(about))"])
  }

  @Test("a round is overdue while a vendor has had its units for too long, until they are returned")
  func overdue() {
    var review = review()
    review.rounds = [round(created: now - week.seconds + 1, outstanding: 2)]
    #expect(texts(review) == [])
    review.rounds = [round(created: now - week.seconds, outstanding: 2)]
    #expect(
      texts(review) == [
        "began round-overdue: 4 translations of round 4 have been at agency since 2023-11-07T22:13:20Z: de 2, fr 2"
      ])
    let told = open(.roundOverdue, "round 4", vendor: "agency")
    #expect(texts(review, told) == [])
    review.rounds = [round(created: now - week.seconds, outstanding: 0)]
    #expect(texts(review, told) == ["ended round-overdue: nothing is outstanding any more (round 4, agency)"])
  }

  @Test("a delivery is reported once, when it is on the remote")
  func deliveries() {
    var review = review()
    let commit = CommitID(rawValue: String(repeating: "a", count: 40))
    var delivery = Delivery(
      id: DeliveryID(rawValue: 7), pipeline: "birds", branch: "main", source: commit, target: "l10n/main",
      expected: nil, base: commit, commits: [commit], units: 12, created: now, state: .planned)
    for (state, isTold) in [
      (Delivery.State.planned, false), (.abandoned, false), (.pushed, true), (.settled, true),
    ] {
      delivery.state = state
      review.deliveries = [delivery]
      let text = "12 translations for main delivered to l10n/main (1 commit, aaaaaaaaaa)"
      #expect(texts(review) == (isTold ? ["happened round-delivered: " + text] : []), "\(state)")
    }
    #expect(texts(review, NoticeBook(since: now, happened: [NoticeTopic(.roundDelivered, "7")])) == [])
  }

  @Test("a repeated delivery is not reported again; if it has more translations, only the new ones are reported")
  func deliveryAgain() {
    let commit = CommitID(rawValue: String(repeating: "a", count: 40))
    func delivery(_ id: Int64, _ units: Int, _ state: Delivery.State, of branch: String = "main") -> Delivery {
      Delivery(
        id: DeliveryID(rawValue: id), pipeline: "birds", branch: branch, source: commit, target: "l10n/\(branch)",
        expected: nil, base: commit, commits: [commit], units: units, created: now, state: state)
    }
    var review = review()
    let told = NoticeBook(since: now, happened: [NoticeTopic(.roundDelivered, "7")])
    review.deliveries = [delivery(7, 12, .abandoned), delivery(8, 12, .pushed)]
    #expect(texts(review, told) == ["skipped round-delivered: 8"])
    review.deliveries = [delivery(7, 12, .abandoned), delivery(8, 13, .pushed)]
    let rest = "for main delivered to l10n/main (1 commit, aaaaaaaaaa)"
    #expect(texts(review, told) == ["happened round-delivered: 1 more translation \(rest)"])
    let whole = ["happened round-delivered: 12 translations \(rest)"]
    // No receiver was notified of the first delivery, or the first delivery was on another branch or was merged.
    #expect(texts(review, NoticeBook(since: now)) == ["happened round-delivered: 13 translations \(rest)"])
    review.deliveries = [delivery(7, 12, .abandoned, of: "next"), delivery(8, 12, .pushed)]
    #expect(texts(review, told) == whole)
    review.deliveries = [delivery(7, 12, .settled), delivery(8, 12, .pushed)]
    #expect(texts(review, told) == whole)
  }

  @Test("hours extend past midnight if the end is not later than the start")
  func hours() {
    let night = DailyHours(start: 22 * 60, end: 7 * 60)
    #expect([21 * 60 + 59, 7 * 60, 12 * 60].allSatisfy { !night.contains(minute: $0) })
    #expect([22 * 60, 0, 6 * 60 + 59].allSatisfy { night.contains(minute: $0) })
    let noon = DailyHours(start: 12 * 60, end: 13 * 60)
    #expect(noon.contains(minute: 12 * 60) && !noon.contains(minute: 13 * 60) && !noon.contains(minute: 0))
  }
}
