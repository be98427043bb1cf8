import Foundation
import Synchronization
import TestSupport
import Testing

/// Whole rounds of the program with a machine translation server.
struct MachineRoundTests {
  @Test(
    "delivers answers as needs_review unless the pipeline says otherwise, and asks for nothing twice",
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
      let answer = (try? JSONSerialization.data(withJSONObject: ["translatedText": texts])) ?? Data()
      return .respond(status: 200, headers: json, body: Array(answer))
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
}
