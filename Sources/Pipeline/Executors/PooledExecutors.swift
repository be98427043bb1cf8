private import Synchronization

/// Runs an actor's jobs one at a time on the threads of a pool. Many actors can share a few threads.
package final class PooledSerialExecutor: SerialExecutor {
  private struct State {
    var pending: [UnownedJob] = []
    var isScheduled = false
  }

  private let pool: BlockingPool
  private let state = Mutex(State())

  package init(_ pool: BlockingPool) { self.pool = pool }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustSchedule = state.withLock { state in
      state.pending.append(job)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { schedule() }
  }

  private func schedule() { pool.submit { self.runNext() } }

  /// Runs one job and submits the next to the end of the pool's queue, so a busy actor does not block other actors.
  private func runNext() {
    guard let job = state.withLock({ $0.pending.isEmpty ? nil : $0.pending.removeFirst() }) else { return }
    job.runSynchronously(on: asUnownedSerialExecutor())
    let hasMore = state.withLock { state in
      state.isScheduled = !state.pending.isEmpty
      return state.isScheduled
    }
    if hasMore { schedule() }
  }
}

/// Runs tasks on the threads of a pool. This includes their disk and parser calls, but not actors with their own executor.
package final class PooledTaskExecutor: TaskExecutor {
  private let pool: BlockingPool

  package init(_ pool: BlockingPool) { self.pool = pool }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pool.submit { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
