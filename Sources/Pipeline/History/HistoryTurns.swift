import Localization

/// Records the history, one commit at a time for the whole process. Pipelines take turns, so a push to one pipeline does not wait for the
/// long history of another.
package struct HistoryTurns: Sendable {
  /// The number of commits of a pipeline that are recorded before the next pipeline has its turn.
  private static let limit = 20
  private static let breath = Duration.milliseconds(100)
  private static let retry = Duration.seconds(60)

  private let recorder: HistoryRecorder
  private let queue: HistoryQueue
  private let registry: PipelineRegistry
  private let time: TimeSource
  private let report: @Sendable (_ pipeline: String, _ text: String) -> Void

  /// - Parameter report: called with lines for the log, each about one pipeline.
  package init(
    recorder: HistoryRecorder, queue: HistoryQueue, registry: PipelineRegistry, time: TimeSource,
    report: @escaping @Sendable (_ pipeline: String, _ text: String) -> Void
  ) {
    self.recorder = recorder
    self.queue = queue
    self.registry = registry
    self.time = time
    self.report = report
  }

  /// Serves the queue until the task is cancelled. Commits that are not recorded by that time are recorded by the next process.
  /// - Throws: `CancellationError` only.
  package func serve() async throws {
    try await withThrowingDiscardingTaskGroup { retries in try await serve(&retries) }
  }

  /// - Parameter retries: the pipelines that wait until they are tried again, each as one task.
  private func serve(_ retries: inout ThrowingDiscardingTaskGroup<any Error>) async throws {
    var failing: [String: String] = [:]
    var recorded: [String: Int] = [:]
    while true {
      try Task.checkCancellation()
      guard let name = queue.next() else {
        await queue.signal.wait()
        continue
      }
      guard let context = registry[name] else { continue }
      do {
        let turn = try await recorder.turn(context, limit: Self.limit)
        if failing.removeValue(forKey: name) != nil { report(name, "history: working again") }
        recorded[name, default: 0] += turn.recorded
        guard turn.hasMore else {
          // A usual push has few commits and is not logged.
          if let count = recorded.removeValue(forKey: name), count > Self.limit {
            report(name, "history: \(count) commits recorded")
          }
          continue
        }
        queue.add(name)
        if turn.recorded == 0 { try await time.sleep(Self.breath) }
      } catch let error as CancellationError {
        throw error
      } catch {
        if failing[name] != "\(error)" { report(name, "history: error: \(error) (will be retried)") }
        failing[name] = "\(error)"
        // A commit that cannot be read must not keep the thread busy. The pipeline is tried again after its next extraction, or after
        // `retry` if the error is temporary. In the meantime, the other pipelines have their turns.
        if (error as? any DisposableError)?.disposition == .retry {
          retries.addTask { try await queue.add(name) { try await time.sleep(Self.retry) } }
        }
      }
    }
  }
}
