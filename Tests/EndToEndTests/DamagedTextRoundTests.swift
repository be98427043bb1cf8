import Foundation
import Localization
import TestSupport
import Testing
import VendorServers

/// Rounds in which the vendor damages texts, or returns a bundle in another language.
struct DamagedTextRoundTests {
  private let folder: TemporaryFolder
  /// The repository from which `origin` is copied. Stored only because releasing the repository deletes its folder.
  private let repository: TemporaryRepository
  private let origin: String
  private let system = InHouseServer(languages: ["de", "uk"])
  private let server: LoopbackHTTPServer

  private static let strings = [
    "Name: ", "Tom & Jerry", "<a href=\"x\">Open</a>", "Bird", "Close", "The window", "Save the file", "Print it",
  ]

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    let entries = Self.strings.map { "\"\($0.replacing("\"", with: "\\\""))\" : { }" }.joined(separator: ", ")
    try repository.commit([
      "App/Localizable.xcstrings":
        "{ \"sourceLanguage\" : \"en\", \"strings\" : { \(entries) }, \"version\" : \"1.0\" }"
    ])
    origin = try repository.bareCopy()
    let system = system
    server = try LoopbackHTTPServer { request, _ in system.respond(to: request) }
    try folder.write("secret-token", to: "token")
  }

  private func run(_ options: String = "") throws -> ProgramEnd {
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(origin)" }
      languages: [de, uk]
      vendors:
        - { vendor: http, name: house, url: "\(server.url)", credentials: "file:\(folder.file("token"))"\(options) }

      """, to: "app.yaml")
    let end = try dragoman(["run", "app.yaml", "--once"], in: folder.path)
    #expect(end.status == 0 || end.status == 77, "\(end)")
    return end
  }

  private func delivered(_ language: LocaleIdentifier) throws -> [String: String] {
    let text = try TemporaryRepository.git(["show", "l10n/main:App/Localizable.xcstrings"], in: origin)
    let catalog = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let strings = try #require(catalog?["strings"] as? [String: [String: [String: [String: [String: String]]]]])
    return strings.compactMapValues { $0["localizations"]?[language.rawValue]?["stringUnit"]?["value"] }
  }

  private static let damaged = [
    "Name: ": "Name:", "Tom & Jerry": "Tom &amp; Jerry", "<a href=\"x\">Open</a>": "<a href=„x“>Öffnen</a>",
    "Bird": "\u{200F}Vogel", "Close": "Schließen",
  ]

  @Test("damaged texts are held with the reason, and good texts of the same bundle are delivered")
  func held() throws {
    _ = try run()
    system.enter(Self.damaged, in: "de")
    _ = try run()
    #expect(try delivered("de") == ["Close": "Schließen"])
    let held = try dragoman(["held", "list"], in: folder.path).output
    #expect(held.components(separatedBy: "it was damaged in transit").count == 5, "\(held)")
    // A person can accept a held text as it is.
    let list = try dragoman(["held", "list", "--format", "json"], in: folder.path).output
    let all = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]] ?? []
    let id = try #require(all.first { "\($0)".contains("Vogel") }?["id"] as? Int, "\(list)")
    #expect(try dragoman(["held", "take", "\(id)"], in: folder.path).status == 0)
    _ = try run()
    #expect(try delivered("de")["Bird"] == "\u{200F}Vogel")
  }

  @Test("a held text that is corrected at the vendor is delivered, and an unchanged text is not recorded again")
  func corrected() async throws {
    _ = try run()
    system.enter(Self.damaged, in: "de")
    _ = try run()
    let held = try dragoman(["held", "list"], in: folder.path).output
    let books = try await booksText(folder.file(".dragoman"))
    _ = try run()
    #expect(try dragoman(["held", "list"], in: folder.path).output == held)
    system.enter(["Name: ": "Name: ", "Bird": "Vogel"], in: "de")
    let end = try run()
    #expect((end.output + end.errors).contains("2 returned"), "\(end)")
    #expect(try delivered("de") == ["Close": "Schließen", "Name: ": "Name: ", "Bird": "Vogel"])
    let left = try dragoman(["held", "list"], in: folder.path).output
    #expect(left.components(separatedBy: "it was damaged in transit").count == 3, "\(left)")
    #expect(try await booksText(folder.file(".dragoman")) == books)
    // Corrections of delivered texts are delivered too.
    system.enter(["Bird": "Amsel"], in: "de")
    _ = try run()
    #expect(try delivered("de")["Bird"] == "Amsel")
    #expect(system.sendings.values.allSatisfy { $0 == 1 }, "\(system.sendings)")
  }

  @Test("texts that the pipeline can repair are delivered, and the others are held")
  func repaired() throws {
    _ = try run(", repair: [spaces, escapes, quotes]")
    system.enter(Self.damaged, in: "de")
    let end = try run(", repair: [spaces, escapes, quotes]")
    #expect((end.output + end.errors).contains("3 texts were repaired"), "\(end)")
    #expect(
      try delivered("de") == [
        "Name: ": "Name: ", "Tom & Jerry": "Tom & Jerry", "<a href=\"x\">Open</a>": "<a href=\"x\">Öffnen</a>",
        "Close": "Schließen",
      ])
  }

  @Test("a bundle in another language is held, or delivered with other_language: take", arguments: [true, false])
  func otherLanguage(_ isHeld: Bool) throws {
    let german = [
      "Bird": "Vogel", "Close": "Schließen", "The window": "Das Fenster", "Save the file": "Sichern",
      "Print it": "Drucken",
    ]
    let options = isHeld ? "" : ", other_language: take"
    _ = try run(options)
    system.enter(german, in: "de")
    system.enter(german, in: "uk")
    let end = try run(options)
    guard isHeld else {
      #expect(try delivered("de").count == 5 && delivered("uk").count == 5)
      return
    }
    #expect((end.output + end.errors).contains("most translations into uk seem to be in another language"), "\(end)")
    #expect(try delivered("de").count == 5 && delivered("uk").isEmpty)
    let held = try dragoman(["held", "list"], in: folder.path).output
    #expect(held.contains("not written in the script of uk"), "\(held)")
  }
}
