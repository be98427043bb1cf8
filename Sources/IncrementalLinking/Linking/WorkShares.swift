import Synchronization

/// A distribution of items to threads. Each thread first takes a contiguous range of items, because neighbouring files use the same types. Then it
/// takes items from the ends of other threads' ranges.
final class WorkShares: Sendable {
  private let left: Mutex<[Range<Int>]>

  init(of count: Int, threads: Int) {
    left = Mutex((0..<threads).map { count * $0 / threads..<count * ($0 + 1) / threads })
  }

  /// Returns the index of the thread's next item; `nil` if no item is left.
  func next(for thread: Int) -> Int? {
    left.withLock { left in
      let own = left[thread]
      if !own.isEmpty {
        left[thread] = own.dropFirst()
        return own.lowerBound
      }
      guard let longest = left.indices.max(by: { left[$0].count < left[$1].count }), !left[longest].isEmpty else {
        return nil
      }
      left[longest] = left[longest].dropLast()
      return left[longest].upperBound
    }
  }
}
