import Foundation
import Localization
import Synchronization
import Testing

@testable import TranslationVendors

struct MachineEngineTests {
  /// A service that returns a closure's answers and stores the requested texts.
  private final class Service: MachineTranslationService {
    static let kind = "test"
    static let marking = ProtectedText.Marking.xml
    let batchSize = 50
    let batchCharacters = 1000
    private let answer: @Sendable (String) -> String?
    private let all = Mutex<[String]>([])
    var sent: [String] { all.withLock { $0 } }

    let fingerprint = ""

    init(_ answer: @escaping @Sendable (String) -> String?) { self.answer = answer }

    func languages() async throws -> [String] { [] }

    func translate(
      _ texts: [String], comment: String?, from source: LocaleIdentifier, to code: String
    ) async throws -> [String?] {
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

  @Test("a percent sign that does not begin a placeholder is plain text")
  func percent() async throws {
    let service = Service { $0.replacing("sure", with: "sicher").replacing("off", with: "billiger") }
    let answers = try await answers(["50% off", "100 % sure", "100%ige", "%lld% off %@"], service)
    #expect(service.sent == ["50% off", "100 % sure", "100%ige", "<x id=\"1\"/>% off <x id=\"2\"/>"])
    #expect(answers[0] == .text("50% billiger") && answers[1] == .text("100 % sicher"))
    #expect(answers[3] == .text("%lld% billiger %@"))
  }

  @Test("an answer that is empty or has different markup is refused with the reason")
  func refused() async throws {
    let service = Service { $0 == "Bird" ? " " : $0 == "Open" ? "<p>Öffnen</p>" : "Ü \($0)" }
    let answers = try await answers(["Bird", "Open", "Close"], service)
    #expect(answers[0] == .refused("the answer is empty"))
    #expect(answers[1] == .refused("placeholders or markup changed in “<p>Öffnen</p>”"))
    #expect(answers[2] == .text("Ü Close"))
  }

  @Test("white space around the source text is restored, whatever the engine does with it")
  func outerSpace() async throws {
    let service = Service { $0 == "Bird" ? " Vogel\n" : $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    let answers = try await answers(["Name: ", "\n\tOpen", "Bird", " \n", "%@ "], service)
    #expect(answers[0] == .text("Name: ") && answers[1] == .text("\n\tOpen") && answers[2] == .text("Vogel"))
    #expect(answers[3] == .text(" \n") && answers[4] == .text("%@ "))
    #expect(!service.sent.contains(" \n"), "a text of white space is not sent")
  }

  @Test("tags in the wrong order are refused, but a moved pair is accepted")
  func tags() async throws {
    let service = Service { text in
      switch text {
      case "Tap <x id=\"1\"/>here<x id=\"2\"/>": "Hier<x id=\"2\"/> tippen<x id=\"1\"/>"
      case "<x id=\"1\"/>a<x id=\"2\"/> <x id=\"3\"/>b<x id=\"4\"/>":
        "<x id=\"1\"/>a<x id=\"3\"/> b<x id=\"2\"/><x id=\"4\"/>"
      case "One<x id=\"1\"/>two": "<x id=\"1\"/>eins zwei"
      case "Open": "&lt;b&gt;Öffnen&lt;/b&gt;"
      default: "<x id=\"2\"/>" == text ? text : "<x id=\"1\"/>Hier<x id=\"2\"/> tippen"
      }
    }
    let answers = try await answers(
      ["Tap <b>here</b>", "<b>a</b> <i>b</i>", "One<br>two", "Open", "Now tap <b>here</b>", "</b>odd<b>"], service)
    #expect(answers[0] == .refused("the tag </b> is in the wrong place"))
    #expect(answers[1] == .refused("the tag </b> is in the wrong place"))
    #expect(answers[2] == .text("<br>eins zwei"))
    #expect(answers[3] == .refused("the tag <b> is not in the source text"))
    #expect(answers[4] == .text("<b>Hier</b> tippen"))
    #expect(answers[5] == .text("</b>Hier<b> tippen"), "a source text with unbalanced tags is not HTML")
  }

  @Test(
    "tags are compared with the source; plain words in angle brackets are not",
    arguments: [
      ("Enter <your name>", "<Ihr Name> eingeben", nil), ("a <b and c> d", "a <b und c> d", nil),
      ("Tap <b>here</b>", "Hier tippen", "the tag <b> is missing"),
      ("Line<br>two", "Zeile zwei", "the tag <br> is missing"),
      ("Tap <x:y>here</x:y>", "<x:y>Hier tippen", "the tag </x:y> is missing"),
      ("Open", "<b>Öffnen", "the tag <b> is not in the source text"),
      ("<a href='x'>A</a><img src='b'/>", "<img src='b'/><a href='y'>B</a>", nil),
    ] as [(String, String, String?)])
  func tagCheck(_ source: String, _ text: String, _ fault: String?) {
    #expect(TagCheck.fault(of: text, against: source) == fault)
  }

  @Test("a text without an answer is resent once and alone, and then refused; the others are accepted")
  func missing() async throws {
    let service = Service { $0 == "Bird" ? nil : "Ü \($0)" }
    let answers = try await answers(["Open", "Bird", "Close"], service)
    #expect(answers[0] == .text("Ü Open") && answers[2] == .text("Ü Close"))
    #expect(answers[1] == .refused("test answered twice without a translation"))
    #expect(service.sent == ["Open", "Bird", "Close", "Bird"])
  }

  @Test("if an engine answers no text, one text is tried again alone, and all texts wait")
  func nothing() async throws {
    let service = Service { _ in nil }
    let answers = try await answers(["Open", "Bird", "Close"], service)
    #expect(answers.values.allSatisfy { $0 == .silent("test answered without a translation") } && answers.count == 3)
    #expect(service.sent == ["Open", "Bird", "Close", "Open"])
  }

  @Test("a text whose separate request gets no answer does not stop later requests")
  func missingAlone() async throws {
    let long = String(repeating: "long ", count: 200)
    let service = Service { $0 == long ? nil : "Ü \($0)" }
    let answers = try await answers([long, "Open"], service)
    #expect(answers[0] == .refused("test answered twice without a translation") && answers[1] == .text("Ü Open"))
  }

  @Test("words marked for grammatical inflection are translated, and the markup around them is kept")
  func inflected() {
    let source = "Feed ^[%lld hungry birds](inflect: true, agreeWithArgument: 1) [now](https://example.com)"
    let protected = ProtectedText(source, .xml)
    #expect(protected.text == #"Feed <x id="1"/><x id="2"/> hungry birds<x id="3"/> [now<x id="4"/>"#)
    #expect(protected.restored(protected.text) == source)
    #expect(
      protected.restored(#"<x id="1"/><x id="2"/> hungrige Vögel<x id="3"/> füttern"#) == nil, "a lost link is detected"
    )
  }
}
