import Localization
import StringExtraction
import Testing

@Suite struct DeclarationChangeTests {
  @Test(
    "every file that a changed declaration can affect is linked again",
    arguments: DeclarationChange.all + DeclarationChange.unwritten)
  func isSeen(_ change: DeclarationChange) throws {
    let before = DeclarationChange.fixture(change.files(isAfter: false))
    let after = DeclarationChange.fixture(change.files(isAfter: true))
    let cache = MemoryFactCache()
    let first = try before.extract(cache: cache)
    let cold = try after.extract()
    let warm = try after.extract(cache: cache)
    #expect(warm.strings == cold.strings)
    // Then the change is reverted, with a cache that does not have the first run.
    let other = MemoryFactCache()
    #expect(try after.extract(cache: other).strings == cold.strings)
    #expect(try before.extract(cache: other).strings == first.strings)
    #expect(first.strings != cold.strings, "the change has no effect, so the test proves nothing")
  }

  @Test(
    "after any changes of declarations, the results with and without the cache are equal",
    arguments: 1...6 as ClosedRange<UInt64>)
  func sameAsCold(_ seed: UInt64) throws {
    var random = TestRandom(state: seed)
    // Most changes use the same names, so each file could use the declarations of the other changes.
    let changes = (DeclarationChange.all + DeclarationChange.unwritten).filter { _ in
      Int.random(in: 0..<3, using: &random) > 0
    }
    var isAfter = changes.map { _ in Bool.random(using: &random) }
    let cache = MemoryFactCache()
    for step in 0..<25 {
      var files: [String: String] = [:]
      for (index, change) in changes.enumerated() {
        for (path, text) in change.files(isAfter: isAfter[index]) {
          files[path.hasPrefix("Kit/") ? "Kit/\(index)\(path.dropFirst(4))" : "\(index)\(path)"] = text
        }
      }
      var fixture = DeclarationChange.fixture(files)
      fixture.options.threads = 1 + step % 3
      let cold = try fixture.extract()
      let warm = try fixture.extract(cache: cache)
      #expect(warm.strings == cold.strings, "seed \(seed), step \(step)")
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        isAfter[Int.random(in: isAfter.indices, using: &random)].toggle()
      }
    }
  }
}
