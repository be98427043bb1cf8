import Synchronization
import Testing

@testable import IncrementalLinking
@testable import StringExtraction
@testable import SwiftParsing

@Suite struct WorkSharesTests {
  @Test(
    "each item is given to exactly one thread",
    arguments: [(0, 1), (1, 4), (7, 2), (100, 1), (100, 3), (1_000, 8)])
  func once(_ count: Int, _ threads: Int) throws {
    let shares = WorkShares(of: count, threads: threads)
    let taken = try ParsingThreads.map(Array(0..<threads), threads: threads) { thread in
      var own: [Int] = []
      while let index = shares.next(for: thread) { own.append(index) }
      return own
    }
    #expect(taken.flatMap { $0 }.sorted() == Array(0..<count))
  }

  @Test("a thread processes its own range in order, then takes items from the ends of other ranges")
  func order() {
    let shares = WorkShares(of: 6, threads: 2)
    #expect((0..<4).map { _ in shares.next(for: 1) } == [3, 4, 5, 2])
    #expect((0..<3).map { _ in shares.next(for: 0) } == [0, 1, nil])
  }
}
