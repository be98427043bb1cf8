import Foundation
import Localization
import TestSupport
import Testing

@testable import TranslationVendors
@testable import VendorServers

@Suite("The vendor llm")
struct LLMVendorTests {
  private struct Scene {
    var bench: VendorBench
    var server: LoopbackHTTPServer
    var model: ModelServer
    var make: @Sendable () throws -> any TranslationVendor
  }

  private static let shipment = VendorConformance.shipment(language: "uk")

  private func scene(_ options: [String: VendorOptionValue] = [:], name: String? = nil) throws -> Scene {
    let model = ModelServer()
    let bench = try VendorBench { model.respond(to: $0) }
    let server = try bench.server()
    let all = options.merging(["url": .text(server.url + "/v1"), "model": .text("m")]) { own, _ in own }
    return Scene(
      bench: bench, server: server, model: model,
      make: { try LLMKind.vendor(VendorSettings(givenName: name, options: all), in: bench.environment()) })
  }

  private func pull(_ scene: Scene) async throws -> PullResult {
    let vendor = try scene.make()
    let receipt = try await vendor.push(Self.shipment)
    return try await vendor.pull(
      OutstandingWork { [OutstandingWork.Part(shipment: Self.shipment, receipt: receipt)] })
  }

  private func texts(_ result: PullResult) -> [String] {
    result.bundles.flatMap(\.files).flatMap(\.units).compactMap { unit in
      if case .text(let text)? = unit.target?.text { text } else { nil }
    }
  }

  @Test(
    "texts are translated and checked with each endpoint and response format",
    arguments: [
      ("openai", "schema"), ("openai", "object"), ("openai", "text"), ("anthropic", "schema"), ("anthropic", "tool"),
    ])
  func good(_ api: String, _ format: String) async throws {
    let scene = try scene(["api": .text(api), "format": .text(format), "glossary": .terms(["Bird": "Птах"], [:])])
    let found = try await pull(scene)
    #expect(found.diagnostics == [])
    #expect(texts(found).count == 7 && texts(found).contains("Птах") && texts(found).contains("%1$lld із %2$@"))
    let units = found.bundles.flatMap(\.files).flatMap(\.units)
    #expect(units.allSatisfy { $0.target?.state == "needs-review-translation" })
    let question = try #require(scene.model.questions.first)
    #expect(question.hasSchema == (format != "text"))
    #expect(question.document.contains("a note"), "comments are sent")
    #expect(question.document.contains("\"plural\":\"few\"") && question.document.contains("2, 3, 4, 22, 23"))
    #expect(question.system.contains("Bird: Птах") && question.system.contains("Ukrainian (uk)"))
    // After a restart, no text is paid for twice.
    let count = scene.model.questions.count
    #expect(texts(try await pull(scene)) == texts(found))
    #expect(scene.model.questions.count == count)
  }

