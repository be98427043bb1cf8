import Foundation
import Pipeline
import TestSupport
import Testing

/// The program itself, killed with SIGKILL at each request of a push and a pull, then started again.
///
/// The points are all requests of a round without kills. A request that changes something at the vendor is a point twice: before the vendor
/// carries it out, and after that, before the answer.
@Suite("A round whose process is killed at a request to the vendor")
struct KilledVendorTests {
  @Test(
    "kill -9 at any request sends nothing twice, and ends in the same strings, commit and balanced books",
    arguments: KilledVendorPlay.Vendor.allCases)
  func killedAtRequest(of vendor: KilledVendorPlay.Vendor) async throws {
    let reference = try KilledVendorPlay(vendor)
    try reference.run()
    let sending = reference.requests
    reference.translate()
    try reference.run()
    let requests = reference.requests
    let expected = try await reference.ending()
    #expect(sending.count { $0.changesSomething } >= 1 && requests.count > sending.count, "\(requests)")
    #expect(
      expected.books.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 2).last } == [
        "de: 3 = 3 + 0 + 0 + 0", "uk: 3 = 3 + 0 + 0 + 0",
      ])
    #expect(!expected.commits.isEmpty && expected.sendings.allSatisfy { $0.value == 1 })

    // Most of the time a play waits, because requests are paced.
    let pool = BlockingPool("killed rounds", width: 8)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, request) in requests.enumerated() {
        for isCarriedOut in request.changesSomething ? [false, true] : [false] {
          let name = "killed \(isCarriedOut ? "after" : "before") request \(number), \(request.line)"
          group.addTask {
            let play = try KilledVendorPlay(vendor)
            let killed = try await pool.run {
              try play.whole(killedAt: number, isCarriedOut: isCarriedOut, isSending: number < sending.count)
            }
            #expect(killed == 128 + SIGKILL, "\(name)")
            #expect(try await play.ending() == expected, "\(name)")
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
