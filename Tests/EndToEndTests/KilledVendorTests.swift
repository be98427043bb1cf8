import Foundation
import Pipeline
import TestSupport
import Testing

/// Rounds in which the program is killed with SIGKILL at one of the requests of a push or a pull, and started again.
///
/// A request that only reads is tested with one kill. A request that changes data is tested with two kills: before the vendor carries out the
/// request, and before the vendor responds.
///
/// Each kill needs seconds of processor time, so only three vendors of different kinds are tested with every request (idempotent writes, keys that
/// must not be added twice, complete files). For each other vendor, the response to the first request of each kind that changes data is lost. `make
/// kill-vendors` tests every request of every vendor.
@Suite("A round whose process is killed at a request to the vendor")
struct KilledVendorTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let playsAll = environment["KILL_POINTS"] == "all"
  private static let vendors: [KilledVendor] = {
    guard let name = environment["KILL_VENDOR"], !name.isEmpty else { return KilledVendor.allCases }
    guard let vendor = KilledVendor(rawValue: name) else { preconditionFailure("KILL_VENDOR is not a vendor: \(name)") }
    return [vendor]
  }()

  private struct Point: Sendable {
    var number: Int
    var line: String
    var isCarriedOut: Bool
    /// Whether the request is part of the first run.
    var isSending: Bool

    var name: String { "killed \(isCarriedOut ? "after" : "before") request \(number), \(line)" }
  }

  @Test("this suite has a server for every kind of vendor with an API")
  func complete() throws {
    let folder = try TemporaryFolder()
    let end = try dragoman(["vendors", "list", "--format", "json"], in: folder.path)
    let kinds = try JSONDecoder().decode([Kind].self, from: Data(end.output.utf8)).map(\.name)
    let missing = Set(kinds).subtracting(KilledVendor.allCases.map(\.kind)).subtracting(["folder", "pseudo"])
    #expect(missing.isEmpty, "add these to KilledVendor")
  }

  private struct Kind: Decodable { var name: String }

  @Test(
    "after kill -9 at any request, no unit is sent twice, and strings, commit and balanced books are the same",
    arguments: vendors)
  func killedAtRequest(of vendor: KilledVendor) async throws {
    let reference = try KilledVendorPlay(vendor)
    try reference.run()
    let sending = reference.requests.count
    reference.translate()
    try reference.run()
    let requests = reference.requests
    let expected = try await reference.ending()
    #expect(
      requests.count { $0.changesSomething } >= 1 && (vendor.isMachine || requests.count > sending), "\(requests)")
    #expect(
      expected.books.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 2).last.map(String.init) }
        == vendor.languages.map { "\($0): 3 = 3 + 0 + 0 + 0" })
    #expect(!expected.commits.isEmpty && expected.sendings.allSatisfy { $0.value == 1 })

    let isWhole = Self.playsAll || [.http, .lokalise, .crowdin].contains(vendor)
    var kinds: Set<String> = []
    var points: [Point] = []
    for (number, request) in requests.enumerated() {
      let isNew = request.changesSomething && kinds.insert(request.kind).inserted
      let ways = isWhole ? (request.changesSomething ? [false, true] : [false]) : (isNew ? [true] : [])
      points += ways.map {
        Point(number: number, line: request.line, isCarriedOut: $0, isSending: number < sending)
      }
    }
    #expect(!points.isEmpty)
    // A round mostly waits, because requests are sent at a limited rate.
    let pool = BlockingPool("killed rounds", width: 8)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for point in points {
        group.addTask { try await Self.play(vendor, point, pool, expected) }
      }
      try await group.waitForAll()
    }
  }

  private static func play(
    _ vendor: KilledVendor, _ point: Point, _ pool: BlockingPool, _ expected: KilledVendorPlay.Ending
  ) async throws {
    let play = try KilledVendorPlay(vendor)
    let killed = try await pool.run {
      try play.whole(killedAt: point.number, isCarriedOut: point.isCarriedOut, isSending: point.isSending)
    }
    #expect(killed == 128 + SIGKILL, "\(point.name)")
    var ending = try await play.ending()
    if vendor.isMachine, point.isCarriedOut {
      // The response is lost, so the texts of this request are requested again. No other text is requested again.
      let again = ending.sendings.filter { $0.value > 1 }
      #expect(!again.isEmpty && again.allSatisfy { $0.value == 2 }, "\(point.name): \(again)")
      ending.sendings = ending.sendings.mapValues { _ in 1 }
    }
    #expect(ending == expected, "\(point.name)")
  }
}
