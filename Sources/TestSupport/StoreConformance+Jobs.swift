package import FoundationEssentials
import Localization
package import Pipeline
import Testing

/// The guarantees of every store about heads and jobs.
extension StoreConformance {
  static let jobChecks: [Check] = [
    ("heads are adopted once, and a deleted branch has no head", heads),
    ("a branch is pending from the first commit after a comparison", pending),
    ("a branch that is reset to an old commit is compared again", backAgain),
    ("a job is queued when its inputs change, but not when they are the same", arming),
    ("a job whose inputs change while it runs runs again", changedWhileRunning),
    ("a job that is in no plan is removed, and its results are refused", removed),
    ("the job that has been due longest is claimed first, whatever the name of its pipeline", claimOrder),
    ("a lane runs one job at a time, and a job waits for the stages before it", lanes),
    ("only jobs of the requested stages and pipelines are claimed, up to the requested number", claimBounds),
    ("a job that another worker moved is not moved again, and writes nothing", conflict),
    ("a heartbeat extends the lease, and reports a lost lease", heartbeat),
    ("the jobs of a dead owner are queued again, but not those of a living owner", recovery),
    ("waking makes delayed and waiting jobs due", waking),
    ("a failed job is tried again when its inputs change, or on request", failures),
    ("a job and the ledger are changed in one transaction", atomicity),
    ("a clock that is set back delays no job", clockSetBack),
    ("the last compared commit is that of the branch, or else that of another branch", lastCompared),
  ]

  static func plan(
    _ stage: Stage, _ scope: String = "", inputs: String = "1", lane: String? = nil, waitsFor: Set<Stage> = [],
    due: Date = now
  ) -> JobPlan {
    JobPlan(
      stage: stage, scope: scope, lane: lane ?? "\(stage) \(scope)", waitsFor: waitsFor, inputs: inputs, due: due)
  }

  /// Returns the plan of a pull job.
  package static func pull(due: Date) -> JobPlan { plan(.pull, "v", due: due) }

  @discardableResult
  static func arm(_ store: any Store, _ plans: JobPlan..., retriesFailures: Bool = false) async throws -> Bool {
    try await store.arm(plans, of: pipeline, retriesFailures: retriesFailures)
  }

  static func claim(
    _ store: any Store, of pipelines: Set<String> = [pipeline], stages: Set<Stage> = Set(Stage.allCases),
    owner: String = "me", limit: Int = 10
  ) async throws -> [Job] {
    try await store.claimJobs(of: pipelines, stages: stages, owner: owner, lease: .seconds(60), limit: limit)
  }

  static func head(_ branch: String = "main", _ digit: Character = "a") -> BranchHead {
    BranchHead(name: branch, commit: commit(digit))
  }

  // MARK: Heads

  @Sendable static func heads(_ store: any Store, _ clock: TestClock) async throws {
    let first = try await store.adopt([head(), head("release/1", "b")], of: pipeline)
    #expect(first.map(\.branch) == ["main", "release/1"])
    #expect(first.map(\.pendingSince) == [nil, nil])
    let sendings: [(Character, Double, CommitID?)] = [("f", 0, commit("a")), ("f", -1, nil), ("a", -1, commit("a"))]
    for (sent, seconds, expected) in sendings {
      let then = try await store.head(
        of: pipeline, branch: "main", whenSending: commit(sent), at: clock.now.addingTimeInterval(seconds))
      #expect(then == expected)
    }
    clock.advance(by: 60)
    #expect(try await store.adopt([head(), head("release/1", "b")], of: pipeline) == first)
    let second = try await store.adopt([head("main", "c")], of: pipeline)
    #expect(second.map(\.commit) == [commit("c")])
    #expect(second.map(\.created) == [now + 60])
    #expect(try await store.heads(of: pipeline) == second)
    #expect(try await store.heads(of: "other").isEmpty)
  }

