import Localization
import TestSupport
import Testing

@testable import TranslationVendors

@Suite("Truncated answers of models")
struct LLMTruncationTests {
  private static let shipment = VendorConformance.shipment(language: "uk")

  @Test(
    "the message about a truncated answer names the limit that was reached, as far as the endpoint reports it",
    arguments: [
      (
        "anthropic", #"{"content":[],"stop_reason":"max_tokens"}"#,
        "the answer was cut off at 1000 tokens. Raise `tokens`, or shorten the text"
      ),
      (
        "anthropic", #"{"content":[],"stop_reason":"model_context_window_exceeded"}"#,
        "the answer was cut off because the model's context window is full. Use a model with a larger"
      ),
      (
        "openai",
        #"{"choices":[{"message":{"content":"x"},"finish_reason":"length"}],"usage":{"completion_tokens":1000}}"#,
        "the answer was cut off at 1000 tokens. Raise `tokens`, or shorten the text"
      ),
      (
        "openai",
        #"{"choices":[{"message":{"content":"x"},"finish_reason":"length"}],"usage":{"completion_tokens":90}}"#,
        "the answer was cut off at 1000 tokens, or because the model's context window is full"
      ),
    ])
  func limits(_ api: String, _ body: String, _ words: String) async throws {
    let bench = try VendorBench { _ in
      .respond(status: 200, headers: [("Content-Type", "application/json")], body: Array(body.utf8))
    }
    let server = try bench.server()
    let vendor = try LLMKind.vendor(
      VendorSettings(options: [
        "url": .text(server.url + "/v1"), "model": .text("m"), "api": .text(api), "tokens": .number(1000),
      ]), in: bench.environment())
    let receipt = try await vendor.push(Self.shipment)
    let found = try await vendor.pull(
      OutstandingWork { [OutstandingWork.Part(shipment: Self.shipment, receipt: receipt)] })
    #expect(found.bundles.isEmpty && !found.diagnostics.isEmpty)
    #expect(found.diagnostics.allSatisfy { $0.message.contains(words) }, "\(found.diagnostics)")
  }
}
