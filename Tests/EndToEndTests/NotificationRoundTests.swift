import Foundation
import Localization
import TestSupport
import Testing

/// Complete rounds of the program with a receiver of notifications.
struct NotificationRoundTests {
  private let folder: TemporaryFolder
  private let repository: TemporaryRepository
  private let server: LoopbackHTTPServer

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    try repository.commit([
      "App/Localizable.xcstrings": """
      { "sourceLanguage" : "en", "strings" : { "Open %@" : { } }, "version" : "1.0" }
      """
    ])
    server = try LoopbackHTTPServer { _, _ in .respond(status: 200) }
    try folder.write("http://127.0.0.1:\(server.port)/hunter2\n", to: "hook")
  }

  /// Returns the event and the state of each notice that arrived, such as `round-delivered happened`.
  private func told() throws -> [String] {
    try server.requests.flatMap { request -> [String] in
      let message = try #require(try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
      let content = try #require(message["data"] as? [String: Any])
      return try #require(content["notices"] as? [[String: String]]).map {
        "\($0["event"] ?? "") \($0["state"] ?? "")"
      }
    }
  }

  private func run(_ status: Int32 = 0) throws {
    let end = try dragoman(["run", "birds.yaml", "--once"], in: folder.path)
    #expect(end.status == status, "\(end.output)\(end.errors)")
    #expect(!(end.output + end.errors).contains("hunter2"))
  }

  @Test("run --once sends one notification when units are held, one when they are resolved, and one for a delivery")
  func rounds() throws {
    try folder.write(
      """
      pipeline: birds
      repository: { url: "\(try repository.bareCopy())" }
      languages: [de]
      vendors: [{ vendor: folder, path: drop, settle: 0 }]
      notify: [{ webhook: "file:hook" }]
      """, to: "birds.yaml")
    try run()
    #expect(try told() == [])
    let translator = Translator(drop: folder.file("drop"))
    #expect(try translator.translate("de", answers: ["Open %@": "Öffnen"]) == 1)
    try run()
    #expect(try told() == ["units-held began"], "the unit without a placeholder is held")
    try run()
    #expect(try told().count == 1)
    #expect(try translator.translate("de", answers: ["Open %@": "%@ öffnen"]) == 1)
    try run()
    #expect(try told().sorted() == ["round-delivered happened", "units-held began", "units-held ended"])
    try run()
    #expect(try told().count == 3)
  }
}
