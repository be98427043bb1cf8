internal import GRDB
private import Synchronization

/// The writes that wait for the writer thread of a ledger. Writes that wait at the same time share one transaction. The disk is synced once for all
/// these writes, before any call of these writes returns.
///
/// Each write has its own savepoint, so a failed write undoes only its own changes.
final class WaitingWrites: Sendable {
  /// One write. Its result is set after its transaction has ended.
  final class Write<Value: Sendable>: AnyWrite {
    private let body: @Sendable (Database) throws -> Value
    private let state = Mutex<(value: Value?, result: Result<Value, any Error>?)>((nil, nil))

    init(_ body: @escaping @Sendable (Database) throws -> Value) { self.body = body }

    func run(_ database: Database) throws {
      let value = try body(database)
      state.withLock { $0.value = value }
    }

    func succeed() { state.withLock { state in state.result = state.value.map { .success($0) } } }
    func fail(_ error: any Error) { state.withLock { $0.result = .failure(error) } }
    var result: Result<Value, any Error>? { state.withLock { $0.result } }
  }

  protocol AnyWrite: AnyObject, Sendable {
    /// Runs the write. May be called more than once.
    func run(_ database: Database) throws
    /// Called when the changes of the last run are durable.
    func succeed()
    /// Called when all changes of the write are undone.
    func fail(_ error: any Error)
  }

  private let waiting = Mutex<[any AnyWrite]>([])
  /// The maximum number of writes in a transaction. Transactions must be short, because readers do not see the changes until the transaction ends.
  private static let most = 64

  func add(_ write: any AnyWrite) { waiting.withLock { $0.append(write) } }

  /// Performs waiting writes in order until the given write has a result. This function must be called on the writer thread, once for each added
  /// write.
  func perform<Value: Sendable>(_ write: Write<Value>, in database: DatabasePool) throws -> Value {
    while true {
      if let result = write.result { return try result.get() }
      let batch = waiting.withLock { waiting in
        defer { waiting.removeFirst(min(Self.most, waiting.count)) }
        return waiting.prefix(Self.most)
      }
      precondition(!batch.isEmpty, "a write was not added")
      if batch.count == 1 || !together(batch, in: database) {
        for write in batch { alone(write, in: database) }
      }
    }
  }

  private func alone(_ write: any AnyWrite, in database: DatabasePool) {
    do {
      try database.write { try write.run($0) }
      write.succeed()
    } catch { write.fail(error) }
  }

  /// Performs several writes in one transaction.
  /// - Returns: whether all writes have a result. If not, the ledger contains no changes of these writes: some errors, such as a full disk, undo the
  ///   whole transaction, and it is unknown which writes would succeed alone.
  private func together(_ batch: ArraySlice<any AnyWrite>, in database: DatabasePool) -> Bool {
    var begun = false
    var failed: [(write: any AnyWrite, error: any Error)] = []
    do {
      try database.write { database in
        begun = true
        for write in batch {
          do {
            try database.inSavepoint {
              try write.run(database)
              return .commit
            }
          } catch {
            guard database.isInsideTransaction else { throw error }
            failed.append((write, error))
          }
        }
      }
    } catch {
      // If the transaction could not begin, usually another program holds the lock. All writes fail, because each single write would wait just as
      // long.
      if !begun { for write in batch { write.fail(error) } }
      return !begun
    }
    for write in batch where !failed.contains(where: { $0.write === write }) { write.succeed() }
    for (write, error) in failed { write.fail(error) }
    return true
  }
}
