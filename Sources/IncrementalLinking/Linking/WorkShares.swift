import Synchronization

/// Items in order, shared out among threads: to each a stretch of them, since neighbours ask for the same types, and then whatever is left
/// of others' stretches, from their ends.
final class WorkShares: Sendable {
  private let left: Mutex<[Range<Int>]>

  init(of count: Int, threads: Int) {
    left = Mutex((0..<threads).map { count * $0 / threads..<count * ($0 + 1) / threads })
  }

  /// - Returns: the index of an item that no one else gets; `nil` where none is left.
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