  @Sendable static func pending(_ store: any Store, _ clock: TestClock) async throws {
    let first = try await store.adopt([head()], of: pipeline)
    try await store.record([.compared(first.map(\.id))], of: pipeline)
    #expect(try await store.heads(of: pipeline).map(\.isCompared) == [true])
    for (digit, seconds) in [("b", 10.0), ("c", 10), ("d", 10)] {
      clock.advance(by: seconds)
      let heads = try await store.adopt([head("main", Character(digit))], of: pipeline)
      #expect(heads.map(\.pendingSince) == [now + 10])
      #expect(heads.map(\.isCompared) == [false])
    }
  }

  @Sendable static func backAgain(_ store: any Store, _ clock: TestClock) async throws {
    let first = try await store.adopt([head()], of: pipeline)
    try await store.record([.compared(first.map(\.id))], of: pipeline)
    try await store.adopt([head("main", "b")], of: pipeline)
    clock.advance(by: 5)
    let again = try await store.adopt([head()], of: pipeline)
    #expect(again.map(\.id) == first.map(\.id))
    #expect(again.map(\.isCompared) == [false])
    #expect(again.map(\.created) == [now + 5])
  }

  @Sendable static func lastCompared(_ store: any Store, _ clock: TestClock) async throws {
    let first = try await store.adopt([head()], of: pipeline)
    #expect(try await store.lastCompared(of: pipeline, branch: "main", except: commit("f")) == nil)
    try await store.record([.compared(first.map(\.id))], of: pipeline)
    let second = try await store.adopt([head(), head("release/1", "b")], of: pipeline)
    #expect(try await store.lastCompared(of: pipeline, branch: "release/1", except: commit("b")) == commit("a"))
    try await store.record([.compared(second.map(\.id))], of: pipeline)
    try await store.adopt([head("main", "c"), head("release/1", "d")], of: pipeline)
    #expect(try await store.lastCompared(of: pipeline, branch: "main", except: commit("c")) == commit("a"))
    #expect(try await store.lastCompared(of: pipeline, branch: "release/1", except: commit("d")) == commit("b"))
    #expect(try await store.lastCompared(of: pipeline, branch: "main", except: commit("a")) == commit("b"))
  }

  // MARK: Arming

  @Sendable static func arming(_ store: any Store, _ clock: TestClock) async throws {
    #expect(try await arm(store, plan(.extract, "main")))
    #expect(try await !arm(store, plan(.extract, "main")))
    let job = try #require(try await claim(store).first)
    #expect(job.attempts == 1 && job.armed == now)
    #expect(try await store.move(job, by: .succeed, changes: []).done == "1")
    #expect(try await !arm(store, plan(.extract, "main")))
    #expect(try await claim(store).isEmpty)
    clock.advance(by: 7)
    #expect(try await arm(store, plan(.extract, "main", inputs: "2", due: now + 7)))
    let again = try #require(try await claim(store).first)
    #expect(again.id == job.id && again.attempts == 1 && again.armed == now + 7)
  }

  @Sendable static func changedWhileRunning(_ store: any Store, _ clock: TestClock) async throws {
    try await arm(store, plan(.merge, "main"))
    let job = try #require(try await claim(store).first)
    try await arm(store, plan(.merge, "main", inputs: "2"))
    try await store.heartbeat(job, for: .seconds(60))
    #expect(try await store.move(job, by: .succeed, changes: []).state == .queued(due: now))
    let again = try #require(try await claim(store).first)
    #expect(again.inputs == "2" && again.done == "1" && again.attempts == 1)
    // The job already succeeded with these inputs, so it is no longer due.
    try await store.move(again, by: .retry(due: now + 5), changes: [])
    try await arm(store, plan(.merge, "main", inputs: "1"))
    clock.advance(by: 60)
    #expect(try await claim(store).isEmpty)
  }

