import Foundation
import Synchronization
import TestSupport
import Testing

/// Complete rounds of the program with a machine translation server.
struct MachineRoundTests {
  @Test(
    "answers are delivered as needs_review unless the pipeline file says otherwise, and no text is requested twice",
    arguments: [nil, "translated"])
  func round(_ state: String?) throws {
    let folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    let catalog = """
      {
        "sourceLanguage" : "en",
        "strings" : {
          "%lld birds" : {

          },
          "Open" : {

          }
        },
        "version" : "1.0"
      }
      """
    try repository.commit(["App/Localizable.xcstrings": catalog])
    let origin = folder.file("app.git")
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, origin], in: folder.path)
    let asked = Mutex(0)
    let server = try LoopbackHTTPServer { request, _ in
      let json = [("Content-Type", "application/json")]
      guard request.method == "POST" else {
        return .respond(status: 200, headers: json, body: Array("[{\"code\": \"de\"}]".utf8))
      }
      let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any]
      let texts = (body?["q"] as? [String] ?? []).map { "⟦\($0)⟧" }
      asked.withLock { $0 += texts.count }
      let content = (try? JSONSerialization.data(withJSONObject: ["translatedText": texts])) ?? Data()
      return .respond(status: 200, headers: json, body: Array(content))
    }
    let option = state.map { ", state: \($0)" } ?? ""
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(origin)" }
      languages: [de]
      vendors:
        - { vendor: libretranslate, url: "\(server.url)"\(option) }

      """, to: "app.yaml")
    for _ in 1...3 {
      let end = try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path)
      #expect(end.status == 0, "\(end)")
    }
    let delivered = try TemporaryRepository.git(["show", "l10n/main:App/Localizable.xcstrings"], in: origin)
    #expect(delivered.contains("\"value\" : \"⟦Open⟧\"") && delivered.contains("\"value\" : \"⟦%lld birds⟧\""))
    #expect(delivered.components(separatedBy: "\"state\" : \"\(state ?? "needs_review")\"").count == 3, "\(delivered)")
    #expect(asked.withLock { $0 } == 2)
  }

  @Test(
    "a dropped answer is requested again, even if another language has none, and checked with the changed glossary")
  func dropped() throws {
    let folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    try repository.commit([
      "App/Localizable.xcstrings":
        "{ \"sourceLanguage\" : \"en\", \"strings\" : { \"Bird\" : { }, \"Nest\" : { } }, \"version\" : \"1.0\" }"
    ])
    let asked = Mutex<[String]>([])
    let server = try LoopbackHTTPServer { request, _ in
      guard request.method == "POST" else { return .json([["code": "de"], ["code": "uk"]]) }
      let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any]
      let texts = body?["q"] as? [String] ?? []
      guard body?["target"] as? String == "de" else { return .json(["translatedText": texts.map { _ in "" }]) }
      let again = asked.withLock { asked in
        asked += texts
        return asked.count { $0 == "Bird" } > 1
      }
      return .json(["translatedText": texts.map { $0 == "Nest" ? "Nest" : again ? "Vogel" : "Piepmatz" }])
    }
    try folder.write("en,de\nBird,Vogel\n", to: "terms.csv")
    let origin = try repository.bareCopy()
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(origin)" }
      languages: [de, uk]
      glossary: { file: "\(folder.file("terms.csv"))", missing: hold }
      vendors:
        - { vendor: libretranslate, url: "\(server.url)" }

      """, to: "app.yaml")
    func run() throws {
      let end = try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path)
      #expect(end.status == 0, "\(end)")
    }
    func held() throws -> [[String: Any]] {
      let list = try dragoman(["held", "list", "--format", "json"], in: folder.path).output
      return try #require(try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]])
    }
    for _ in 1...2 { try run() }
    #expect(asked.withLock { $0.sorted() } == ["Bird", "Nest"], "a held answer is not requested again")
    // Each review reads the glossary file again.
    try folder.write("en,de\nBird,Amsel\n", to: "terms.csv")
    try repository.commit(["App/Notes.txt": "new"], message: "Note")
    try TemporaryRepository.git(["push", "-q", origin, "main"], in: repository.path)
    try run()
    #expect("\(try held())".contains("“Bird” should be “Amsel”"))
    try folder.write("en,de\nBird,Vogel\n", to: "terms.csv")
    let id = try #require(try held().first?["id"] as? Int)
    #expect(try held().count == 1)
    #expect(try dragoman(["held", "drop", "\(id)"], in: folder.path).status == 0)
    for _ in 1...2 { try run() }
    #expect(asked.withLock { $0.sorted() } == ["Bird", "Bird", "Nest"])
    #expect(try held().isEmpty)
    let delivered = try TemporaryRepository.git(["show", "l10n/main:App/Localizable.xcstrings"], in: origin)
    #expect(delivered.contains("\"value\" : \"Vogel\"") && !delivered.contains("Piepmatz"), "\(delivered)")
  }
}
