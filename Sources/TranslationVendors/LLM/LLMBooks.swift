internal import FoundationEssentials
internal import Localization
internal import Synchronization

/// Records on disk what a vendor `llm` spent in each round, so that a restart does not lose it.
final class LLMBooks: Sendable {
  struct Sum: Hashable, Sendable {
    var requests = 0
    var input = 0
    var output = 0
    var cost = LLMCost.zero
  }

  /// One request, or several that were added up.
  private struct Line: Codable {
    var round: String
    var requests: Int
    var input: Int
    var output: Int
    /// In parts of ``LLMCost``.
    var cost: Int
    var isEstimated: Bool?
    var at: Int
  }

  private struct State {
    var isRead = false
    var sums: [String: Sum] = [:]
  }

  /// More lines than this are added up at the start.
  private static let mostLines = 5000
  private let lines: StateLines
  private let price: LLMPrice?
  private let limit: LLMCost?
  private let now: @Sendable () -> Date
  private let state = Mutex(State())

  init(folder: String, vendor: String, price: LLMPrice?, limit: LLMCost?, now: @escaping @Sendable () -> Date) {
    lines = StateLines(folder: folder, name: "spent", vendor: vendor)
    self.price = price
    self.limit = limit
    self.now = now
  }

  func sum(of round: String) throws -> Sum { try withState { $0.sums[round] ?? Sum() } }

  /// Whether a request may be sent.
  /// - Throws: `limitReached` if the round has spent its limit, or would with this request.
  func check(_ expected: LLMUsage, round: String) throws {
    guard let limit, let price else { return }
    let sum = try sum(of: round)
    let next = price.cost(of: expected)
    guard sum.cost + next > limit else { return }
    throw VendorError(
      kind: .limitReached, operation: "translate more of round \(round)",
      detail:
        "\(sum.cost) of \(limit) is spent (\(sum.requests) requests, \(sum.input) input and \(sum.output) output tokens), and the next request costs about \(next). Raise the `limit` of the vendor llm to go on"
    )
  }

  /// Records the cost of a request before its answer is used.
  /// - Returns: the cost, and the round's sum with it.
  @discardableResult
  func note(_ usage: LLMUsage, round: String) throws -> (cost: LLMCost, sum: Sum) {
    let cost = price?.cost(of: usage) ?? .zero
    let line = Line(
      round: round, requests: 1, input: usage.input, output: usage.output, cost: cost.parts,
      isEstimated: usage.isEstimated ? true : nil, at: Int(now().timeIntervalSince1970))
    return try withState { state in
      Self.add(line, to: &state)
      try lines.append(try StateLines.bytes(of: line))
      return (cost, state.sums[round] ?? Sum())
    }
  }

  private func withState<Result>(_ body: (inout State) throws -> Result) throws -> Result {
    try state.withLock { state in
      if !state.isRead {
        let read = try lines.read(Line.self)
        for line in read { Self.add(line, to: &state) }
        if read.count > Self.mostLines { try addUp(read, state.sums) }
        state.isRead = true
      }
      return try body(&state)
    }
  }

  private static func add(_ line: Line, to state: inout State) {
    var sum = state.sums[line.round] ?? Sum()
    sum.requests += line.requests
    sum.input += line.input
    sum.output += line.output
    sum.cost = sum.cost + LLMCost(parts: line.cost)
    state.sums[line.round] = sum
  }

  /// Writes one line for each round, and leaves out the oldest rounds beyond a thousand.
  private func addUp(_ read: [Line], _ sums: [String: Sum]) throws {
    var last: [String: Int] = [:]
    for line in read { last[line.round] = line.at }
    var bytes: [UInt8] = []
    for (round, at) in last.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }).suffix(1000) {
      let sum = sums[round] ?? Sum()
      bytes += try StateLines.bytes(
        of: Line(
          round: round, requests: sum.requests, input: sum.input, output: sum.output, cost: sum.cost.parts, at: at))
    }
    try lines.replace(bytes)
  }
}