  @Sendable static func removed(_ store: any Store, _ clock: TestClock) async throws {
    try await arm(store, plan(.extract, "main"), plan(.extract, "old"))
    try await arm(store, plan(.extract, "main"))
    #expect(try await store.jobs(of: pipeline).map(\.scope) == ["main"])
    let job = try #require(try await claim(store).first)
    _ = try await store.arm([], of: pipeline, retriesFailures: false)
    // A running job may still finish after it is no longer planned.
    #expect(try await store.move(job, by: .succeed, changes: []).state == .succeeded)
    _ = try await store.arm([], of: pipeline, retriesFailures: false)
    #expect(try await store.jobs(of: pipeline).isEmpty)
    await #expect(throws: StoreConflict.self) { try await store.move(job, by: .succeed, changes: []) }
  }

  // MARK: Claiming

  @Sendable static func claimOrder(_ store: any Store, _ clock: TestClock) async throws {
    for (name, late) in [("a", 0.0), ("b", -5), ("z", -9)] {
      _ = try await store.arm([plan(.pull, "v", due: now + late)], of: name, retriesFailures: false)
    }
    let names: Set<String> = ["a", "b", "z"]
    #expect(try await claim(store, of: names, limit: 2).map(\.pipeline) == ["z", "b"])
    #expect(try await claim(store, of: names, limit: 2).map(\.pipeline) == ["a"])
  }

  @Sendable static func lanes(_ store: any Store, _ clock: TestClock) async throws {
    try await arm(
      store, plan(.extract, "main", lane: "branch main"), plan(.extract, "z", lane: "branch z"),
      plan(.merge, "main", lane: "branch main", waitsFor: [.extract]),
      plan(.deliver, "main", lane: "branch main"), plan(.diff, waitsFor: [.extract]))
    let extracts = try await claim(store)
    #expect(extracts.map(\.stage) == [.extract, .extract])
    #expect(try await claim(store).isEmpty)
    try await store.move(extracts[0], by: .succeed, changes: [])
    // `deliver` waits for no other stage, so it can take the free lane. `diff` and `merge` still wait for the other extraction.
    #expect(try await claim(store).map(\.stage) == [.deliver])
    // A job that waits for its retry does not block other jobs.
    try await store.move(extracts[1], by: .retry(due: now + 30), changes: [])
    #expect(try await claim(store).map(\.stage) == [.diff])
    #expect(try await store.nextDue(of: [pipeline]) == now + 30)
  }

  @Sendable static func claimBounds(_ store: any Store, _ clock: TestClock) async throws {
    try await arm(store, plan(.extract, "a"), plan(.extract, "b"), plan(.pull, "v"))
    _ = try await store.arm([plan(.extract, "a")], of: "other \"quoted\\\"", retriesFailures: false)
    #expect(try await claim(store, stages: [.extract], limit: 1).map(\.scope) == ["a"])
    #expect(try await claim(store, stages: [.push, .pull]).map(\.scope) == ["v"])
    #expect(try await claim(store, of: ["nobody"]).isEmpty)
    #expect(try await claim(store, of: ["other \"quoted\\\""]).map(\.scope) == ["a"])
  }

  // MARK: Moving

  @Sendable static func conflict(_ store: any Store, _ clock: TestClock) async throws {
    try await arm(store, plan(.pull, "v"))
    let job = try #require(try await claim(store).first)
    try await store.move(job, by: .snooze(until: now + 9), changes: [])
    await #expect(throws: StoreConflict.self) { try await store.move(job, by: .succeed, changes: []) }
    await #expect(throws: StoreConflict.self) { try await store.record([.plan(round(["a"]))], under: job) }
    await #expect(throws: StoreConflict.self) { try await store.heartbeat(job, for: .seconds(60)) }
    #expect(try await store.rounds(of: pipeline).isEmpty)
    clock.advance(by: 8)
    #expect(try await claim(store).isEmpty)
    clock.advance(by: 1)
    let again = try #require(try await claim(store).first)
    #expect(again.attempts == 1)
    try await store.record([.plan(round(["a"]))], under: again)
    #expect(try await store.rounds(of: pipeline).count == 1)
  }

