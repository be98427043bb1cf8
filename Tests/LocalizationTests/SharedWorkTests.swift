import Localization
import Testing

@Suite struct SharedWorkTests {
  @Test("every element is worked on once, and the results are in order", arguments: [0, 1, 2, 3, 10, 1_001])
  func order(count: Int) {
    for least in [1, 3, 1_000] {
      let shares = SharedWork.map(count, atLeast: least) { Array($0) }
      #expect(shares.flatMap(\.self) == Array(0..<count))
    }
  }
}
