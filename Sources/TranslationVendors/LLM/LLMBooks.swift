internal import FoundationEssentials
internal import Localization
internal import Synchronization

/// The requests, tokens and cost of a language model in a round.
package struct RoundSpending: Codable, Hashable, Sendable {
  package var pipeline: String
  package var round: Int
  package var vendor: String
  package var requests: Int
  /// The number of input tokens.
  package var input: Int
  /// The number of output tokens.
  package var output: Int
  /// The cost in the currency of the vendor's `price`; `nil` if the cost is zero, for example without a price.
  package var cost: String?
}

/// The amounts that a vendor of kind `llm` has spent in each round. They are recorded on disk, so they are known after a restart.
package final class LLMBooks: Sendable {
  struct Sum: Hashable, Sendable {
    var requests = 0
    var input = 0
    var output = 0
    var cost = LLMCost.zero
    /// The sum of the estimates for the same requests.
    var expected = LLMCost.zero
  }

  /// A line of the file: one request, or the sum of several requests of a round.
  private struct Line: Codable {
    var round: String
    var requests: Int
    var input: Int
    var output: Int
    /// The cost in the unit of ``LLMCost/parts``.
    var cost: Int
    /// The cost estimated before the request, in the same unit; `nil` if the vendor has no price, and in lines of older versions.
    var expected: Int?
    var isEstimated: Bool?
    var at: Int
    /// The vendor's name; `nil` in lines of older versions.
    var vendor: String?
  }

  private struct State {
    var isRead = false
    var sums: [String: Sum] = [:]
  }

  /// The maximum number of lines. If the file has more lines, the lines of each round are added up when the file is read.
  private static let mostLines = 5000
  private static let name = "spent"
  private let lines: StateLines
  private let vendor: String
  private let price: LLMPrice?
  private let limit: LLMCost?
  private let now: @Sendable () -> Date
  private let state = Mutex(State())

  init(folder: String, vendor: String, price: LLMPrice?, limit: LLMCost?, now: @escaping @Sendable () -> Date) {
    lines = StateLines(folder: folder, name: Self.name, vendor: vendor)
    self.vendor = vendor
    self.price = price
    self.limit = limit
    self.now = now
  }

  func sum(of round: String) throws -> Sum { try withState { $0.sums[round] ?? Sum() } }

  /// Checks whether a request may be sent.
  /// - Throws: `limitReached` if the cost of the round, including this request, would exceed the limit. Without a limit or a price, nothing is
  ///   checked.
  func check(_ expected: LLMUsage, round: String) throws {
    guard let limit, let price else { return }
    let sum = try sum(of: round)
    let next = try corrected(price.cost(of: expected), sum)
    guard sum.cost + next > limit else { return }
    throw VendorError(
      kind: .limitReached, operation: "translate more of round \(round)",
      detail:
        "\(sum.cost) of \(limit) is spent (\(sum.requests) requests, \(sum.input) input and \(sum.output) output tokens), and the next request costs about \(next). To continue, raise the `limit` of the vendor \(vendor)"
    )
  }

  /// Returns an estimate, increased by the factor by which earlier requests exceeded their estimates. Estimates may be too low, because a model may
  /// generate reasoning tokens, or count more tokens than expected. The factor comes from the requests of the round or, if the round has no estimates
  /// yet, from the requests of all rounds.
  private func corrected(_ estimate: LLMCost, _ round: Sum) throws -> LLMCost {
    var known = round
    if known.expected == .zero {
      known = try withState { state in
        state.sums.values.reduce(into: Sum()) { all, sum in
          all.cost = all.cost + sum.cost
          all.expected = all.expected + sum.expected
        }
      }
    }
    guard known.expected > .zero, known.cost > known.expected else { return estimate }
    let parts = Double(estimate.parts) * Double(known.cost.parts) / Double(known.expected.parts)
    return LLMCost(parts: Int(exactly: parts.rounded(.up)) ?? .max)
  }

  /// Records the cost of a request before its response is used.
  /// - Parameter expected: the estimate before the request.
  /// - Returns: the cost of the request, and the round's sum including this cost.
  @discardableResult
  func note(_ usage: LLMUsage, expected: LLMUsage, round: String) throws -> (cost: LLMCost, sum: Sum) {
    let cost = price?.cost(of: usage) ?? .zero
    let line = Line(
      round: round, requests: 1, input: usage.input, output: usage.output, cost: cost.parts,
      expected: price?.cost(of: expected).parts, isEstimated: usage.isEstimated ? true : nil,
      at: Int(now().timeIntervalSince1970),
      vendor: vendor)
    return try withState { state in
      Self.add(line, to: &state)
      try lines.append(try StateLines.bytes(of: line))
      return (cost, state.sums[round] ?? Sum())
    }
  }

  /// Returns the spending of a pipeline's vendors, sorted by round and vendor.
  /// - Parameter folder: the state folder of the pipeline's vendors.
  package static func spending(of pipeline: String, in folder: String) throws -> [RoundSpending] {
    let files = StateLines.all(named: name, in: folder)
    return try files.flatMap { vendor, lines in
      var state = State()
      var given = vendor
      for line in try lines.read(Line.self) {
        add(line, to: &state)
        given = line.vendor ?? given
      }
      return state.sums.compactMap { round, sum in
        Int(round).map { round in
          RoundSpending(
            pipeline: pipeline, round: round, vendor: given, requests: sum.requests, input: sum.input,
            output: sum.output, cost: sum.cost == .zero ? nil : "\(sum.cost)")
        }
      }
    }.sorted { ($0.round, $0.vendor) < ($1.round, $1.vendor) }
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
    sum.expected = sum.expected + LLMCost(parts: line.expected ?? line.cost)
    state.sums[line.round] = sum
  }

  /// Replaces the file's lines with one line for each of the newest 1000 rounds. Older rounds are removed.
  private func addUp(_ read: [Line], _ sums: [String: Sum]) throws {
    var last: [String: Int] = [:]
    for line in read { last[line.round] = line.at }
    var bytes: [UInt8] = []
    for (round, at) in last.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }).suffix(1000) {
      let sum = sums[round] ?? Sum()
      bytes += try StateLines.bytes(
        of: Line(
          round: round, requests: sum.requests, input: sum.input, output: sum.output, cost: sum.cost.parts,
          expected: sum.expected.parts, at: at, vendor: vendor))
    }
    try lines.replace(bytes)
  }
}
