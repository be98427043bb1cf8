import Foundation
import Pipeline
import Testing

/// The table of states and events in docs/state-machine.md.
struct StateTable {
  let states: [JobState.Name]
  let rows: [(event: JobEvent.Name, results: [String])]

  init() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/state-machine.md")
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    let cells = lines.filter { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    states = try #require(cells.first { $0.first == "event" }).dropFirst().compactMap(JobState.Name.init(rawValue:))
    rows = cells.compactMap { row in
      row.first.flatMap(JobEvent.Name.init(rawValue:)).map { ($0, Array(row.dropFirst())) }
    }
  }
}

private let now = Date(timeIntervalSince1970: 1_700_000_000)
private let lease = Lease(owner: "1", until: now)
private let failure = FailureRecord(message: "no", at: now)

private func state(_ name: JobState.Name) -> JobState {
  switch name {
  case .queued: .queued(due: now)
  case .running: .running(lease)
  case .waiting: .waiting(until: now)
  case .succeeded: .succeeded
  case .failed: .failed(failure)
  }
}

private func event(_ name: JobEvent.Name) -> JobEvent {
  switch name {
  case .claim: .claim(lease)
  case .heartbeat: .heartbeat(until: now + 5)
  case .succeed: .succeed
  case .fail: .fail(failure)
  case .retry: .retry(due: now + 9)
  case .interrupt: .interrupt(at: now)
  case .leaseExpired: .leaseExpired(at: now)
  case .snooze: .snooze(until: now + 7)
  case .due: .due(at: now)
  case .arm: .arm(due: now)
  }
}

struct JobStateTests {
  @Test("every event changes every state as documented in docs/state-machine.md", arguments: JobEvent.Name.allCases)
  func transition(name: JobEvent.Name) throws {
    let table = try StateTable()
    #expect(table.states == JobState.Name.allCases)
    #expect(table.rows.count == JobEvent.Name.allCases.count)
    let row = try #require(table.rows.first { $0.event == name })
    for (place, start) in table.states.enumerated() {
      let result: String
      do {
        result = try state(start).applying(event(name)).name.rawValue
      } catch {
        #expect(error == IllegalTransition(state: start, event: name))
        result = "–"
      }
      #expect(result == row.results[place], "\(start) + \(name)")
    }
  }

  @Test("a job leaves a final state only when its inputs change", arguments: JobState.Name.allCases)
  func finality(name: JobState.Name) {
    let start = state(name)
    let leaves = JobEvent.Name.allCases.filter { $0 != .arm }.contains { (try? start.applying(event($0))) != nil }
    #expect(leaves != start.isFinal)
  }

  @Test("claiming a job uses up an attempt; a snooze or an interruption returns the attempt")
  func attempts() throws {
    let job = Job(
      id: JobID(rawValue: 1), pipeline: "p", stage: .push, scope: "v", state: .queued(due: now), attempts: 0,
      version: 0,
      armed: now, inputs: "1")
    let claimed = try job.applying(.claim(lease))
    #expect(claimed.attempts == 1)
    #expect(try claimed.applying(.snooze(until: now)).attempts == 0)
    #expect(try claimed.applying(.interrupt(at: now)).attempts == 0)
    #expect(try claimed.applying(.leaseExpired(at: now)).attempts == 1)
    #expect(try claimed.applying(.retry(due: now)).version == 2)
  }
}
