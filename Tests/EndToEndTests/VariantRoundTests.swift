import Foundation
import LedgerStore
import Localization
import Pipeline
import SQLiteStore
import TestSupport
import Testing
import VendorServers

/// Rounds with a platform when branches have different texts for one key.
struct VariantRoundTests {
  private static let catalog = "App/Localizable.xcstrings"

  /// A pipeline with two branches, and Lokalise on loopback.
  private struct Bench {
    let folder: TemporaryFolder
    let repository: TemporaryRepository
    let origin: String
    let system = LokaliseServer()
    let server: LoopbackHTTPServer

    init(_ texts: [String: String], languages: String = "[de]") throws {
      folder = try TemporaryFolder()
      repository = try TemporaryRepository()
      try repository.commit([VariantRoundTests.catalog: PipelineBench.catalog(texts)])
      origin = try repository.bareCopy()
      let system = system
      server = try LoopbackHTTPServer { request, _ in system.respond(to: request) }
      try folder.write("secret-token", to: "token")
      try folder.write(
        """
        pipeline: app
        repository: { url: "\(origin)", branches: [main, "feature/*"] }
        languages: \(languages)
        vendors:
          - { vendor: lokalise, url: "\(server.url)", project: p1, credentials: "file:\(folder.file("token"))" }

        """, to: "app.yaml")
    }

    func commit(_ texts: [String: String], to branch: String) throws {
      let isThere = try !repository.git("branch", "--list", branch).isEmpty
      try repository.git("checkout", "-q", isThere ? branch : "-b\(branch)")
      try repository.commit([VariantRoundTests.catalog: PipelineBench.catalog(texts)])
      try repository.git("push", "-q", origin, branch)
    }

    @discardableResult
    func run() throws -> String {
      let end = try dragoman(["run", "app.yaml", "--once", "--store", "sqlite:store"], in: folder.path)
      #expect(end.status == 0, "\(end)")
      return end.output + end.errors
    }

    /// Returns the texts of a key that are not archived. A variant is marked with the word `variant`.
    func texts(of key: String) -> [String] {
      let name = "\(VariantRoundTests.catalog)::\(key)"
      return system.content.split(separator: "\n").filter { $0.hasPrefix(name) && !$0.contains("archived") }
        .map { line in
          let text = line.split(separator: " en=").last?.split(separator: " uk=").first.map(String.init) ?? ""
          return (line.contains("::\(key)~") ? "variant " : "") + text
        }.sorted()
    }

    func delivered(_ branch: String) throws -> String? {
      let text = try TemporaryRepository.git(["show", "l10n/\(branch):\(VariantRoundTests.catalog)"], in: origin)
      let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      let entry = (object?["strings"] as? [String: [String: Any]])?["hello"]
      let german = (entry?["localizations"] as? [String: [String: Any]])?["de"]
      return (german?["stringUnit"] as? [String: Any])?["value"] as? String
    }

    func books() async throws -> [Books] {
      try await SQLiteStore(reading: folder.file("store")).rounds(of: "app").flatMap(\.books)
    }

    func changes() -> Int { server.requests.count { $0.method != "GET" } }
  }

  @Test("a text changed on a side branch becomes a variant, and stays a variant after the branch is merged")
  func merged() async throws {
    let bench = try Bench(["hello": "Hello"])
    try bench.run()
    try bench.commit(["hello": "Hello, side"], to: "feature/x")
    #expect(try bench.run().contains("1 of them as variants"))
    #expect(bench.texts(of: "hello") == ["Hello", "variant Hello, side"])
    let sent = bench.changes()
    try bench.run()
    #expect(bench.changes() == sent)

    bench.system.translate("de")
    try bench.run()
    #expect(try bench.delivered("main") == "de: Hello" && bench.delivered("feature/x") == "de: Hello, side")
    #expect(try await bench.books().map(\.returned) == [1, 1])

    try bench.repository.git("checkout", "-q", "main")
    try bench.repository.git("merge", "-q", "feature/x")
    try bench.repository.git("push", "-q", bench.origin, "main", ":feature/x")
    try bench.run()
    try bench.run()
    #expect(bench.texts(of: "hello") == ["variant Hello, side"])
    #expect(try bench.delivered("main") == "de: Hello, side")
    #expect(try await bench.books().count == 2)

    // The next text is stored under the key itself again.
    try bench.commit(["hello": "Good morning"], to: "main")
    try bench.run()
    #expect(bench.texts(of: "hello") == ["Good morning"])
    #expect(try await bench.books().allSatisfy(\.isBalanced))
  }

