import Localization
import SwiftParsing
import Synchronization
import Testing

@Suite struct ParsingThreadsTests {
  private struct Failure: Error, Equatable { var item: Int }

  @Test("gives results in the order of the items", arguments: [1, 2, 7])
  func order(_ threads: Int) throws {
    let results = try ParsingThreads.map(Array(0..<500), threads: threads) { $0 * 2 }
    #expect(results == (0..<500).map { $0 * 2 })
  }

  @Test("throws the error of the first failed item in list order, even if another one failed earlier")
  func firstError() {
    #expect(throws: Failure(item: 3)) {
      _ = try ParsingThreads.map(Array(0..<100), threads: 2) { item in
        if item == 3 || item == 4 || item == 90 { throw Failure(item: item) }
        return item
      }
    }
  }

  @Test("does nothing without items")
  func empty() throws {
    #expect(try ParsingThreads.map([Int](), threads: 2) { $0 }.isEmpty)
  }

  @Test("starts no further item after the flag is set, and reports the cancellation")
  func cancelled() {
    let flag = CancellationFlag()
    let begun = Atomic<Int>(0)
    #expect(throws: CancellationError.self) {
      try CancellationFlag.$current.withValue(flag) {
        try ParsingThreads.map(Array(0..<500), threads: 1) { item in
          begun.add(1, ordering: .relaxed)
          if item == 2 { flag.cancel() }
        }
      }
    }
    #expect(begun.load(ordering: .relaxed) == 3)
  }

  @Test("passes the flag to the threads that an item starts")
  func nested() {
    let flag = CancellationFlag()
    #expect(throws: CancellationError.self) {
      try CancellationFlag.$current.withValue(flag) {
        try ParsingThreads.run {
          flag.cancel()
          _ = try ParsingThreads.map([1], threads: 1) { $0 }
        }
      }
    }
  }

  @Test("another caller's flag cancels nothing")
  func otherFlag() throws {
    let flag = CancellationFlag()
    flag.cancel()
    #expect(try ParsingThreads.map([1, 2], threads: 2) { $0 } == [1, 2])
  }

  @Test("has a stack that is large enough for deep recursion")
  func deep() throws {
    @Sendable func descend(_ depth: Int) -> Int { depth == 0 ? 0 : 1 + descend(depth - 1) }
    #expect(try ParsingThreads.run { descend(200_000) } == 200_000)
  }
}
