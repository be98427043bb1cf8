import SwiftParsing
import Testing

@Suite struct ParsingThreadsTests {
  private struct Failure: Error, Equatable { var item: Int }

  @Test("gives results in the order of the items", arguments: [1, 2, 7])
  func order(_ threads: Int) throws {
    let results = try ParsingThreads.map(Array(0..<500), threads: threads) { $0 * 2 }
    #expect(results == (0..<500).map { $0 * 2 })
  }

  @Test("throws the error of the first item that failed, whatever was done first")
  func firstError() {
    #expect(throws: Failure(item: 3)) {
      _ = try ParsingThreads.map(Array(0..<100), threads: 2) { item in
        if item == 3 || item == 4 || item == 90 { throw Failure(item: item) }
        return item
      }
    }
  }

  @Test("has nothing to do for no items")
  func empty() throws {
    #expect(try ParsingThreads.map([Int](), threads: 2) { $0 }.isEmpty)
  }

  @Test("has a stack on which work can descend far")
  func deep() throws {
    @Sendable func descend(_ depth: Int) -> Int { depth == 0 ? 0 : 1 + descend(depth - 1) }
    #expect(try ParsingThreads.run { descend(200_000) } == 200_000)
  }

  @Test("parses and walks every file of the benchmark's reference")
  func reference() throws {
    let files = Array(repeating: Array("struct A { let a = 1 }".utf8), count: 20)
    #expect(try ExtractionBenchmarkReference.parseAndWalk(files, threads: 2) == 20)
  }
}
