import Localization
import SwiftParsing
import Synchronization
import Testing

@Suite struct ParsingThreadsTests {
  private struct Failure: Error, Equatable { var item: Int }

  @Test("results are returned in the order of the items", arguments: [1, 2, 7])
  func order(_ threads: Int) throws {
    let results = try ParsingThreads.map(Array(0..<500), threads: threads) { $0 * 2 }
    #expect(results == (0..<500).map { $0 * 2 })
  }

  @Test("the error of the first failed item in list order is thrown, even if another item failed earlier")
  func firstError() {
    #expect(throws: Failure(item: 3)) {
      _ = try ParsingThreads.map(Array(0..<100), threads: 2) { item in
        if item == 3 || item == 4 || item == 90 { throw Failure(item: item) }
        return item
      }
    }
  }

  @Test("an empty list gives no results and starts no work")
  func empty() throws {
    #expect(try ParsingThreads.map([Int](), threads: 2) { $0 }.isEmpty)
  }

  @Test("after the cancellation flag is set, no further item is started, and the cancellation is reported")
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

  @Test("the cancellation flag is passed to threads that an item starts")
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

  @Test("another caller's cancellation flag has no effect")
  func otherFlag() throws {
    let flag = CancellationFlag()
    flag.cancel()
    #expect(try ParsingThreads.map([1, 2], threads: 2) { $0 } == [1, 2])
  }

  @Test("the stack is large enough for deep recursion")
  func deep() throws {
    @Sendable func descend(_ depth: Int) -> Int { depth == 0 ? 0 : 1 + descend(depth - 1) }
    #expect(try ParsingThreads.run { descend(200_000) } == 200_000)
  }
}
