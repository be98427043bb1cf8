import Foundation
import TestSupport
import Testing

/// How the program names vendors, their options and what they say.
struct VendorsCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("vendors list shows the values of an option")
  func values() throws {
    let end = try dragoman(["vendors", "list", "weblate"], in: folder.path)
    #expect(end.status == 0 && end.output.contains("Values: suggested, translated, reviewed."), "\(end)")
    #expect(
      try dragoman(["vendors", "list", "weblate", "--format", "json"], in: folder.path).output.contains("\"values\""))
  }

  @Test("vendors test names each vendor that fails")
  func failing() throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 401) }
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(folder.path)" }
      languages: [de, uk]
      vendors:
        - { vendor: http, url: "\(server.url)/a", languages: [de] }
        - { vendor: http, url: "\(server.url)/b", languages: [uk] }

      """, to: "app.yaml")
    let end = try dragoman(["vendors", "test", "--pipeline", "app.yaml"], in: folder.path)
    #expect(end.status == 1 && end.output == "FAIL http:\(server.url)/a\nFAIL http:\(server.url)/b\n", "\(end)")
  }

  @Test("what a vendor says about no bundle has its name once")
  func messages() throws {
    let repository = try TemporaryRepository()
    try repository.commit([
      "App/Localizable.xcstrings":
        "{ \"sourceLanguage\" : \"en\", \"strings\" : { \"Bird\" : { } }, \"version\" : \"1.0\" }"
    ])
    let server = try LoopbackHTTPServer { request, _ in
      request.method == "GET" ? .json([["code": "de"]]) : .json(["translatedText": [""]])
    }
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(try repository.bareCopy())" }
      languages: [de]
      vendors: [{ vendor: libretranslate, name: house, url: "\(server.url)" }]

      """, to: "app.yaml")
    let end = try dragoman(["run", "app.yaml", "--once"], in: folder.path)
    #expect(
      end.status == 0
        && end.errors.contains("house: warning: \"Bird\" was not translated: the answer is empty")
        && !end.errors.contains("house: house"), "\(end)")
  }
}
