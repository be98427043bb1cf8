private import Synchronization

/// A flag that cancels work on our own threads. These threads do not run inside a task, so they cannot see the cancellation of a task.
package final class CancellationFlag: Sendable {
  private let isSet = Atomic<Bool>(false)

  package init() {}

  package func cancel() { isSet.store(true, ordering: .relaxed) }
  package var isCancelled: Bool { isSet.load(ordering: .relaxed) }

  /// The flag of the current work; `nil` if this work cannot be cancelled.
  @TaskLocal package static var current: CancellationFlag?

  /// Checks whether the current work was cancelled.
  /// - Throws: `CancellationError` if the work was cancelled.
  package static func check() throws {
    if current?.isCancelled == true { throw CancellationError() }
  }
}
