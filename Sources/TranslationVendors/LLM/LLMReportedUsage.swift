/// The numbers of tokens that an endpoint reports in a response, by the names that the endpoint gives them. Values that are not whole numbers are
/// ignored instead of rejected, because the translations of the same response were paid for and must not be lost.
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
  /// Creates a usage from the endpoint's numbers; `nil` if a number is missing, if the input is less than one token, or if the output is negative.
  init?(input: Int?, output: Int?) {
    guard let input, let output, input > 0, output >= 0 else { return nil }
    self.init(input: input, output: output)
  }
}
