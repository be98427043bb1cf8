import Foundation
import Localization
import TestSupport
import Testing
import VendorServers

/// Rounds with a vendor whose translators save the plural forms of a text one at a time.
struct PluralReturnTests {
  private let folder: TemporaryFolder
  /// The repository from which `origin` is copied. Stored only because releasing the repository deletes its folder.
  private let repository: TemporaryRepository
  private let origin: String
  private let system = InHouseServer(languages: ["de"])
  private let server: LoopbackHTTPServer

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    let forms = [("one", "%lld bird"), ("other", "%lld birds")].map { category, text in
      "\"\(category)\": { \"stringUnit\": { \"state\": \"translated\", \"value\": \"\(text)\" } }"
    }
    let plural = "{ \"plural\": { \(forms.joined(separator: ", ")) } }"
    let birds = "\"localizations\": { \"en\": { \"variations\": \(plural) } }"
    try repository.commit([
      "App/Localizable.xcstrings":
        "{ \"sourceLanguage\": \"en\", \"strings\": { \"%lld birds\": { \(birds) }, \"Close\": { } }, \"version\": \"1.0\" }"
    ])
    origin = try repository.bareCopy()
    let system = system
    server = try LoopbackHTTPServer { request, _ in system.respond(to: request) }
    try folder.write("secret-token", to: "token")
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(origin)" }
      languages: [de]
      vendors:
        - { vendor: http, name: house, url: "\(server.url)", credentials: "file:\(folder.file("token"))" }

      """, to: "app.yaml")
  }

  private func run() throws -> String {
    let end = try dragoman(["run", "app.yaml", "--once"], in: folder.path)
    #expect(end.status == 0 || end.status == 77, "\(end)")
    return end.output + end.errors
  }

  /// Returns whether “Close” has a German text, and the plural categories of the German “%lld birds”.
  private func delivered() throws -> (close: Bool, birds: [String]) {
    let text = try TemporaryRepository.git(["show", "l10n/main:App/Localizable.xcstrings"], in: origin)
    let catalog = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let strings = try #require(catalog["strings"] as? [String: [String: Any]])
    func german(_ key: String) -> [String: Any]? {
      (strings[key]?["localizations"] as? [String: Any])?["de"] as? [String: Any]
    }
    let plural = (german("%lld birds")?["variations"] as? [String: Any])?["plural"] as? [String: Any]
    return (german("Close") != nil, plural?.keys.sorted() ?? [])
  }

  @Test("a plural is outstanding, not held, until all its forms are translated, and is then delivered")
  func partly() throws {
    _ = try run()
    system.translate("de")
    system.leaveOnly("one", in: "de", isReviewed: false)
    let output = try run()
    #expect(output.contains("1 outstanding, 1 still without some plural forms"), "\(output)")
    var found = try delivered()
    #expect(found.close && found.birds.isEmpty)
    #expect(try !dragoman(["held", "list"], in: folder.path).output.contains("%lld birds"))
    system.translate("de")
    _ = try run()
    found = try delivered()
    #expect(found.birds == ["one", "other"])
  }

  @Test("a plural that is reviewed while forms are missing is held, and delivered once they are complete")
  func reviewed() throws {
    _ = try run()
    system.translate("de")
    system.leaveOnly("one", in: "de", isReviewed: true)
    _ = try run()
    #expect(try delivered().birds.isEmpty)
    let held = try dragoman(["held", "list"], in: folder.path).output
    #expect(held.contains("%lld birds") && held.contains("plural.other"), "\(held)")
    system.translate("de")
    _ = try run()
    #expect(try delivered().birds == ["one", "other"])
    #expect(try !dragoman(["held", "list"], in: folder.path).output.contains("%lld birds"))
  }
}
