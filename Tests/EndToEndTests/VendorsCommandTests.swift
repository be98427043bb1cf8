import Foundation
import TestSupport
import Testing

/// The program's output about vendors and their options.
struct VendorsCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("vendors list prints the possible values of an option")
  func values() throws {
    let end = try dragoman(["vendors", "list", "weblate"], in: folder.path)
    #expect(end.status == 0 && end.output.contains("Values: suggested, translated, reviewed."), "\(end)")
    #expect(
      try dragoman(["vendors", "list", "weblate", "--format", "json"], in: folder.path).output.contains("\"values\""))
  }

  @Test("vendors test lists each vendor that fails")
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

  @Test("`vendors test` also checks a vendor for the languages that other vendors pass on to it")
  func handedOn() throws {
    let server = try LoopbackHTTPServer { request, _ in
      guard request.path.last == "languages" else { return .json(["translatedText": ["a"]]) }
      return .json(request.path.first == "all" ? ["de", "fr", "uk"].map { ["code": $0] } : [["code": "fr"]])
    }
    func test(_ languages: String, other: String) throws -> ProgramEnd {
      try folder.write(
        """
        pipeline: app
        repository: { url: "\(folder.path)" }
        languages: [de, fr, uk]
        vendors:
          - { vendor: libretranslate, name: machine, languages: \(languages), url: "\(server.url)/all", then: agency }
          - { vendor: libretranslate, name: other, languages: \(other), url: "\(server.url)/all" }
          - { vendor: libretranslate, name: agency, url: "\(server.url)/french" }

        """, to: "app.yaml")
      return try dragoman(["vendors", "test", "--pipeline", "app.yaml"], in: folder.path)
    }
    let end = try test("[fr]", other: "[de, uk]")
    #expect(end.status == 0 && end.output.contains("PASS agency"), "\(end)")
    let missing = try test("[de, fr]", other: "[uk]")
    #expect(missing.status == 1 && missing.output.contains("FAIL agency"), "\(missing)")
  }

  @Test("a message that is not about a bundle contains the vendor's name once")
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

  @Test(
    "a run exits with 65 or 69 if a WebDAV server responds incorrectly",
    arguments: [
      ("HTTP/1.1 207 OK\r\nContent-Length: \(129 << 20)\r\n\r\n<a>", 65),
      ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 69), ("HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n", 69),
    ])
  func faultyWebDAV(_ response: String, status: Int) throws {
    let repository = try TemporaryRepository()
    try repository.commit([
      "App/Localizable.xcstrings":
        "{ \"sourceLanguage\" : \"en\", \"strings\" : { \"Bird\" : { } }, \"version\" : \"1.0\" }"
    ])
    let server = try LoopbackHTTPServer { request, _ in
      request.method == "PROPFIND"
        ? .raw(Array(response.utf8)) : .respond(status: request.method == "GET" ? 404 : 201)
    }
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(try repository.bareCopy())" }
      languages: [de]
      vendors: [{ vendor: folder, path: "dav://127.0.0.1:\(server.port)/drop" }]

      """, to: "app.yaml")
    let end = try dragoman(["run", "app.yaml", "--once"], in: folder.path)
    #expect(end.status == status, "\(end)")
  }

  @Test("vendors test reports only what the server's responses prove about a token")
  func tokens() throws {
    let server = try LoopbackHTTPServer { request, _ in
      if request.path.last == "languages" {
        return request.path.first == "a" ? .json(["languages": ["de"]]) : .json([["code": "uk"]])
      }
      if request.path == ["v1", "models", "small"] { return .json(["id": "small"]) }
      let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any]
      if body?["api_key"] as? String == "wrong" { return .json(["error": "Invalid API key"], status: 403) }
      return .json(["translatedText": ["a"]])
    }
    func test(_ credentials: String) throws -> ProgramEnd {
      try folder.write(
        """
        pipeline: app
        repository: { url: "\(folder.path)" }
        languages: [de, uk, fr]
        vendors:
          - { vendor: http, url: "\(server.url)/a", languages: [de]\(credentials) }
          - { vendor: libretranslate, url: "\(server.url)/b", languages: [uk]\(credentials) }
          - { vendor: llm, url: "\(server.url)/v1", model: small, languages: [fr]\(credentials) }

        """, to: "app.yaml")
      return try dragoman(["vendors", "test", "--pipeline", "app.yaml"], in: folder.path)
    }
    try folder.write("any", to: "token")
    let with = try test(", credentials: \"file:\(folder.file("token"))\"")
    #expect(with.status == 0 && !with.output.contains("accepted"), "\(with)")
    #expect(with.output.contains("The server accepts requests with this token. It may accept any token."))
    #expect(with.output.components(separatedBy: "The server accepts requests with this key.").count == 3, "\(with)")
    let without = try test("")
    #expect(without.status == 0 && !without.output.contains("accepted"), "\(without)")
    #expect(without.output.components(separatedBy: "The server accepts requests without a ").count == 4, "\(without)")
    try folder.write("wrong", to: "token")
    let wrong = try test(", credentials: \"file:\(folder.file("token"))\"")
    #expect(wrong.status == 1 && wrong.errors.contains("Invalid API key"), "\(wrong)")
  }
}