  @Test("deleting a side branch does not change the main branch's text and translations")
  func deleted() async throws {
    let bench = try Bench(["hello": "Hello"])
    try bench.run()
    bench.system.translate("de")
    try bench.commit(["hello": "Hello, side"], to: "feature/x")
    try bench.run()
    // The existing translation was used and not changed.
    #expect(try bench.delivered("main") == "de: Hello")
    try bench.repository.git("push", "-q", bench.origin, ":feature/x")
    try bench.run()
    #expect(bench.texts(of: "hello") == ["Hello"])
    #expect(try await bench.books().allSatisfy { $0.isBalanced && $0.outstanding == 0 })
  }

  @Test(
    "if a side branch had the key first, the main branch's text is a variant, even after the side branch is deleted")
  func sideFirst() async throws {
    let bench = try Bench(["other": "Other"])
    try bench.commit(["other": "Other", "hello": "Hello, side"], to: "feature/x")
    try bench.run()
    #expect(bench.texts(of: "hello") == ["Hello, side"])
    try bench.commit(["other": "Other", "hello": "Hello"], to: "main")
    try bench.run()
    #expect(bench.texts(of: "hello") == ["Hello, side", "variant Hello"])
    try bench.repository.git("push", "-q", bench.origin, ":feature/x")
    try bench.run()
    #expect(bench.texts(of: "hello") == ["variant Hello"])
    bench.system.translate("de")
    try bench.run()
    #expect(try bench.delivered("main") == "de: Hello")
    #expect(try await bench.books().allSatisfy { $0.isBalanced && $0.outstanding == 0 })
    let sent = bench.changes()
    try bench.run()
    #expect(bench.changes() == sent)
  }

  @Test("a source text that a person edited at the platform is sent again once, and the run reports it")
  func edited() async throws {
    let bench = try Bench(["hello": "Hello"])
    try bench.run()
    bench.system.edit("::hello", "Goodbye")
    #expect(bench.texts(of: "hello") == ["Goodbye"])
    #expect(try bench.run().contains("“hello” of \(Self.catalog) differs at the vendor, so it is sent again"))
    #expect(bench.texts(of: "hello") == ["Hello"])
    let sent = bench.changes()
    #expect(try !bench.run().contains("sent again") && bench.changes() == sent)
    bench.system.translate("de")
    try bench.run()
    #expect(try bench.delivered("main") == "de: Hello")
    #expect(try await bench.books().map(\.sent) == [1])
  }

  @Test(
    "if a side branch's text replaced the main branch's at the platform, the main text is restored and both are translated"
  )
  func replaced() async throws {
    let bench = try Bench(["hello": "Hello"])
    try bench.run()
    // Earlier versions sent the side branch's text under the key itself.
    try bench.commit(["hello": "Hello, side"], to: "feature/x")
    bench.system.edit("::hello", "Hello, side")
    try bench.run()
    #expect(bench.texts(of: "hello").count == 2)
    bench.system.translate("de")
    try bench.run()
    #expect(try bench.delivered("main") == "de: Hello" && bench.delivered("feature/x") == "de: Hello, side")
    #expect(try await bench.books().allSatisfy { $0.isBalanced && $0.outstanding == 0 })
  }

  @Test("a string that lacks a translation into one language is sent with its translations into the others")
  func existing() throws {
    let catalog = """
      {
        "sourceLanguage" : "en",
        "strings" : {
          "hello" : {
            "extractionState" : "manual",
            "localizations" : {
              "de" : {
                "stringUnit" : {
                  "state" : "translated",
                  "value" : "Hallo"
                }
              },
              "en" : {
                "stringUnit" : {
                  "state" : "translated",
                  "value" : "Hello"
                }
              }
            }
          }
        },
        "version" : "1.0"
      }
      """
    let bench = try Bench([:], languages: "[de, uk]")
    try bench.repository.commit([Self.catalog: catalog])
    try bench.repository.git("push", "-q", bench.origin, "main")
    try bench.run()
    #expect(bench.system.content.contains("::hello [] ") && bench.system.content.contains("de=Hallo"))
    let sent = bench.changes()
    try bench.run()
    #expect(bench.changes() == sent)
  }
}
