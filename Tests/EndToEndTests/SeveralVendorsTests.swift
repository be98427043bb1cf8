import Foundation
import Localization
import TestSupport
import Testing

/// Complete rounds in which a unit goes from one vendor to another.
struct SeveralVendorsTests {
  private let folder: TemporaryFolder
  private let repository: TemporaryRepository
  private let origin: String
  private let server: LoopbackHTTPServer

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    try repository.commit([
      "App/Localizable.xcstrings": """
      {
        "sourceLanguage" : "en",
        "strings" : {
          "Birds" : {

          },
          "Open" : {

          }
        },
        "version" : "1.0"
      }
      """
    ])
    origin = folder.file("app.git")
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, origin], in: folder.path)
    // The server is a translation engine that supports only German.
    server = try LoopbackHTTPServer { request, _ in
      let json = [("Content-Type", "application/json")]
      guard request.method == "POST" else {
        return .respond(status: 200, headers: json, body: Array("[{\"code\": \"de\"}]".utf8))
      }
      let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any]
      let texts = (body?["q"] as? [String] ?? []).map { "⟦\($0)⟧" }
      let content = (try? JSONSerialization.data(withJSONObject: ["translatedText": texts])) ?? Data()
      return .respond(status: 200, headers: json, body: Array(content))
    }
  }

  private func run(_ file: String) throws {
    try folder.write(
      "pipeline: app\nrepository: { url: \"\(origin)\" }\n" + file, to: "app.yaml")
    let end = try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path)
    #expect(end.status == 0, "\(end)")
  }

  private func delivered() throws -> String {
    try TemporaryRepository.git(["show", "l10n/main:App/Localizable.xcstrings"], in: origin)
  }

  private func bundles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.file("people/to-translate")).sorted()
  }

  @Test("a machine translation is delivered immediately as a draft, and a person's translation replaces it")
  func machineFirst() throws {
    let file = """
      languages: [de]
      vendors:
        - { vendor: libretranslate, url: "\(server.url)", then: people, languages: [de], state: translated }
        - { vendor: folder, name: people, path: people }

      """
    try run(file)
    let draft = try delivered()
    #expect(draft.contains("\"value\" : \"⟦Birds⟧\"") && draft.contains("\"state\" : \"needs_review\""), "\(draft)")
    #expect(!draft.contains("\"state\" : \"translated\""))
    let sent = try bundles()
    #expect(sent.count == 1)
    #expect(try Translator(drop: folder.file("people")).translate("de") == 2)
    try run(file)
    let final = try delivered()
    #expect(final.contains("\"value\" : \"de: Birds\"") && !final.contains("⟦"), "\(final)")
    #expect(!final.contains("needs_review"))
    let explained = try dragoman(["explain", "Birds"], in: folder.path)
    #expect(explained.output.contains("libretranslate") && explained.output.contains("people"), "\(explained)")
    let rounds = try dragoman(["rounds"], in: folder.path)
    #expect(rounds.status == 0 && rounds.output.contains("people"), "\(rounds)")
  }

  // MARK: Drafts in files without states

  private var drafted: String {
    """
    languages: [de]
    deliver: { mode: push }
    vendors:
      - { vendor: libretranslate, url: "\(server.url)", then: people, languages: [de] }
      - { vendor: folder, name: people, path: people }

    """
  }

  private func german() throws -> String {
    try TemporaryRepository.git(["show", "main:App/de.lproj/Menu.strings"], in: origin)
  }

  /// Pushes a source text and the German file of a `.strings` table to the origin.
  private func push(_ source: String, _ german: String) throws {
    try repository.git("pull", "-q", origin, "main")
    try repository.commit([
      "App/en.lproj/Menu.strings": "\"open\" = \"\(source)\";\n", "App/de.lproj/Menu.strings": german,
    ])
    try repository.git("push", "-q", origin, "HEAD:main")
  }

  @Test(
    "a person's translation replaces a draft in a .strings file, but not a text that a person edited there",
    arguments: [false, true])
  func answerWithoutState(isEdited: Bool) throws {
    try push("Open", "")
    try run(drafted)
    #expect(try german().contains("⟦Open⟧"))
    if isEdited { try push("Open", "\"open\" = \"Auf\";\n") }
    try Translator(drop: folder.file("people")).translate("de")
    try run(drafted)
    #expect(try german().contains(isEdited ? "\"Auf\"" : "de: Open"))
    let held = try dragoman(["held"], in: folder.path)
    #expect(held.output.contains("de: Open") == isEdited, "\(held)")
  }

  @Test(
    "a person's translation replaces a draft in a .strings file even after its source text changed and changed back")
  func draftWithoutState() throws {
    try push("Open", "")
    try run(drafted)
    for source in ["Show", "Open", "Show"] {
      try push(source, try german())
      try run(drafted)
      try run(drafted)
      #expect(try german().contains("⟦\(source)⟧"))
    }
    try Translator(drop: folder.file("people")).translate("de")
    try run(drafted)
    #expect(try german().contains("de: Show"))
  }

  @Test("units in a language that an engine does not support go to its fallback in the same run")
  func fallback() throws {
    try run(
      """
      languages: [de, fr]
      vendors:
        - { vendor: libretranslate, url: "\(server.url)", languages: [de, fr], fallback: people }
        - { vendor: folder, name: people, path: people }

      """)
    #expect(try delivered().contains("\"value\" : \"⟦Birds⟧\""))
    let sent = try bundles()
    #expect(sent.count == 1 && sent[0].contains("-fr."), "\(sent)")
    let explained = try dragoman(["explain", "Birds", "--language", "fr"], in: folder.path)
    #expect(explained.output.contains("refused: "), "\(explained)")
  }

  @Test("a text in a TMX file is filled from it and not sent, and a missing TMX file stops the round")
  func memory() throws {
    let file = """
      languages: [de]
      vendors:
        - { vendor: folder, name: people, path: people }
      memory:
        files: [birds.tmx]
        state: translated

      """
    try folder.write(
      "pipeline: app\nrepository: { url: \"\(origin)\" }\n" + file, to: "app.yaml")
    let missing = try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path)
    #expect(missing.status != 0 && (missing.errors + missing.output).contains("birds.tmx"), "\(missing)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("people/to-translate/app-1-de.xcloc.zip")))
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <tmx version="1.4"><header creationtool="t" creationtoolversion="1" segtype="block" o-tmf="t" adminlang="en"
       srclang="en" datatype="plaintext"/><body>
      <tu><tuv xml:lang="en"><seg>Birds</seg></tuv><tuv xml:lang="de"><seg>Vögel</seg></tuv></tu>
      </body></tmx>
      """, to: "birds.tmx")
    try run(file)
    let text = try delivered()
    #expect(text.contains("\"value\" : \"Vögel\"") && text.contains("\"state\" : \"translated\""), "\(text)")
    let sent = try bundles()
    #expect(sent.count == 1)
    let explained = try dragoman(["explain", "Birds"], in: folder.path)
    #expect(explained.output.contains("memory") && !explained.output.contains("people"), "\(explained)")
  }
}
