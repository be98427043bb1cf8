private import Dispatch

/// Runs an actor on a thread of its own queue, so that what blocks there blocks no thread of Swift's pool.
final class SerialQueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(_ label: String) { queue = DispatchQueue(label: "dragoman.git." + label) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