  @Sendable static func heartbeat(_ store: any Store, _ clock: TestClock) async throws {
    try await arm(store, plan(.extract, "main"))
    let job = try #require(try await claim(store).first)
    clock.advance(by: 50)
    try await store.heartbeat(job, for: .seconds(60))
    let lease = try await store.jobs(of: pipeline).compactMap { job in
      if case .running(let lease) = job.state { lease } else { nil }
    }
    #expect(lease.map(\.until) == [now + 110])
    clock.advance(by: 61)
    try await store.recoverJobs(except: "another")
    await #expect(throws: StoreConflict.self) { try await store.heartbeat(job, for: .seconds(60)) }
  }

  @Sendable static func recovery(_ store: any Store, _ clock: TestClock) async throws {
    try await arm(store, plan(.extract, "main"))
    _ = try await claim(store, owner: "dead")
    try await store.recoverJobs(except: "dead")
    #expect(try await store.jobs(of: pipeline).map(\.state.name) == [.running])
    clock.advance(by: 61)
    try await store.recoverJobs(except: "me")
    #expect(try await store.jobs(of: pipeline).map(\.state) == [.queued(due: now + 61)])
    #expect(try await claim(store).map(\.attempts) == [2])
  }

  @Sendable static func waking(_ store: any Store, _ clock: TestClock) async throws {
    try await arm(store, plan(.pull, "v"), plan(.pull, "w", due: now + 600), plan(.diff, due: now + 600))
    let job = try #require(try await claim(store).first)
    try await store.move(job, by: .snooze(until: now + 900), changes: [])
    try await store.wake(pipeline, stage: .pull, scope: "v")
    #expect(try await claim(store).map(\.scope) == ["v"])
    try await store.wake(pipeline, stage: nil, scope: nil)
    #expect(Set(try await claim(store).map(\.stage)) == [.pull, .diff])
    // A bundle may arrive while the vendor is being polled, so a running job that is woken runs again.
    let running = try #require(try await store.jobs(of: pipeline).first { $0.scope == "w" })
    try await store.wake(pipeline, stage: .pull, scope: "w")
    try await store.heartbeat(running, for: .seconds(60))
    #expect(try await store.move(running, by: .snooze(until: now + 900), changes: []).state == .queued(due: now))
  }

  @Sendable static func failures(_ store: any Store, _ clock: TestClock) async throws {
    try await arm(store, plan(.deliver, "main"))
    let job = try #require(try await claim(store).first)
    try await store.move(job, by: .fail(FailureRecord(message: "refused", at: now)), changes: [])
    #expect(try await !arm(store, plan(.deliver, "main")))
    #expect(try await claim(store).isEmpty)
    #expect(try await arm(store, plan(.deliver, "main"), retriesFailures: true))
    let again = try #require(try await claim(store).first)
    try await store.move(again, by: .fail(FailureRecord(message: "refused", at: now)), changes: [])
    #expect(try await arm(store, plan(.deliver, "main", inputs: "2")))
    #expect(try await claim(store).map(\.attempts) == [1])
  }

  @Sendable static func atomicity(_ store: any Store, _ clock: TestClock) async throws {
    try await arm(store, plan(.diff))
    let job = try #require(try await claim(store).first)
    // The second round sends a unit that the first round already sent, so the store refuses all changes.
    await #expect(throws: (any Error).self) {
      try await store.move(job, by: .succeed, changes: [.plan(round(["a"])), .plan(round(["a"]))])
    }
    #expect(try await store.rounds(of: pipeline).isEmpty)
    #expect(try await store.jobs(of: pipeline).map(\.state.name) == [.running])
    try await store.move(job, by: .succeed, changes: [.plan(round(["a"]))])
    #expect(try await store.rounds(of: pipeline).map(\.number) == [1])
  }

  @Sendable static func clockSetBack(_ store: any Store, _ clock: TestClock) async throws {
    try await arm(store, plan(.pull, "v"))
    let job = try #require(try await claim(store).first)
    try await store.move(job, by: .snooze(until: now + 900), changes: [])
    clock.advance(by: -86_400)
    try await arm(store, plan(.pull, "v"))
    clock.advance(by: 900)
    #expect(try await claim(store).map(\.scope) == ["v"])
  }
}
