/// The numbers of tokens in an endpoint's answer, by their names. Everything that is not a whole number is ignored, because the
/// translations of the same answer were paid for.
struct LLMReportedUsage: Decodable, Sendable {
  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private var counts: [String: Int] = [:]

  init(from decoder: any Decoder) throws {
    guard let members = try? decoder.container(keyedBy: Name.self) else { return }
    for name in members.allKeys { counts[name.stringValue] = try? members.decode(Int.self, forKey: name) }
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
