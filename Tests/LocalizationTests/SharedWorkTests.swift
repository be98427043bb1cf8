import Localization
import Testing

@Suite struct SharedWorkTests {
  @Test(
    "every element is processed once, and the results are in the order of the elements",
    arguments: [0, 1, 2, 3, 10, 1_001])
  func order(count: Int) {
    for least in [1, 3, 1_000] {
      let shares = SharedWork.map(count, atLeast: least) { Array($0) }
      #expect(shares.flatMap(\.self) == Array(0..<count))
    }
  }

  @Test("the second part waits for the value of the first, with one thread and with two", arguments: [1, 2])
  func both(threads: Int) throws {
    let flag = CancellationFlag()
    let (first, second) = try CancellationFlag.$current.withValue(flag) {
      try SharedWork.both(threads: threads) {
        (value: 41, flag: CancellationFlag.current)
      } _: { wait in
        (value: try wait().value + 1, again: try wait().value, flag: CancellationFlag.current)
      }
    }
    #expect(first.value == 41 && second.value == 42 && second.again == 41)
    #expect(first.flag === flag && second.flag === flag)
  }

  @Test("the error of the first part is thrown, even if the second part fails too", arguments: [1, 2])
  func errors(threads: Int) {
    struct Fault: Error, Equatable { var number: Int }
    #expect(throws: Fault(number: 1)) {
      try SharedWork.both(threads: threads) { () throws -> Int in
        throw Fault(number: 1)
      } _: { _ in
        throw Fault(number: 2)
      }
    }
    #expect(throws: Fault(number: 1)) {
      try SharedWork.both(threads: threads) { () throws -> Int in
        throw Fault(number: 1)
      } _: {
        try $0()
      }
    }
    #expect(throws: Fault(number: 2)) {
      try SharedWork.both(threads: threads) {
        1
      } _: { _ in
        throw Fault(number: 2)
      }
    }
  }
}
