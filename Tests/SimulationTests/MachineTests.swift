import Foundation
import GRDB
import Pipeline
import Simulation
import Synchronization
import Testing

struct MachineTests {
  private final class Order: Sendable {
    let names = Mutex<[String]>([])
  }

  @Test("sleepers wake in the order of their times, then of their calls, and time passes only for them")
  func time() throws {
    let time = VirtualTime()
    let order = Order()
    try SimulatedThread.run(on: time) {
      await withTaskGroup { group in
        for (name, seconds) in [("b", 20), ("c", 20), ("a", 10), ("d", 86_400)] {
          group.addTask {
            await time.sleep(.seconds(seconds))
            order.names.withLock { $0.append("\(name) \(time.elapsed.components.seconds)") }
          }
        }
      }
    }
    #expect(order.names.withLock { $0 } == ["a 10", "b 20", "c 20", "d 86400"])
  }

  @Test("a cancelled sleeper wakes at once, and setting the clock wakes no sleeper")
  func cancelling() throws {
    let time = VirtualTime()
    let before = time.now
    try SimulatedThread.run(on: time) {
      let task = Task.detached { await time.sleep(.seconds(3600)) }
      time.jump(by: .seconds(-7200))
      await time.sleep(.seconds(60))
      task.cancel()
      await task.value
    }
    #expect(time.elapsed == .seconds(60))
    #expect(time.now == before.addingTimeInterval(60 - 7200))
  }

  @Test("a deadlock in a scenario is reported and does not hang the test")
  func deadlock() {
    #expect(throws: SimulatedThread.Deadlock.self) {
      try SimulatedThread.run(on: VirtualTime()) {
        let (stream, _) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
      }
    }
  }

  private func open(_ disk: SimulatedDisk, synchronous: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: disk.folder + "/test.sqlite")
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = \(synchronous)")
      try database.execute(sql: "CREATE TABLE IF NOT EXISTS note (text TEXT)")
    }
    return queue
  }

  private func write(_ text: String, in queue: DatabaseQueue) throws {
    try queue.write { try $0.execute(sql: "INSERT INTO note VALUES (?)", arguments: [text]) }
  }

  private func notes(_ disk: SimulatedDisk) throws -> [String] {
    try open(disk, synchronous: "FULL").read { try String.fetchAll($0, sql: "SELECT text FROM note ORDER BY rowid") }
  }

  @Test("written data survives a killed process, but only synced data survives a power cut")
  func powerCut() throws {
    for (synchronous, survivors) in [("FULL", ["one", "two"]), ("NORMAL", ["one"])] {
      let disk = SimulatedDisk()
      var queue = try open(disk, synchronous: synchronous)
      try write("one", in: queue)
      disk.kill()
      #expect(throws: (any Error).self) { try write("dead", in: queue) }
      #expect(try notes(disk) == ["one"])
      // Opening and closing the database has synced all data.
      queue = try open(disk, synchronous: synchronous)
      try write("two", in: queue)
      disk.cutPower(seed: 0)
      #expect(try notes(disk) == survivors, "\(synchronous)")
    }
  }

  @Test("a database stays valid after any last write, whichever sectors are kept", arguments: 0..<60)
  func dyingAtEveryWrite(_ writes: Int) throws {
    let disk = SimulatedDisk()
    let queue = try open(disk, synchronous: "FULL")
    disk.die(afterWrites: writes)
    var written = 0
    while written < 40, (try? write("note \(written)", in: queue)) != nil { written += 1 }
    disk.cutPower(seed: UInt64(writes + 1))
    let notes = try notes(disk)
    // The row that was being written may exist or not.
    #expect(notes.count == written || notes.count == written + 1)
    #expect(notes == (0..<notes.count).map { "note \($0)" })
  }

  @Test("a full disk and another program's lock are temporary errors")
  func faults() throws {
    let disk = SimulatedDisk()
    let queue = try open(disk, synchronous: "FULL")
    disk.setFull(true)
    #expect { try write("one", in: queue) } throws: { ($0 as? DatabaseError)?.resultCode == .SQLITE_FULL }
    disk.setFull(false)
    disk.setLocked(true)
    #expect { try write("two", in: queue) } throws: { ($0 as? DatabaseError)?.resultCode == .SQLITE_BUSY }
    disk.setLocked(false)
    try write("three", in: queue)
    #expect(try notes(disk) == ["three"])
  }
}
