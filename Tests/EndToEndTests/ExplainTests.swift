import Foundation
import Localization
import TestSupport
import Testing

/// `explain` after each step of a round.
struct ExplainTests {
  private let folder: TemporaryFolder
  private let repository: TemporaryRepository

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
  }

  private func commit(_ text: String, _ message: String) throws {
    try repository.commit([
      "App/Localizable.xcstrings": """
      { "sourceLanguage" : "en", "strings" : { "open" : { "extractionState" : "manual", "localizations" : { "en" :
      { "stringUnit" : { "state" : "translated", "value" : "\(text)" } } } } }, "version" : "1.0" }
      """
    ])
  }

  private func run() throws {
    let end = try dragoman(["run", "birds.yaml", "--once"], in: folder.path)
    #expect(end.status == 0, "\(end.output)\(end.errors)")
  }

  private func explain(_ arguments: String...) throws -> ProgramEnd {
    try dragoman(["explain", "open"] + arguments, in: folder.path)
  }

  @Test("explain shows for each source text of a string what was sent, returned, held and delivered")
  func life() throws {
    try commit("Open %@", "Open")
    let origin = try repository.bareCopy()
    try folder.write(
      """
      pipeline: birds
      repository: { url: "\(origin)" }
      languages: [de, fr]
      vendors: [{ vendor: folder, name: agency, path: drop, settle: 0 }]
      """, to: "birds.yaml")
    #expect(try explain().status == 66)
    try run()
    let sent = try explain()
    #expect(sent.status == 0, "\(sent.errors)")
    #expect(sent.output.hasPrefix("birds: App/Localizable.xcstrings: \"open\"\n  “Open %@”\n    "), "\(sent.output)")
    #expect(sent.output.contains("added in \(try repository.git("rev-parse", "HEAD").prefix(10)) by"), "\(sent.output)")
    #expect(sent.output.contains(#/birds#1 to agency for de 2\S+Z: outstanding/#))
    let translator = Translator(drop: folder.file("drop"))
    #expect(try translator.translate("de", answers: ["open": "Öffnen"]) == 1)
    try run()
    let held = try explain("--language", "de")
    #expect(
      held.output.contains(#/agency returned 2\S+Z for de in \S+: “Öffnen”\n      main: held: the placeholders/#),
      "\(held.output)")
    #expect(!held.output.contains("for fr"))
    #expect(try translator.translate("de", answers: ["open": "%@ öffnen"]) == 1)
    try run()
    let delivered = try explain("--pipeline", "birds")
    #expect(
      delivered.output.contains(#/“%@ öffnen”\n      main: delivered, in [0-9a-f]{10} on l10n\/main \(pushed\)/#),
      "\(delivered.output)")
    #expect(delivered.output.contains("to agency for fr"))

    try commit("Open all %@", "Change it")
    try TemporaryRepository.git(["push", "-q", "--force", origin, "main"], in: repository.path)
    try run()
    let changed = try explain()
    #expect(changed.output.contains("replaced by a newer text") && changed.output.contains("“Open all %@”"))
    let object = try JSONSerialization.jsonObject(with: Data(try explain("--format", "json").output.utf8))
    let versions = (object as? [[String: Any]])?.first?["versions"] as? [[String: Any]]
    #expect(versions?.map { $0["text"] as? String } == ["Open %@", "Open all %@"])
  }

  @Test("explain shows why a translation without a branch outcome waits")
  func waiting() throws {
    try repository.commit([
      "App/Localizable.xcstrings": """
      { "sourceLanguage" : "en", "strings" : { "open" : { "extractionState" : "manual" },
      "%@ eggs" : { "extractionState" : "manual" } }, "version" : "1.0" }
      """
    ])
    try folder.write(
      """
      pipeline: birds
      repository: { url: "\(try repository.bareCopy())" }
      languages: [de]
      vendors: [{ vendor: folder, path: drop, settle: 0 }]
      deliver: { when: complete }
      """, to: "birds.yaml")
    try run()
    let answers = ["open": "Öffnen", "%@ eggs": "Eier"]
    #expect(try Translator(drop: folder.file("drop")).translate("de", answers: answers) == 2)
    try run()
    let waiting = try explain()
    #expect(
      waiting.output.contains(
        "“Öffnen”\n      waits for its review or, with deliver.when: complete, for the rest of its language\n"),
      "\(waiting.output)")
  }

  @Test("explain suggests the nearest key for an unknown key, and prints no terminal escapes")
  func unknown() throws {
    try commit("\\u001B[31mRed", "Red")
    try folder.write(
      """
      pipeline: birds
      repository: { url: "\(try repository.bareCopy())" }
      languages: [de]
      vendors: [{ vendor: folder, path: drop, settle: 0 }]
      """, to: "birds.yaml")
    try run()
    let end = try dragoman(["explain", "opem"], in: folder.path)
    #expect(end.status == 66 && end.errors.contains("did you mean `open`?"), "\(end.errors)")
    #expect(try dragoman(["explain", "open", "--pipeline", "ducks"], in: folder.path).status == 66)
    #expect(!(try explain().output.contains("\u{1B}")))
  }
}
