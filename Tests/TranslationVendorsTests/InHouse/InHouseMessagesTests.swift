import Foundation
import Testing

@testable import TranslationVendors

struct InHouseMessagesTests {
  @Test("an invalid entry is reported with its error, and the others are read")
  func tolerance() throws {
    let text = """
      {"translations": [
        {"id": {"catalog": "a", "name": "one"}, "source": {"text": "x"}, "target": {"text": "eins"}, "state": "translated"},
        {"id": {"catalog": "a", "name": "two"}, "source": {"text": "x"}, "target": {"text": "zwei"}, "state": "final"},
        {"id": {"catalog": "a", "name": "three"}, "source": {"text": "x"}, "target": null, "state": "translated"},
        {"id": {"catalog": "a", "name": "four"}, "source": {"text": "x"}, "target": {"text": 4}, "state": "translated"},
        7,
        {"id": {"catalog": "a", "name": "five"}, "source": {"text": "x"}, "target": {"text": "fünf"}, "state": "reviewed"},
        {"id": {"catalog": "a", "name": "six"}, "target": {"text": "sechs"}, "state": "reviewed"},
        {"id": {"catalog": "a", "name": "seven"}, "source": {"text": "x"}, "target": {}, "state": "reviewed"}
      ]}
      """
    let translations = try JSONDecoder().decode(InHouseMessages.Translations.self, from: Data(text.utf8)).translations
    let read = translations.compactMap { if case .translation(let found) = $0 { found.target.text } else { nil } }
    #expect(read == ["eins", "fünf"])
    let faults = translations.compactMap { if case .faulty(let id, let words) = $0 { (id?.name, words) } else { nil } }
    #expect(faults.map(\.0) == ["two", "three", "four", nil, "six", "seven"])
    #expect(faults[0].1.contains("unknown state “final”"))
    #expect(faults[1].1.contains("translations[2].target"))
    #expect(faults[2].1.contains("at translations[3].target.text"))
    #expect(faults[4].1.contains("`source` is missing"))
    #expect(faults[5].1 == "`target` has neither `text` nor `forms`")
  }
}
