private import Synchronization

/// Runs an actor's jobs one after the other on the threads of a pool, so that many actors share a few threads.
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

  /// Runs one job and goes to the end of the pool's line, so that a busy actor does not keep the others waiting.
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

/// Runs tasks on the threads of a pool: what is neither an actor's nor bound elsewhere, and the calls of disk and parser in it.
package final class PooledTaskExecutor: TaskExecutor {
  private let pool: BlockingPool

  package init(_ pool: BlockingPool) { self.pool = pool }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pool.submit { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
