import Localization
import Testing

/// Maximum lengths in comments, in a round and in an import by a person.
struct ImportLengthTests {
  private static let file: TreePath = "App/Localizable.xcstrings"

  private func review(
    _ target: String, comment: String?, source: String = "Save", policy: ImportPolicy = .unattended,
    choices: ImportChoices = ImportChoices()
  ) -> ReviewedImport {
    let entry = CatalogEntry(comment: comment, translations: ["en": Translation(source, state: .translated)])
    let unit = ExchangeUnit(
      key: "save", source: .text(source), target: ExchangeTarget(.text(target), state: "translated"))
    let file = ExchangeFile(original: Self.file.text, sourceLanguage: "en", targetLanguage: "de", units: [unit])
    return ImportReview(catalogs: [Self.file: catalog(["save": entry])], policy: policy, choices: choices).review([file]
    )
  }

  @Test("a text that is longer than its comment allows is held, and the message shows both lengths")
  func held() {
    let comment = "A button\ndragoman:max-length 8"
    #expect(review("Sichern", comment: comment).outcomes.map(\.verdict) == [.taken])
    let fault = "the text has 9 characters, but its comment allows 8"
    let reason = HoldReason.tooLong(fault)
    #expect(review("Speichern", comment: comment).outcomes.map(\.verdict) == [.held(reason)])
    #expect(reason.sentence == "it is too long: \(fault)" && reason.isTakenByXcode)
    #expect(review("Speichern", comment: "A button, max. 8 characters").outcomes.map(\.verdict) == [.held(reason)])
  }

  @Test("placeholders do not count towards the length, and a limit that the source text exceeds is ignored")
  func counted() {
    let comment = "dragoman:max-length 8"
    #expect(review("%@ sparen", comment: comment, source: "Save %@").outcomes.map(\.verdict) == [.taken])
    #expect(review("Alles sichern", comment: comment, source: "Save everything").outcomes.map(\.verdict) == [.taken])
    #expect(review("Speichern", comment: nil).outcomes.map(\.verdict) == [.taken])
    #expect(review("Speichern", comment: "The 2nd button").outcomes.map(\.verdict) == [.taken])
  }

  @Test("a person may accept a text that is too long, and a person's own import only gives a warning")
  func taken() {
    let comment = "dragoman:max-length 8"
    let chosen = review("Speichern", comment: comment, choices: ImportChoices(take: [.reason("tooLong")]))
    #expect(chosen.outcomes.map(\.verdict) == [.taken])
    let person = review("Speichern", comment: comment, policy: .asXcode)
    #expect(person.outcomes.map(\.verdict) == [.taken])
    #expect(person.diagnostics.contains { $0.severity == .warning && $0.message.contains("9 characters") })
  }
}
