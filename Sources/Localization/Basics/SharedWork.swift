private import Dispatch
private import Foundation
private import Synchronization

/// Divides work whose parts can run at the same time among all processors.
package enum SharedWork {
  /// The number of processors, stored because each query of the system opens several files.
  private static let processors = ProcessInfo.processInfo.activeProcessorCount

  /// The number of ranges for each processor. There are several, because some ranges take longer than others.
  private static let rangesOfProcessor = 8

  /// Splits the indices `0..<count` into ranges and calls `body` for each range, on all processors at the same time. If there are too few elements
  /// for two ranges, or only one processor, calls `body` once for all indices.
  /// - Parameter least: the smallest number of elements for which a separate call is useful.
  /// - Returns: the result of each call, in the order of the ranges.
  package static func map<Result: Sendable>(
    _ count: Int, atLeast least: Int, _ body: @Sendable (Range<Int>) -> Result
  ) -> [Result] {
    let ranges = min(processors * rangesOfProcessor, count / max(least, 1))
    guard processors > 1, ranges > 1 else { return [body(0..<count)] }
    let results = Mutex<[Int: Result]>([:])
    DispatchQueue.concurrentPerform(iterations: ranges) { number in
      let result = body(count * number / ranges..<count * (number + 1) / ranges)
      results.withLock { $0[number] = result }
    }
    return results.withLock { results in (0..<ranges).compactMap { results[$0] } }
  }

  /// Runs `first` and, at the same time, `second`, which can wait for the value of `first`.
  /// - Parameter threads: the number of threads to use. With fewer than two threads or processors, `first` ends before `second` begins.
  /// - Throws: the error of `first`, or else the error of `second`.
  package static func both<First: Sendable, Second: Sendable>(
    threads: Int, _ first: @Sendable () throws -> First,
    _ second: @Sendable (_ wait: @escaping @Sendable () throws -> First) throws -> Second
  ) throws -> (First, Second) {
    guard min(threads, processors) > 1 else {
      let value = try first()
      return (value, try second { value })
    }
    let flag = CancellationFlag.current
    let (one, other) = (AwaitedOutcome<First>(), AwaitedOutcome<Second>())
    // Iterations start in order, so `first` has a thread before `second` can wait for it.
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      CancellationFlag.$current.withValue(flag) {
        if index == 0 { one.end(Result { try first() }) } else { other.end(Result { try second(one.value) }) }
      }
    }
    return (try one.value(), try other.value())
  }
}