  @Test("terms of a glossary file are sent to the model and checked, and those of the pipeline file take precedence")
  func glossaryFile() async throws {
    let folder = try TemporaryFolder()
    try folder.write("en,uk\nBird,Пташка\nbold,bold\nunused,x\n", to: "terms.csv")
    let options: [String: VendorOptionValue] = [
      "glossary_file": .text(folder.file("terms.csv")), "glossary": .terms([:], ["uk": ["Bird": "Птах"]]),
      "corrections": .number(0),
    ]
    let scene = try scene(options)
    let found = try await pull(scene)
    let question = try #require(scene.model.questions.first)
    #expect(question.system.contains("Bird: Птах") && !question.system.contains("Пташка"))
    #expect(question.system.contains("bold: keep as it is") && !question.system.contains("unused"))
    #expect(found.diagnostics.contains { $0.message.contains("“bold” must stay as it is") })
    #expect(throws: VendorError.self) { try self.scene(["glossary_file": .text("terms.csv")]).make() }
    try folder.write("<martif", to: "broken.tbx")
    let error = #expect(throws: VendorError.self) {
      try self.scene(["glossary_file": .text(folder.file("broken.tbx"))]).make()
    }
    #expect(error?.description.contains("broken.tbx:1:") == true)
  }

  @Test(
    "after invalid JSON the request is repeated with the error in the prompt, and refused after the last correction")
  func brokenJSON() async throws {
    let once = try scene()
    once.model.behaviour = .brokenOnce
    #expect(texts(try await pull(once)).count == 7)
    #expect(once.model.questions.count == 2)
    #expect(once.model.questions.last?.document.contains("not the requested JSON object") == true)
    let always = try scene(["corrections": .number(2)])
    always.model.behaviour = .brokenJSON
    let found = try await pull(always)
    #expect(found.bundles.isEmpty && always.model.questions.count == 3)
    #expect(found.diagnostics.allSatisfy { $0.message.contains("was not translated") })
    // Refused texts are not requested and paid for again.
    _ = try await pull(always)
    #expect(always.model.questions.count == 3)
  }

  @Test("answers with lost placeholders, in another language or with unknown ids are held with the reason")
  func wrongAnswers() async throws {
    let lost = try scene(["corrections": .number(0)])
    lost.model.behaviour = .losesPlaceholders
    var found = try await pull(lost)
    let keys = found.bundles.flatMap(\.files).flatMap(\.units).map(\.key)
    #expect(keys.contains("Bird"), "a valid unit is not held")
    #expect(!keys.contains("%lld birds") && !keys.contains("%lld of %@"))
    #expect(found.diagnostics.contains { $0.message.contains("%lld") })

    let foreign = try scene(["corrections": .number(0)])
    foreign.model.behaviour = .wrongLanguage
    found = try await pull(foreign)
    #expect(texts(found).isEmpty)
    #expect(found.diagnostics.contains { $0.message.contains("not written in the script of uk") })

    let mixed = try scene(["corrections": .number(0)])
    mixed.model.behaviour = .unknownIDs
    found = try await pull(mixed)
    #expect(texts(found).isEmpty && found.diagnostics.contains { $0.message.contains("unknown id") })

    let extra = try scene(["corrections": .number(0)])
    extra.model.behaviour = .extraID
    found = try await pull(extra)
    #expect(texts(found).count == 7 && extra.model.questions.count == 1, "all requested texts exist")
  }

  @Test("an endpoint that does not support the response format is an error that names the option")
  func unknownFormat() async throws {
    let scene = try scene()
    scene.model.behaviour = .takesNoFormat
    let error = await #expect(throws: VendorError.self) { try await self.pull(scene) }
    #expect(error?.kind == .configuration && error?.detail.contains("such as `format: text`") == true)
    let plain = try self.scene(["format": .text("text")])
    plain.model.behaviour = .takesNoFormat
    #expect(texts(try await pull(plain)).count == 7)
  }

  @Test("a refused or truncated request is split in halves until the text that causes the failure is alone")
  func halves() async throws {
    let refusing = try scene(["corrections": .number(0)])
    refusing.model.behaviour = .refuses("of")
    let found = try await pull(refusing)
    #expect(texts(found).count == 6)
    #expect(found.diagnostics.map(\.message).filter { $0.contains("the model refused") }.count == 1)
    let cutting = try scene()
    cutting.model.behaviour = .cuts(2)
    #expect(texts(try await pull(cutting)).count == 7)
    let hopeless = try scene()
    hopeless.model.behaviour = .cuts(0)
    let cut = try await pull(hopeless)
    #expect(texts(cut).isEmpty && cut.diagnostics.contains { $0.message.contains("Raise `tokens`") })
  }

  @Test("equal texts with equal keys are requested for each catalog, because their comments may differ")
  func twoCatalogs() async throws {
    let scene = try scene()
    let vendor = try scene.make()
    var shipment = Self.shipment
    var file = try #require(shipment.files.first)
    file.original = "Other/Localizable.xcstrings"
    shipment.files.append(file)
    let receipt = try await vendor.push(shipment)
    let work = OutstandingWork { [shipment] in [OutstandingWork.Part(shipment: shipment, receipt: receipt)] }
    let found = try await vendor.pull(work)
    #expect(texts(found).count == 14)
    #expect(scene.model.questions.flatMap(\.texts).count == 14)
    for bundle in found.bundles { try await vendor.acknowledge(bundle, verdict: .taken) }
  }

  @Test(
    "a text that a filter of the endpoint refuses is held, and the others are accepted",
    arguments: [
      ("openai", "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."),
      ("openai", "Invalid prompt: your prompt was flagged as potentially violating our usage policy."),
      ("anthropic", "Output blocked by content filtering policy"),
    ])
  func filtered(api: String, message: String) async throws {
    let scene = try scene(["api": .text(api), "corrections": .number(0)])
    scene.model.behaviour = .filters("of", message: message)
    let found = try await pull(scene)
    #expect(texts(found).count == 6)
    #expect(found.diagnostics.map(\.message).filter { $0.contains("the model refused") }.count == 1)
    #expect(found.refusals.flatMap(\.units.values).allSatisfy { $0.contains(message.prefix(20)) })
    let count = scene.model.questions.count
    _ = try await pull(scene)
    #expect(scene.model.questions.count == count, "a refused text is not sent again")
  }

  @Test(
    "a response with invalid token counts is accepted, and its cost is estimated",
    arguments: [
      #"{"prompt_tokens":0,"completion_tokens":0}"#, #"{"prompt_tokens":-5,"completion_tokens":3}"#,
      #"{"prompt_tokens":"12","completion_tokens":3}"#, #"{"prompt_tokens":1.5,"completion_tokens":3}"#, "{}", "7",
      "null",
    ])
  func unusableUsage(usage: String) throws {
    let message = #"{"content":"{\"translations\":[{\"id\":\"1\",\"text\":\"x\"}]}"}"#
    let body = #"{"choices":[{"message":\#(message),"finish_reason":"stop"}],"usage":\#(usage)}"#
    let reply = OpenAIChat.reply(
      try JSONDecoder().decode(OpenAIChat.Response.self, from: Data(body.utf8)), tokens: 8192)
    guard case .translations(let translations) = reply.end else {
      Issue.record("no translations: \(reply.end)")
      return
    }
    #expect(translations.texts == ["1": ["x"]] && reply.usage == nil)
    let other = usage.replacing("prompt", with: "input").replacing("completion", with: "output")
    let blocks = #"{"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn","usage":\#(other)}"#
    let second = try JSONDecoder().decode(AnthropicMessages.Response.self, from: Data(blocks.utf8))
    #expect(AnthropicMessages.reply(second).usage == nil)
  }

  @Test("spending stops at the round's limit: finished translations are accepted, and the others wait with the reason")
  func limit() async throws {
    func cost(_ scene: Scene) -> Double {
      scene.model.questions.reduce(0) { $0 + Double($1.input) + Double($1.output) * 2 } / 1_000_000
    }
    func options(_ limit: Double) -> [String: VendorOptionValue] {
      [
        "batch": .number(1), "price": .names(["input": "1", "output": "2"]),
        "limit": .text(String(format: "%.6f", limit)),
      ]
    }
    let free = try scene(options(1))
    #expect(texts(try await pull(free)).count == 7)
    let whole = cost(free)
    let scene = try scene(options(whole / 2), name: "drafts")
    let found = try await pull(scene)
    let asked = scene.model.questions.count
    #expect(asked >= 1 && asked < 7 && cost(scene) <= whole / 2, "\(asked): \(cost(scene)) of \(whole / 2)")
    // A pipeline may have several vendors of this kind, so the message has the vendor's name.
    #expect(
      found.diagnostics.contains { $0.message.contains("is spent") && $0.message.contains("vendor drafts") },
      "\(found.diagnostics)")
    // The amount spent is still known after a restart.
    _ = try await pull(scene)
    #expect(scene.model.questions.count == asked)
  }

  @Test("a request's cost estimate uses the costs of earlier requests, and the books show the cost of a round")
  func estimate() async throws {
    let scene = try scene([
      "batch": .number(1), "price": .names(["input": "1", "output": "2"]), "limit": .text("0.05"),
    ])
    scene.model.thinking = 10_000
    let found = try await pull(scene)
    // Each request costs slightly more than 0.02, and the first estimate is far lower.
    #expect(scene.model.questions.count == 2)
    #expect(found.diagnostics.contains { $0.message.contains("is spent (2 requests") })
    let spent = try LLMBooks.spending(of: "birds", in: scene.bench.folder.path)
    #expect(spent.map(\.requests) == [2] && spent.map(\.output).allSatisfy { $0 > 20_000 })
    #expect(spent.map(\.vendor) == ["llm"] && spent[0].cost?.hasPrefix("0.04") == true)
  }

  @Test("after an error at any request, the same texts are returned in the end")
  func faults() async throws {
    let reference = try scene(["batch": .number(3)])
    let expected = texts(try await pull(reference))
    let requests = reference.bench.requests
    #expect(expected.count == 7 && requests >= 3)
    try await reference.bench.forEachFault { fault, request in
      let scene = try scene(["batch": .number(3)])
      scene.bench.fail(fault, at: request)
      var found: [String] = []
      for _ in 0..<5 where found.count < 7 { found = ((try? await pull(scene)).map(texts)) ?? found }
      #expect(found == expected, "\(fault) at request \(request)")
    }
  }

  @Test("recorded responses of both APIs are decoded")
  func recorded() throws {
    guard SharedFolder.specs.isThere else {
      print(SharedFolder.specs.notice)
      return
    }
    let examples = try JSONSerialization.jsonObject(
      with: try SharedFolder.specs.data("llm/openai/messages-and-errors.json"))
    var decoded = 0
    for example in examples as? [[String: Any]] ?? [] where example["path"] as? String == "/v1/chat/completions" {
      guard example["status"] as? Int == 200, let response = example["response"] as? [String: Any] else { continue }
      let data = try JSONSerialization.data(withJSONObject: response)
      _ = OpenAIChat.reply(try JSONDecoder().decode(OpenAIChat.Response.self, from: data), tokens: 8192)
      decoded += 1
    }
    #expect(decoded > 0)
  }
}
