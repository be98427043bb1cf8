import Foundation
import Localization
import Pipeline
import TestSupport
import Testing

@testable import Daemon
@testable import TranslationVendors

struct RoundSpendingTests {
  @Test("the costs of language models are listed by round and vendor, including costs from older versions")
  func spending() throws {
    let folder = try TemporaryFolder()
    let lines = [
      #"{"round":"2","requests":1,"input":100,"output":50,"cost":2500000000,"at":1,"vendor":"llm:gpt"}"#,
      #"{"round":"2","requests":2,"input":300,"output":10,"cost":500000000,"expected":7,"at":2,"vendor":"llm:gpt"}"#,
      #"{"round":"3","requests":1,"input":1,"output":1,"cost":0,"at":3}"#,
    ]
    try folder.write(lines.joined(separator: "\n") + "\n", to: "vendors/birds/spent-llm_gpt.jsonl")
    try folder.write("{}", to: "vendors/birds/terms-llm.jsonl")
    let rounds = [2, 4].map {
      Round(
        id: RoundID(rawValue: $0), pipeline: "birds", number: Int($0), created: Date(timeIntervalSince1970: 0),
        isCancelled: false, books: [])
    }
    let desk = RoundAdministration(store: StoreLocation(folder: folder.path))
    let spent = try desk.spending(of: rounds)
    #expect(
      spent == [
        RoundSpending(
          pipeline: "birds", round: 2, vendor: "llm:gpt", requests: 3, input: 400, output: 60, cost: "0.003")
      ])
  }
}
