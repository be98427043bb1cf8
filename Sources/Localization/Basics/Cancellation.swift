private import Synchronization

/// Cancels work on threads of our own. Such threads see no task, so the flag is passed to them.
package final class CancellationFlag: Sendable {
  private let isSet = Atomic<Bool>(false)

  package init() {}

  package func cancel() { isSet.store(true, ordering: .relaxed) }
  package var isCancelled: Bool { isSet.load(ordering: .relaxed) }

  /// The flag of the work that is being done, if any.
  @TaskLocal package static var current: CancellationFlag?

  /// - Throws: `CancellationError` where the work that is being done was cancelled.
  package static func check() throws {
    if current?.isCancelled == true { throw CancellationError() }
  }
}
