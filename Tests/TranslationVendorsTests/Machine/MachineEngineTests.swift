import Localization
import Synchronization
import Testing

@testable import TranslationVendors

struct MachineEngineTests {
  /// Answers as the closure says, and keeps what was sent.
  private final class Service: MachineTranslationService {
    static let kind = "test"
    static let marking = ProtectedText.Marking.xml
    let batchSize = 50
    let batchCharacters = 1000
    private let answer: @Sendable (String) -> String
    private let all = Mutex<[String]>([])
    var sent: [String] { all.withLock { $0 } }

    init(_ answer: @escaping @Sendable (String) -> String) { self.answer = answer }

    func languages() async throws -> [String] { [] }

    func translate(
      _ texts: [String], comment: String?, from source: LocaleIdentifier, to code: String
    ) async throws -> [String] {
      all.withLock { $0 += texts }
      return texts.map(answer)
    }
  }

  private func answers(_ texts: [String], _ service: Service) async throws -> [Int: EngineAnswer] {
    let requests = texts.map {
      EngineRequest(unit: UnitID(catalog: "L.xcstrings", key: UnitKey($0)), path: .root, source: $0, comment: nil)
    }
    var answers: [Int: EngineAnswer] = [:]
    try await MachineEngine(service).translate(requests, from: "en", to: "de") { found in
      answers.merge(found) { _, new in new }
    }
    return answers
  }

  @Test("a percent sign that begins no placeholder is a part of the text")
  func percent() async throws {
    let service = Service { $0.replacing("sure", with: "sicher").replacing("off", with: "billiger") }
    let answers = try await answers(["50% off", "100 % sure", "100%ige", "%lld% off %@"], service)
    #expect(service.sent == ["50% off", "100 % sure", "100%ige", "<x id=\"1\"/>% off <x id=\"2\"/>"])
    #expect(answers[0] == .text("50% billiger") && answers[1] == .text("100 % sicher"))
    #expect(answers[3] == .text("%lld% billiger %@"))
  }

  @Test("an empty answer is refused with its reason, and so is one with other markup")
  func refused() async throws {
    let service = Service { $0 == "Bird" ? " " : $0 == "Open" ? "<p>Öffnen</p>" : "Ü \($0)" }
    let answers = try await answers(["Bird", "Open", "Close"], service)
    #expect(answers[0] == .refused("the answer is empty"))
    #expect(answers[1] == .refused("placeholders or markup changed in “<p>Öffnen</p>”"))
    #expect(answers[2] == .text("Ü Close"))
  }
}
