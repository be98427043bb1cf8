/// The numbers of tokens in an endpoint's answer, by their names. Everything that is not a whole number is ignored, because the
/// translations of the same answer were paid for.
struct LLMReportedUsage: Decodable, Sendable {
  private struct Count: Decodable {
    var value: Int?

    init(from decoder: any Decoder) throws { value = try? decoder.singleValueContainer().decode(Int.self) }
  }

  private let counts: [String: Int]

  init(from decoder: any Decoder) throws {
    let members = try? decoder.singleValueContainer().decode([String: Count].self)
    counts = (members ?? [:]).compactMapValues(\.value)
  }

  subscript(name: String) -> Int? { counts[name] }
}

extension LLMUsage {
  /// - Returns: `nil` if the endpoint returned no usable numbers: each request has input.
  init?(input: Int?, output: Int?) {
    guard let input, let output, input > 0, output >= 0 else { return nil }
    self.init(input: input, output: output)
  }
}
