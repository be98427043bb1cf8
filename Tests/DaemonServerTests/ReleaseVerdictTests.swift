import Daemon
import Dashboard
import Foundation
import HTTPTransport
import Localization
import Pipeline
import ReadModel
import TestSupport
import Testing

@testable import DaemonServer

/// Comparisons of the release page and the API with the verdict of the gate at the same commit.
@Suite(.timeLimit(.minutes(10))) struct ReleaseVerdictTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var files: [String: String]
    /// A part of the expected obstacle to the release; `nil` if no obstacle is expected.
    var obstacle: String?
    var require = "require: 100"
    var isFinding = false
  }

  private static let package = """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(
      name: "Birds", defaultLocalization: "en",
      targets: [.target(name: "Birds", resources: [.process("Resources")]), .target(name: "Kit")])
    """
  private static let code = "import Foundation\nlet a = String(localized: \"Hello\", bundle: .module)\n"

  private static func catalog(_ strings: String) -> String {
    "{\"sourceLanguage\":\"en\",\"strings\":{\(strings)},\"version\":\"1.0\"}"
  }

  private static func text(_ language: String, _ value: String) -> String {
    "\"\(language)\":{\"stringUnit\":{\"state\":\"translated\",\"value\":\"\(value)\"}}"
  }

  private static let german = catalog("\"Hello\":{\"localizations\":{\(text("de", "Hallo"))}}")

  private static func files(catalog: String = german, code: String = code, kit: String = "let k = 1\n") -> [String:
    String]
  {
    [
      "Package.swift": package, "Sources/Birds/a.swift": code, "Sources/Kit/k.swift": kit,
      "Sources/Birds/Resources/Localizable.xcstrings": catalog,
    ]
  }

  static let cases: [Case] = [
    Case(testDescription: "complete", files: files(), obstacle: nil),
    Case(
      testDescription: "a catalog that is not JSON", files: files(catalog: "{"), obstacle: "1 catalog is unreadable",
      isFinding: true),
    Case(
      testDescription: "a string that is in no catalog",
      files: files(code: code + "let b = String(localized: \"New\", bundle: .module)\n"),
      obstacle: "1 string of the code is in no catalog"),
    Case(
      testDescription: "a key that is only in the file of another language",
      files: [
        "Package.swift": package, "Sources/Kit/k.swift": "let k = 1\n",
        "Sources/Birds/a.swift": code + "let b = String(localized: \"New\", bundle: .module)\n",
        "Sources/Birds/Resources/en.lproj/Localizable.strings": "\"Hello\" = \"Hello\";",
        "Sources/Birds/Resources/de.lproj/Localizable.strings": "\"Hello\" = \"Hallo\"; \"New\" = \"Neu\";",
      ], obstacle: "1 string of the code is only in the files of other languages"),
    Case(
      testDescription: "a source with a syntax error", files: files(code: code + "func broken( {\n"),
      obstacle: "1 catalog may lack strings"),
    Case(
      testDescription: "a target without a catalog",
      files: files(kit: code.replacing("Hello", with: "Kit")), obstacle: "its target has none"),
    Case(
      testDescription: "a target without a catalog, not searched for strings",
      files: files(kit: code.replacing("Hello", with: "Kit")), obstacle: "was not searched for strings", require: ""),
  ]

  private static func pipeline(_ more: String, languages: String = "[de]") -> [String: String] {
    [
      "birds.yaml": """
      pipeline: birds
      repository: { url: "{repository}", poll: 1h }
      languages: \(languages)
      vendors: [{ vendor: folder, path: "{repository}-drop" }]
      \(more)
      """
    ]
  }

  /// Signs in and returns the request header with the cookie.
  private func cookie(_ daemon: ServedDaemon, _ token: String) async throws -> [(name: String, value: String)] {
    let type = [(name: "Content-Type", value: "application/x-www-form-urlencoded")]
    let response = try await daemon.send("POST", "/signin", type, Array("token=\(token)&next=%2F".utf8))
    let set = try #require(response.head.header("Set-Cookie"))
    return [("Cookie", String(set.prefix { $0 != ";" }))]
  }

  private func get(_ daemon: ServedDaemon, _ token: String, _ path: String) async throws -> [String: Any] {
    let response = try await daemon.send("GET", "/api/v1" + path, [("Authorization", "Bearer \(token)")])
    #expect(response.status == 200, "\(path): \(response.text)")
    return try #require(JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [String: Any])
  }

  @Test("“Nothing is missing” is shown only if a required completion of 100 % would pass", arguments: cases)
  func verdict(_ test: Case) async throws {
    let daemon = try ServedDaemon()
    try daemon.repository.commit(test.files)
    try await daemon.run(files: Self.pipeline(test.require)) { daemon async throws in
      // When the first pull ends, all branches have been extracted and compared.
      await daemon.nextPull()
      let token = try await daemon.token(.viewer)
      let session = try await cookie(daemon, token)
      let missing = try await get(daemon, token, "/pipelines/birds/missing?branch=main")
      let page = try await daemon.send("GET", "/pipelines/birds/release?branch=main", session).text
      let obstacles = try #require(missing["obstacles"] as? [String])
      #expect(missing["count"] as? Int == 0)
      #expect(missing["isComplete"] as? Bool == (test.obstacle == nil))
      #expect(page.contains("Nothing is missing.") == (test.obstacle == nil))
      if let obstacle = test.obstacle {
        #expect(obstacles.contains { $0.contains(obstacle) }, "\(obstacles)")
        #expect(page.contains(obstacle) && page.contains("It is unknown"))
      } else {
        #expect(obstacles == [])
      }
      let gate = missing["gate"] as? [String: Any]
      #expect(gate?["passed"] as? Bool == (test.require.isEmpty ? nil : test.obstacle == nil))
      let snapshot = try #require(try await daemon.daemon().snapshot(of: "birds", branch: "main"))
      let definition = try #require(try daemon.daemon().definition(of: "birds"))
      #expect(gate?["line"] as? String == snapshot.verdict(definition.requirements(on: "main"))?.line)
      // The API, the list of pipelines and the pipeline's page agree on whether there is a finding.
      let summary = try #require(try await get(daemon, token, "/pipelines/birds")["summary"] as? [String: Any])
      #expect(((summary["findings"] as? Int ?? 0) > 0) == test.isFinding)
      let list = try await daemon.send("GET", "/", session).text
      #expect(list.contains(">problem</span>") == test.isFinding)
      let own = try await daemon.send("GET", "/pipelines/birds", session).text
      #expect(own.contains("Not counted at the newest commit: main") == test.isFinding)
    }
  }

  @Test("an unknown language or branch is reported with the nearest name")
  func unknown() async throws {
    let daemon = try ServedDaemon()
    try daemon.repository.commit(Self.files())
    try await daemon.run(files: Self.pipeline("")) { daemon async throws in
      await daemon.nextPull()
      let token = try await daemon.token(.viewer)
      let session = try await cookie(daemon, token)
      let response = try await daemon.send(
        "GET", "/api/v1/pipelines/birds/missing?branch=main&language=dd", [("Authorization", "Bearer \(token)")])
      #expect(response.status == 404 && response.text.contains("\"language\""))
      #expect(response.text.contains("dd is not one of the languages (de); did you mean `de`?"))
      let page = try await daemon.send("GET", "/pipelines/birds/release?branch=main&language=dd", session).text
      #expect(page.contains("dd is not one of the languages (de)") && !page.contains("Nothing is missing."))
      let branch = try await daemon.send("GET", "/pipelines/birds/release?branch=mian", session)
      #expect(branch.status == 404 && branch.text.contains("did you mean `main`?"))
    }
  }

  @Test("fallback languages count in the table of languages, in the completion and in the list of missing strings")
  func fallbacks() async throws {
    let daemon = try ServedDaemon()
    let french = Self.catalog("\"Hello\":{\"localizations\":{\(Self.text("fr", "Bonjour"))}}")
    try daemon.repository.commit(Self.files(catalog: french))
    let files = Self.pipeline("fallbacks: { es: [fr] }\nrequire: 100", languages: "[es, fr]")
    try await daemon.run(files: files) { daemon async throws in
      await daemon.nextPull()
      let token = try await daemon.token(.viewer)
      let branches = try await get(daemon, token, "/pipelines/birds/completion")["branches"] as? [[String: Any]]
      let languages = try #require(branches?.first?["languages"] as? [[String: Any]])
      #expect(languages.map { $0["translated"] as? Int } == [1, 1])
      let missing = try await get(daemon, token, "/pipelines/birds/missing?branch=main")
      #expect(missing["count"] as? Int == 0 && missing["isComplete"] as? Bool == true)
      let page = try await daemon.send("GET", "/pipelines/birds", try await cookie(daemon, token)).text
      #expect(page.contains("aria-label=\"main, Spanish (es): 100"), "\(page)")
    }
  }

  @Test("the release page links to every string, even if its key has line breaks or is very long")
  func links() async throws {
    let daemon = try ServedDaemon()
    let long = String(repeating: "Birds ", count: 40_000)
    try daemon.repository.commit(
      Self.files(
        catalog: Self.catalog(
          "\"a\\r\\nb\":{\"extractionState\":\"manual\"},\"\(long)\":{\"extractionState\":\"manual\"}")))
    try await daemon.run(files: Self.pipeline("")) { daemon async throws in
      await daemon.nextPull()
      let session = try await cookie(daemon, try await daemon.token(.viewer))
      let page = try await daemon.send("GET", "/pipelines/birds/release?branch=main", session).text
      let links = page.matches(of: #/href="(\/strings[^"]*)"/#).map {
        String($0.output.1).replacing("&amp;", with: "&")
      }
      #expect(links.count == 2 && links.allSatisfy { $0.utf8.count < 200 }, "\(links)")
      for link in links { #expect(try await daemon.send("GET", link, session).status == 200, "\(link)") }
    }
  }
}
