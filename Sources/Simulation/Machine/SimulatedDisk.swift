internal import CSimulatedMachine
internal import Synchronization

/// The disk of the ledger, in memory. It distinguishes synced data from data that is only written.
package final class SimulatedDisk: Sendable {
  package struct Figures: Hashable, Sendable {
    package var writes: Int64
    package var syncs: Int64
    package var bytes: Int64
  }

  private static let numbers = Mutex<Int64>(0)
  private nonisolated(unsafe) let disk: OpaquePointer
  package let number: Int64

  package init() {
    number = Self.numbers.withLock { numbers in
      if numbers == 0 { precondition(simulated_disk_register() == 0, "SQLite refused the simulated disk") }
      numbers += 1
      return numbers
    }
    guard let disk = simulated_disk_create(number) else { preconditionFailure("out of memory") }
    self.disk = disk
  }

  deinit { simulated_disk_destroy(disk) }

  /// The path of the disk for SQLite.
  package var folder: String { "/simulated-disk/\(number)" }

  package var isDead: Bool { simulated_disk_is_dead(disk) }
  package func kill() { simulated_disk_kill(disk) }
  package func die(afterWrites writes: Int) { simulated_disk_die_after(disk, Int64(writes)) }

  /// Simulates a power failure.
  /// - Parameter seed: determines which of the unsynced sectors survive. With 0, none survives.
  package func cutPower(seed: UInt64) { simulated_disk_cut_power(disk, seed) }
  package func setFull(_ isFull: Bool) { simulated_disk_set_full(disk, isFull) }
  package func setLocked(_ isLocked: Bool) { simulated_disk_set_locked(disk, isLocked) }

  /// Replaces the files of this disk with copies of another disk's files.
  package func restore(_ backup: SimulatedDisk) {
    precondition(simulated_disk_copy(disk, backup.disk), "out of memory")
  }

  /// Returns the first column of the first row that a query on the ledger returns; -1 if the query fails or returns no rows.
  func number(of query: String) -> Int64 { simulated_database_number(folder + "/ledger.sqlite", query) }

  package var figures: Figures {
    let figures = simulated_disk_measure(disk)
    return Figures(writes: figures.writes, syncs: figures.syncs, bytes: figures.bytes)
  }
}
